package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;

/**
 * Which processors the calling thread may run on, by the C names. A mask is a bit for each processor, in words of 64 bits.
 * A result of -1 means failure, with errno.
 */
@SuppressWarnings("restricted")
public final class ThreadAffinity {
    /** More than any kernel is built for; a mask that is too short is refused, a longer one is not. */
    private static final int PROCESSORS = 1 << 16;

    private static final MethodHandle GET = link("sched_getaffinity");
    private static final MethodHandle SET = link("sched_setaffinity");

    private ThreadAffinity() {}

    private static MethodHandle link(String name) {
        return Calls.linkWithErrno(
                Linker.nativeLinker().defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    }

    /**
     * {@return a mask without a processor in it}
     *
     * @param allocator what its memory comes from
     */
    public static MemorySegment mask(SegmentAllocator allocator) {
        return allocator.allocate(JAVA_LONG, PROCESSORS / Long.SIZE);
    }

    /**
     * {@code sched_getaffinity}.
     *
     * @param errno receives errno
     * @param mask receives the processors of this thread
     * @return 0, or -1
     */
    public static int get(CapturedErrno errno, MemorySegment mask) {
        return call(GET, errno, mask);
    }

    /**
     * {@code sched_setaffinity}.
     *
     * @param errno receives errno
     * @param mask the processors of this thread from now on; those that do not exist or are not allowed are ignored
     * @return 0, or -1
     */
    public static int set(CapturedErrno errno, MemorySegment mask) {
        return call(SET, errno, mask);
    }

    private static int call(MethodHandle function, CapturedErrno errno, MemorySegment mask) {
        try {
            return (int) function.invokeExact(errno.state(), 0, mask.byteSize(), mask);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
