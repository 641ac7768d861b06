package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Pointers that C hands out, given the size that their struct really has. */
@SuppressWarnings("restricted")
public final class Pointers {
    private Pointers() {}

    /**
     * {@return memory that C owns}
     *
     * @param address where it starts
     * @param bytes how long it is
     */
    public static MemorySegment segment(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /**
     * {@return the same pointer with a size}
     *
     * @param pointer a pointer from C
     * @param bytes how long the memory behind it is
     */
    public static MemorySegment segment(MemorySegment pointer, long bytes) {
        return pointer.reinterpret(bytes);
    }

    /**
     * {@return a C string, read no further than a limit}
     *
     * @param pointer a pointer from C, may be NULL
     * @param limit bytes at most
     */
    public static String string(MemorySegment pointer, int limit) {
        if (pointer.address() == 0) {
            return "";
        }
        MemorySegment text = pointer.reinterpret(limit);
        int length = 0;
        while (length < limit && text.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        byte[] bytes = text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
