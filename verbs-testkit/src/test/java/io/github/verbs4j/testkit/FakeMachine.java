package io.github.verbs4j.testkit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Sets up the fake libibverbs of {@code verbs-core/src/test/c}, which the tests load in place of the real one. */
final class FakeMachine {
    static final int PORT_DOWN = 1;

    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(
            Path.of(System.getProperty("io.github.verbs4j.libibverbs")).toAbsolutePath(), Arena.global());
    private static final MethodHandle RESET = function("fake_reset", FunctionDescriptor.ofVoid());
    private static final MethodHandle SET = function("fake_set", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle SET_DEVICE_NUMBER =
            function("fake_set_device_number", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle FAIL =
            function("fake_fail", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle LIVE = function("fake_live", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private FakeMachine() {}

    /** A machine with so many devices, fake0 and fake1, each with one active port; nothing of before is left. */
    static void withDevices(int count) throws Throwable {
        RESET.invokeExact();
        try (Arena arena = Arena.ofConfined()) {
            require((int) SET.invokeExact(arena.allocateFrom("devices"), (long) count));
        }
    }

    static void portState(int device, int state) throws Throwable {
        set(device, "port.state", state);
    }

    /** How many ports a device has, and of which its GIDs are. */
    static void ports(int device, int count, int addressed) throws Throwable {
        set(device, "phys_port_cnt", count);
        set(device, "gids.port", addressed);
    }

    private static void set(int device, String number, long value) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            require((int) SET_DEVICE_NUMBER.invokeExact(device, arena.allocateFrom(number), value));
        }
    }

    /** The next call of a function of libibverbs fails. */
    static void failNext(String function, int errno) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            require((int) FAIL.invokeExact(arena.allocateFrom(function), errno, 0, 1));
        }
    }

    /** How many devices are open. */
    static int openContexts() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            return (int) LIVE.invokeExact(arena.allocateFrom("context"));
        }
    }

    private static void require(int result) {
        if (result == -1) {
            throw new AssertionError("the fake libibverbs does not know that name");
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor signature) {
        return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), signature);
    }
}
