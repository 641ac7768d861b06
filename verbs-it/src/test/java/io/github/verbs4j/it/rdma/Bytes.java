package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Patterns of bytes that no two places share, written and held against memory byte by byte. */
public final class Bytes {
    private static final int CHUNK = 1 << 20;

    private Bytes() {}

    private static byte[] chunk(long seed, long at, long left) {
        byte[] bytes = new byte[(int) Math.min(CHUNK, left)];
        new SplittableRandom(seed * 31 + at).nextBytes(bytes);
        return bytes;
    }

    /**
     * Writes a pattern.
     *
     * @param memory where
     * @param offset first byte
     * @param length bytes
     * @param seed which pattern
     */
    public static void fill(MemorySegment memory, long offset, long length, long seed) {
        for (long at = 0; at < length; at += CHUNK) {
            byte[] bytes = chunk(seed, at, length - at);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, offset + at, bytes.length);
        }
    }

    /**
     * Fails unless a pattern is there, every byte of it.
     *
     * @param memory where
     * @param offset first byte
     * @param length bytes
     * @param seed which pattern
     */
    public static void verify(MemorySegment memory, long offset, long length, long seed) {
        for (long at = 0; at < length; at += CHUNK) {
            byte[] bytes = chunk(seed, at, length - at);
            long wrong = MemorySegment.mismatch(
                    memory, offset + at, offset + at + bytes.length, MemorySegment.ofArray(bytes), 0, bytes.length);
            assertEquals(-1, wrong < 0 ? wrong : at + wrong, () -> "first wrong byte of " + length + " at " + offset);
        }
    }

    /**
     * Fails unless all bytes are 0, as in fresh memory.
     *
     * @param memory where
     * @param offset first byte
     * @param length bytes
     */
    public static void verifyUntouched(MemorySegment memory, long offset, long length) {
        MemorySegment zeros = MemorySegment.ofArray(new byte[(int) length]);
        long wrong = MemorySegment.mismatch(memory, offset, offset + length, zeros, 0, length);
        assertEquals(-1, wrong, () -> "first touched byte of " + length + " at " + offset);
    }
}
