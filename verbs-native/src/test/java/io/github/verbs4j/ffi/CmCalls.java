package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The child of {@link ErrnoCmTest}: calls each function of librdmacm that has an errno once and prints what came of it. */
final class CmCalls {
    private static final List<Class<?>> ROOMS = List.of(
            CmIdVerbs.class,
            CmConnectionVerbs.class,
            CmQueueVerbs.class,
            RsocketVerbs.class,
            RsocketDataVerbs.class,
            NewerCmVerbs.class);
    private static final int SAID_BYTES = 300;

    private CmCalls() {}

    public static void main(String[] arguments) throws IllegalAccessException {
        MemorySegment said = NativeLibrary.librdmacm().require("said");
        for (Class<?> room : ROOMS) {
            for (Method function : functionsOf(room).toList()) {
                ChildJvm.print(function.getName(), outcomeOf(function, said));
            }
        }
    }

    private static String outcomeOf(Method function, MemorySegment said) throws IllegalAccessException {
        CapturedErrno errno = CapturedErrno.create();
        Object[] arguments = new Object[function.getParameterCount()];
        arguments[0] = errno;
        for (int i = 1; i < arguments.length; i++) {
            arguments[i] = argument(function.getParameterTypes()[i], i);
        }
        try {
            Object result = function.invoke(null, arguments);
            Object number = result instanceof MemorySegment pointer ? pointer.address() : result;
            return number + " errno " + errno.value() + " from " + Pointers.string(said, SAID_BYTES);
        } catch (InvocationTargetException e) {
            return e.getCause().getMessage();
        }
    }

    /** What is printed if all is well; only the errno is taken from the library's side of the outcome. */
    static String expectedOf(String name, String outcome) {
        Method function = ROOMS.stream()
                .flatMap(CmCalls::functionsOf)
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        String number = outcome.substring(outcome.lastIndexOf(' ') + 1);
        StringBuilder expected = new StringBuilder(function.getReturnType() == MemorySegment.class ? "0" : "-1");
        expected.append(" errno ").append(number).append(" from ").append(name);
        for (int i = 1; i < function.getParameterCount(); i++) {
            expected.append(' ').append(written(function.getParameterTypes()[i], i));
        }
        return expected.append(", errno ").append(number).toString();
    }

    static Stream<Method> functionsOf(Class<?> room) {
        return Arrays.stream(room.getDeclaredMethods())
                .filter(method ->
                        method.getParameterCount() > 0 && method.getParameterTypes()[0] == CapturedErrno.class)
                .sorted(Comparator.comparing(Method::getName));
    }

    private static Object argument(Class<?> type, int position) {
        if (type == MemorySegment.class) {
            return MemorySegment.ofAddress(0xa0 + position);
        }
        if (type == long.class) {
            return 0xf000000000000000L + position;
        }
        return type == byte.class ? (Object) (byte) (0xf0 + position) : (Object) (0xf0000000 + position);
    }

    private static String written(Class<?> type, int position) {
        if (type == MemorySegment.class) {
            return "0x" + Integer.toHexString(0xa0 + position);
        }
        if (type == long.class) {
            return Long.toHexString(0xf000000000000000L + position);
        }
        return Integer.toHexString((type == byte.class ? 0xf0 : 0xf0000000) + position);
    }
}
