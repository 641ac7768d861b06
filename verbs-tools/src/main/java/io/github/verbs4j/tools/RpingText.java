package io.github.verbs4j.tools;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The contents of pings of a size: {@code rdma-ping-N: }, then the characters from {@code A} to {@code z} over and over, from one
 * further on with each ping, then a zero.
 */
final class RpingText {
    /** Room for the number of any ping. */
    static final int SHORTEST = 26;

    /** What the C program allows. */
    static final int LONGEST = 65_535;

    private static final int CHARACTERS = 'z' - 'A' + 1;

    private final int size;
    /** As many more characters than a ping has as there are places to begin. */
    private final byte[] alphabet;

    RpingText(int size) {
        this.size = size;
        this.alphabet = new byte[size + CHARACTERS];
        for (int i = 0; i < alphabet.length; i++) {
            alphabet[i] = (byte) ('A' + i % CHARACTERS);
        }
    }

    int size() {
        return size;
    }

    /** Writes that of a ping, counted from 0. */
    void write(MemorySegment memory, int ping) {
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        int first = Math.floorMod(ping - head.length, CHARACTERS);
        MemorySegment.copy(alphabet, first, memory, ValueLayout.JAVA_BYTE, 0, size);
        MemorySegment.copy(head, 0, memory, ValueLayout.JAVA_BYTE, 0, head.length);
        memory.set(ValueLayout.JAVA_BYTE, size - 1L, (byte) 0);
    }

    /** Compares every byte with that of a ping; returns the first that differs, -1 if none does. */
    long mismatch(MemorySegment memory, int ping) {
        MemorySegment expected = MemorySegment.ofArray(new byte[size]);
        write(expected, ping);
        return MemorySegment.mismatch(expected, 0, size, memory, 0, size);
    }

    /** How many bytes there are before the first zero, if there is one before the size. */
    static int length(MemorySegment memory, int size) {
        return length(memory.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
    }

    private static int length(byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return length;
    }

    /** What there is before the first zero. */
    static String text(MemorySegment memory, int size) {
        byte[] bytes = memory.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, 0, length(bytes), StandardCharsets.ISO_8859_1);
    }
}
