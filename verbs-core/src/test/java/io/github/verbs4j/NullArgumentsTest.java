package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.DatagramConnector;
import io.github.verbs4j.cm.DatagramRequest;
import io.github.verbs4j.cm.MulticastConnector;
import io.github.verbs4j.cm.RequestListener;
import io.github.verbs4j.doctor.Doctor;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.host.Host;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever public method or constructor of a value, and whatever static one, gets null refuses it and names the
 * argument. A new one is found by itself, and a new type asks for an example.
 */
class NullArgumentsTest extends FakeDevice {
    private static final String ROOT = "io.github.verbs4j";
    private static final Set<String> EXPORTED =
            Set.of(ROOT, ROOT + ".attr", ROOT + ".cm", ROOT + ".doctor", ROOT + ".error", ROOT + ".host");

    /** What takes null, as its documentation says. */
    private static final Set<String> PERMITTED = Set.of(
            "new RcPath(mtu)",
            "new UcPath(mtu)",
            "RcPath.withMtu(value)",
            "UcPath.withMtu(value)",
            "AddressInformation.lookup(node)",
            "AddressInformation.lookup(service)",
            "Builder.device(name)",
            "Builder.argument(value)",
            "WorkFailedException.of(deviceName)",
            "WorkFailedException.of(firstFailure)");

    /** Their methods get null in {@link UseTest}, and in {@code MisuseTest} of connections. */
    private static final Set<Class<?>> LIVE = Set.of(
            AsyncEvents.class,
            CompletionCursor.class,
            CompletionQueue.class,
            Completions.class,
            ConnectedQueuePair.class,
            DatagramSendQueue.class,
            DeviceContext.class,
            ExtendedCompletions.class,
            ExtendedSendQueue.class,
            MemoryRegion.class,
            ProtectionDomain.class,
            QueuePair.class,
            RcQueuePair.class,
            ReceiveQueue.class,
            SendQueue.class,
            UcQueuePair.class,
            UdQueuePair.class,
            Connection.class,
            ConnectionManager.class,
            ConnectionRequest.class,
            Connector.class,
            DatagramConnector.class,
            DatagramRequest.class,
            MulticastConnector.class,
            RequestListener.class);

    private final Map<Class<?>, Object> samples = new HashMap<>();

    @BeforeEach
    void gatherSamples() {
        samples.put(Resource.class, context);
        samples.put(CompletionQueue.class, queue);
        samples.put(Host.class, Host.at(Path.of("/nowhere")));
        samples.put(QueuePairOptions.class, options());
        samples.put(VerbsException.Builder.class, VerbsException.of("ibv_test"));
        samples.put(VerbsException.class, VerbsException.of("ibv_test").build());
        samples.put(WorkFailedException.class, WorkFailedException.of(1, 1, "1", "1", "1", 1, 1, "1", null));
        samples.put(Doctor.class, Doctor.here());
        samples.put(Transition.class, Transition.to(QueuePairState.RESET));
        samples.put(CompletionQueueOptions.class, CompletionQueueOptions.entries(16));
        samples.put(String.class, "1");
        samples.put(Object.class, "1");
        samples.put(Throwable.class, new IllegalStateException());
        samples.put(InetAddress.class, InetAddress.ofLiteral("10.9.0.1"));
        samples.put(Path.class, Path.of("/nowhere"));
        samples.put(Duration.class, Duration.ofSeconds(1));
        samples.put(Instant.class, Instant.EPOCH);
        samples.put(Optional.class, Optional.empty());
        samples.put(OptionalInt.class, OptionalInt.empty());
        samples.put(OptionalLong.class, OptionalLong.empty());
        samples.put(List.class, List.of());
        samples.put(Collection.class, List.of());
        samples.put(Set.class, Set.of());
        samples.put(Map.class, Map.of());
        samples.put(SortedMap.class, new TreeMap<>());
        samples.put(SortedSet.class, new TreeSet<>());
    }

    private Object sample(Class<?> type) {
        Object sample = samples.get(type);
        if (sample != null) {
            return sample;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isRecord()) {
            return make(type);
        }
        throw new AssertionError("give an argument of " + type);
    }

    private Object make(Class<?> type) {
        Class<?>[] types = Stream.of(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        Object[] values = Stream.of(types)
                .map(each -> NullArguments.argument(each, this::sample))
                .toArray();
        try {
            return type.getConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("give an argument of " + type, e);
        }
    }

    private static List<Class<?>> publicTypes() throws Exception {
        Path classes = Path.of(
                Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types = new ArrayList<>();
        for (String name : EXPORTED) {
            try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
                for (Path file : files.filter(NullArgumentsTest::isClass).toList()) {
                    String simple = file.getFileName().toString().replace(".class", "");
                    types.add(Class.forName(name + "." + simple));
                }
            }
        }
        types.removeIf(type -> !Modifier.isPublic(type.getModifiers()));
        return types;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".class") && !file.endsWith("package-info.class");
    }

    private static List<Executable> calls(Class<?> type) {
        List<Executable> calls = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            calls.addAll(List.of(type.getConstructors()));
        }
        for (Method method : type.getMethods()) {
            boolean isItsOwn = method.getDeclaringClass() == type
                    || !Modifier.isPublic(method.getDeclaringClass().getModifiers())
                            && method.getDeclaringClass().getName().startsWith(ROOT);
            if (isItsOwn
                    && !method.isBridge()
                    && !Modifier.isAbstract(method.getModifiers())
                    && (Modifier.isStatic(method.getModifiers()) || !LIVE.contains(type))
                    && !method.getName().equals("equals")
                    && !(type.isEnum() && method.getName().equals("valueOf"))) {
                calls.add(method);
            }
        }
        calls.removeIf(call -> Stream.of(call.getParameterTypes()).allMatch(Class::isPrimitive));
        return calls;
    }

    private static boolean needsTarget(Executable call) {
        return call instanceof Method && !Modifier.isStatic(call.getModifiers());
    }

    @Test
    void shouldNameWhatIsNull() throws Exception {
        List<String> unnamed = new ArrayList<>();
        for (Class<?> type : publicTypes()) {
            for (Executable call : calls(type)) {
                unnamed.addAll(
                        NullArguments.unnamed(call, needsTarget(call) ? sample(type) : null, this::sample, PERMITTED));
            }
        }
        assertEquals("", String.join("\n", unnamed));
    }
}
