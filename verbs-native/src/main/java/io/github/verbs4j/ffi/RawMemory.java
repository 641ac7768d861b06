package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Memory by its address, as in C: no bounds, no lifetime, no alignment are checked. A wrong address ends the virtual
 * machine.
 *
 * <p>For structs whose places are certain and that are rewritten for every request. The checks of a segment, small as they
 * are, cost several times what the stores do, and make the methods too large for the compiler to inline.
 */
public final class RawMemory {
    private static final VarHandle INT = JAVA_INT_UNALIGNED.varHandle();
    private static final VarHandle LONG = JAVA_LONG_UNALIGNED.varHandle();

    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /**
     * Every address has its upper bits clear. Clearing them once more tells the compiler that address and offset are inside
     * of all memory, so that it leaves out the comparison that each access would begin with.
     */
    private static final long ADDRESS_BITS = Long.MAX_VALUE >>> 1;

    private RawMemory() {}

    /**
     * {@return 32 bits in native order}
     *
     * @param address of a struct
     * @param offset in it
     */
    public static int getInt(long address, long offset) {
        return (int) INT.get(ALL, (address & ADDRESS_BITS) + offset);
    }

    /**
     * {@return 64 bits in native order}
     *
     * @param address of a struct
     * @param offset in it
     */
    public static long getLong(long address, long offset) {
        return (long) LONG.get(ALL, (address & ADDRESS_BITS) + offset);
    }

    /**
     * Stores 32 bits in native order.
     *
     * @param address of a struct
     * @param offset in it
     * @param value the bits
     */
    public static void putInt(long address, long offset, int value) {
        INT.set(ALL, (address & ADDRESS_BITS) + offset, value);
    }

    /**
     * Stores 64 bits in native order.
     *
     * @param address of a struct
     * @param offset in it
     * @param value the bits
     */
    public static void putLong(long address, long offset, long value) {
        LONG.set(ALL, (address & ADDRESS_BITS) + offset, value);
    }
}
