package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each function of librdmacm gets its arguments as they were given, and the errno of a call is the one that this call set: the
 * fake library notes the arguments and sets another errno each time.
 */
class ErrnoCmTest {
    private static final List<Class<?>> ROOMS = List.of(
            CmIdVerbs.class, CmConnectionVerbs.class, CmQueueVerbs.class, RsocketVerbs.class, RsocketDataVerbs.class);

    @Test
    void shouldPassTheArgumentsAndCaptureTheErrnoOfEachCall() {
        Map<String, String> said = childOf(FakeLibrary.librdmacmOfRelease(44, false));

        Map<String, String> expected = new TreeMap<>();
        said.forEach((function, outcome) -> expected.put(function, CmCalls.expectedOf(function, outcome)));
        expected.keySet().removeAll(namesOf(NewerCmVerbs.class).toList());
        Map<String, String> outcomes = new TreeMap<>(said);
        outcomes.keySet().retainAll(expected.keySet());

        assertEquals(expected, outcomes);
        assertEquals(59, outcomes.size());
    }

    @Test
    void shouldCallWhatANewLibraryHas() {
        Map<String, String> said = childOf(FakeLibrary.librdmacmOfRelease(61, true));

        namesOf(NewerCmVerbs.class)
                .forEach(function ->
                        assertEquals(CmCalls.expectedOf(function, said.get(function)), said.get(function), function));
        assertEquals(6, namesOf(NewerCmVerbs.class).count());
    }

    @Test
    void shouldExplainWhatAnOldLibraryLacks() {
        Map<String, String> said = childOf(FakeLibrary.librdmacmOfRelease(44, false));

        namesOf(NewerCmVerbs.class)
                .forEach(function -> assertTrue(
                        said.get(function)
                                .matches(function
                                        + " needs librdmacm of rdma-core 6[01] or newer; the library in use is of"
                                        + " release 44"),
                        said.get(function)));
    }

    private static Map<String, String> childOf(Path library) {
        return ChildJvm.onClassPath(
                CmCalls.class,
                "--enable-native-access=ALL-UNNAMED",
                "-D" + NativeLibrary.LIBRDMACM_PROPERTY + "=" + library);
    }

    private static Stream<String> namesOf(Class<?> room) {
        return CmCalls.functionsOf(room).map(Method::getName);
    }

    /** The descriptors are written by hand, so that the generated handle need not be linked. */
    @Test
    void shouldHaveTheTypesOfTheGeneratedHandles() throws ReflectiveOperationException {
        int compared = 0;
        for (Class<?> room : ROOMS) {
            for (Class<?> holder : room.getDeclaredClasses()) {
                String function = holder.getSimpleName()
                        .replaceAll("(?<=.)([A-Z])", "_$1")
                        .toLowerCase(Locale.ROOT);
                if (function.equals("rfcntl")) {
                    continue; // variadic: the generated one has no handle of its own
                }
                MethodHandle generated = (MethodHandle)
                        rdmacm_h.class.getMethod(function + "$handle").invoke(null);
                Field field = holder.getDeclaredField("HANDLE");
                field.setAccessible(true);
                MethodHandle ours = (MethodHandle) field.get(null);
                assertEquals(generated.type(), ours.type().dropParameterTypes(0, 1), function);
                compared++;
            }
        }
        assertEquals(58, compared);
    }
}
