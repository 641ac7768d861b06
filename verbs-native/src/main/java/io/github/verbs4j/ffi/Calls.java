package io.github.verbs4j.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/** Linking, and the one thing to do with an exception that cannot happen. */
@SuppressWarnings("restricted")
final class Calls {
    private static final Linker LINKER = Linker.nativeLinker();

    private Calls() {}

    /** A handle that takes the function's address first. */
    static MethodHandle link(FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(descriptor);
    }

    /**
     * A handle without the transition of the thread's state: some nanoseconds cheaper, but the virtual machine cannot stop
     * the thread, and so cannot collect garbage, until the function returns.
     */
    static MethodHandle linkCritical(FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(descriptor, Linker.Option.critical(false));
    }

    /** A handle that takes first where to keep errno. */
    static MethodHandle linkWithErrno(MemorySegment function, FunctionDescriptor descriptor, Linker.Option... more) {
        Linker.Option[] options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(function, descriptor, options);
    }

    /** A handle that takes the function's address first, then where to keep errno. */
    static MethodHandle linkWithErrno(FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(descriptor, Linker.Option.captureCallState("errno"));
    }

    /** Downcall handles declare Throwable, yet throw only what is unchecked. */
    static RuntimeException rethrow(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new AssertionError("a downcall threw a checked exception", thrown);
    }
}
