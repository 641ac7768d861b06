package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What the inline creators have in common: two pointers in, a pointer out, and errno. */
final class Creation {
    private static final MethodHandle CREATE = Calls.linkWithErrno(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));

    private Creation() {}

    /** The new object; NULL and EOPNOTSUPP if the function is missing. */
    static MemorySegment create(
            CapturedErrno errno, MemorySegment function, MemorySegment first, MemorySegment second) {
        if (function.address() == 0) {
            return unsupported(errno);
        }
        try {
            return (MemorySegment) CREATE.invokeExact(function, errno.state(), first, second);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    static MemorySegment unsupported(CapturedErrno errno) {
        errno.set(ContextOps.EOPNOTSUPP);
        return MemorySegment.NULL;
    }
}
