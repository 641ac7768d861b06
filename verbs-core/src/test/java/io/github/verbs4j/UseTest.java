package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.attr.Enhancements;
import io.github.verbs4j.attr.FlushPlacement;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.MemoryAdvice;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.UcPath;
import io.github.verbs4j.fake.FakeVerbs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every public method of every class, when the object is closed, belongs to another thread, or gets null. */
class UseTest extends FakeDevice {
    /** What a closed object still tells. */
    private static final Set<String> KNOWN = Set.of("close", "isOpen", "handle", "device", "context", "domain");

    private RcQueuePair queuePair;
    private SharedReceiveQueue shared;
    private UdQueuePair datagrams;
    private AddressHandle way;
    private DatagramSendQueue datagramSends;
    private SendQueue sends;
    private ReceiveQueue receives;
    private Completions completions;
    private MemoryWindow window;
    private CompletionQueue extendedQueue;
    private ExtendedCompletions extended;
    private AsyncEvents events;
    private GidEntry gid;
    private QueuePairAddress address;

    @BeforeEach
    void openAll() {
        gid = gid();
        queuePair = queuePair();
        shared = keep(domain.createSharedReceiveQueue(8, 1));
        address = queuePair.initialize(gid);
        sends = sends(queuePair);
        receives = receives(queuePair);
        completions = completions();
        window = keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        extendedQueue = keep(context.createCompletionQueue(
                CompletionQueueOptions.entries(16).extended(CompletionField.BYTE_LENGTH)));
        extended = keep(ExtendedCompletions.over(extendedQueue, 16));
        events = keep(context.openAsyncEvents());
        datagrams = keep(domain.createUd(options()));
        way = keep(datagrams.createAddressHandle(datagrams.initialize(gid, 1)));
        datagramSends = keep(DatagramSendQueue.over(datagrams));
    }

    private Object argument(Class<?> type) {
        if (type == MemoryRegion.class) {
            return memory;
        }
        if (type == RemoteRegion.class) {
            return new RemoteRegion(0, 100, new RemoteKey(1));
        }
        if (type == MemoryWindow.class) {
            return window;
        }
        if (type == MemoryWindowType.class) {
            return MemoryWindowType.TYPE_2;
        }
        if (type == Placement.class) {
            return Placement.nearDevice();
        }
        if (type == MemoryAdvice.class) {
            return MemoryAdvice.PREFETCH;
        }
        if (type == RemoteKey.class) {
            return new RemoteKey(1);
        }
        if (type == AccessFlag[].class) {
            return ALL;
        }
        if (type == String.class) {
            return "text";
        }
        if (type == Set.class) {
            return Set.of();
        }
        if (type == GidEntry.class) {
            return gid;
        }
        if (type == QueuePairAddress.class) {
            return address;
        }
        if (type == RcPath.class) {
            return RcPath.defaults();
        }
        if (type == Transition.class) {
            return Transition.to(QueuePairState.RESET);
        }
        if (type == QueuePairOptions.class) {
            return options();
        }
        if (type == CompletionQueueOptions.class) {
            return CompletionQueueOptions.entries(16);
        }
        if (type == WaitStrategy.class) {
            return WaitStrategy.SPIN;
        }
        if (type == Duration.class) {
            return Duration.ZERO;
        }
        if (type == AddressVector.class) {
            return new AddressVector(gid.gid(), 0, 1, gid.index(), 0, 64, 0, 0);
        }
        if (type == DatagramPeer.class) {
            return new DatagramPeer(way, 17, 1);
        }
        if (type == Completions.class) {
            return completions;
        }
        if (type == Gid.class) {
            return new Gid(0xff0e_0000_0000_0000L, 1);
        }
        if (type == MemorySegment.class) {
            return Arena.ofAuto().allocate(8);
        }
        if (type == UcPath.class) {
            return UcPath.defaults();
        }
        if (type == FlushPlacement.class) {
            return FlushPlacement.GLOBAL;
        }
        if (type == Enhancements.class) {
            return new Enhancements(0, 0);
        }
        throw new AssertionError("give an argument of " + type);
    }

    private void assertClosed(Object object, Set<String> stillKnown) throws ReflectiveOperationException {
        List<Method> methods = PublicMethods.of(object.getClass(), KNOWN);
        assertTrue(methods.size() > 1, () -> object.getClass().getSimpleName());
        for (Method method : methods) {
            Throwable thrown = PublicMethods.thrownBy(method, object, this::argument);
            if (stillKnown.contains(method.getName())) {
                assertNull(thrown, method::toString);
                continue;
            }
            if (List.of(method.getParameterTypes()).contains(MemorySegment.class)) {
                continue; // shouldRefuseToRegisterInAClosedDomain
            }
            assertInstanceOf(IllegalStateException.class, thrown, method::toString);
            assertTrue(thrown.getMessage().contains(object + " is closed"), () -> method + ": " + thrown.getMessage());
        }
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws ReflectiveOperationException {
        sends.close();
        receives.close();
        completions.close();
        assertClosed(sends, Set.of("toString"));
        assertClosed(receives, Set.of("toString"));
        assertClosed(completions, Set.of("toString"));
        extended.close();
        assertClosed(extended, Set.of("toString", "fields"));
        extendedQueue.close();
        events.close();
        assertClosed(events, Set.of("toString", "dropped"));
        datagramSends.close();
        assertClosed(datagramSends, Set.of("toString"));
        queuePair.close();
        assertClosed(queuePair, Set.of("toString", "number", "capacity", "sharedReceives", "state", "firstFailure"));
        shared.close();
        assertClosed(shared, Set.of("toString", "depth", "segments"));
        datagrams.close();
        assertClosed(datagrams, Set.of("toString", "number", "capacity", "sharedReceives", "state", "firstFailure"));
        way.close();
        queue.close();
        assertClosed(queue, Set.of("toString", "capacity", "reserved", "options"));
        memory.close();
        window.close();
        domain.close();
        assertClosed(domain, Set.of("toString"));
        FakeVerbs.clearRecords();
        context.close();
        assertClosed(context, Set.of("toString", "attributes", "provider", "completionVectors"));
        assertEquals(
                List.of("ibv_destroy_comp_channel channel1", "ibv_close_device context1"),
                FakeVerbs.log(),
                "C was not asked for more");
    }

    @Test
    void shouldRefuseToRegisterInAClosedDomain() {
        sends.close();
        receives.close();
        queuePair.close();
        datagramSends.close();
        datagrams.close();
        way.close();
        memory.close();
        window.close();
        shared.close();
        domain.close();
        MemorySegment segment = Arena.ofAuto().allocate(8);
        for (Executable use : List.<Executable>of(
                () -> domain.register(segment, ALL),
                () -> domain.registerAt(segment.address(), segment, ALL),
                () -> domain.registerUnchecked(segment, ALL))) {
            assertTrue(assertThrows(IllegalStateException.class, use)
                    .getMessage()
                    .endsWith("ProtectionDomain 1 of fake0 is closed"));
        }
    }

    @Test
    void shouldRefuseToBuildOnWhatIsClosed() {
        sends.close();
        receives.close();
        completions.close();
        queuePair.close();
        datagramSends.close();
        datagrams.close();
        queue.close();

        assertEquals(
                "SendQueue.over: RcQueuePair 17 of fake0 is closed",
                assertThrows(IllegalStateException.class, () -> SendQueue.over(queuePair))
                        .getMessage());
        assertEquals(
                "ReceiveQueue.over: RcQueuePair 17 of fake0 is closed",
                assertThrows(IllegalStateException.class, () -> ReceiveQueue.over(queuePair))
                        .getMessage());
        assertEquals(
                "Completions.over: CompletionQueue 1 (1024 entries) of fake0 is closed",
                assertThrows(IllegalStateException.class, () -> Completions.over(queue, 16))
                        .getMessage());
    }

    @Test
    void shouldRefuseOtherThreadsEverywhere() throws Exception {
        for (Object object : List.of(sends, datagramSends, receives, completions, extended)) {
            for (Method method :
                    PublicMethods.of(object.getClass(), Set.of("toString", "isOpen", "staged", "fields"))) {
                Throwable thrown = elsewhere(() -> PublicMethods.thrownBy(method, object, this::argument));
                assertInstanceOf(WrongThreadException.class, thrown, method::toString);
                assertTrue(
                        thrown.getMessage().startsWith(object + " is owned by " + Thread.currentThread() + ", not by "),
                        thrown::getMessage);
                assertTrue(thrown.getMessage().contains("elsewhere"), thrown::getMessage);
            }
        }
    }

    @Test
    void shouldNameWhatIsNullEverywhere() throws ReflectiveOperationException {
        UcQueuePair unreliable = keep(domain.createUc(options()));
        ExtendedSendQueue extendedSends = keep(
                ExtendedSendQueue.over(queuePair(options().extended(SendOperation.FLUSH, SendOperation.ATOMIC_WRITE))));
        sends.send(1, memory, 0, 8);
        receives.receive(1, memory, 0, 8);
        datagramSends.send(1, memory, 0, 8, new DatagramPeer(way, 17, 1));
        extendedSends.send(1, memory, 0, 8);
        FakeVerbs.clearRecords();
        List<String> unnamed = new ArrayList<>();
        for (Object object : List.of(
                context,
                domain,
                memory,
                queue,
                queuePair,
                unreliable,
                datagrams,
                shared,
                sends,
                extendedSends,
                datagramSends,
                receives,
                completions,
                extended,
                events)) {
            for (Method method : PublicMethods.of(object.getClass(), Set.of("equals", "close"))) {
                unnamed.addAll(NullArguments.unnamed(method, object, this::argument, Set.of()));
            }
        }
        assertEquals("", String.join("\n", unnamed));
        assertEquals(List.of(), FakeVerbs.log(), "C was not asked");
        assertEquals(4, sends.staged() + receives.staged() + datagramSends.staged() + extendedSends.staged());
        assertEquals(QueuePairState.INIT, queuePair.state());
    }

    @Test
    void shouldNameWhatIsNullFromTheFirstRequestOn() {
        for (Executable first : List.<Executable>of(
                () -> sends.send(1, null, 0, 8),
                () -> receives.receive(1, null, 0, 8),
                () -> datagramSends.send(1, null, 0, 8, new DatagramPeer(way, 17, 1)))) {
            assertEquals(
                    "memory", assertThrows(NullPointerException.class, first).getMessage());
        }
    }
}
