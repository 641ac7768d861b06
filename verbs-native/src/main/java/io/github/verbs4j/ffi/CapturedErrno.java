package io.github.verbs4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * Where {@code errno} is kept in the very call that may set it; the virtual machine itself overwrites C's own variable.
 * Read it only when the call's result says that it failed.
 *
 * <p>One thread at a time.
 */
public final class CapturedErrno {
    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MemorySegment state;

    /**
     * Creates a place for errno.
     *
     * @param allocator what its memory comes from
     */
    public CapturedErrno(SegmentAllocator allocator) {
        this.state = allocator.allocate(LAYOUT);
    }

    /** {@return a place whose memory lives as long as the object} */
    public static CapturedErrno create() {
        return new CapturedErrno(Arena.ofAuto());
    }

    /** {@return errno as the last failed call left it} */
    public int value() {
        return (int) ERRNO.get(state, 0L);
    }

    /** As an inline function of C sets errno itself. */
    void set(int value) {
        ERRNO.set(state, 0L, value);
    }

    MemorySegment state() {
        return state;
    }
}
