package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.MemorySegment;

/**
 * A member that lies behind the pthread mutex of its struct, so that its place differs between processors and the
 * generated accessors miss it.
 *
 * @param struct its C name
 * @param name C name of the member
 * @param offset bytes from the start of the struct, on this machine
 */
record MutexMember(String struct, String name, long offset) {
    private static final long BYTES = 8;

    /** The member that the generated layout has at that offset. */
    static MutexMember behind(String struct, String name, long generated) {
        return new MutexMember(struct, name, generated + Architecture.mutexGrowth());
    }

    /** The memory of the member in an object, which may come without a size. */
    MemorySegment in(MemorySegment object) {
        return Pointers.segment(object.address() + offset, BYTES);
    }

    /** The function that the provider put there. A NULL is not called: it would end the virtual machine. */
    MemorySegment function(MemorySegment object, String caller, String remedy) {
        MemorySegment function = in(object).get(ADDRESS, 0);
        if (function.address() == 0) {
            throw new UnsupportedOperationException(
                    caller + " is not supported here: the provider left " + struct + "." + name + " NULL; " + remedy);
        }
        return function;
    }
}
