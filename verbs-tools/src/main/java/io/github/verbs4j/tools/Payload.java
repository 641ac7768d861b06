package io.github.verbs4j.tools;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Contents that tell which message they are of: a stale, shifted or torn one does not pass. A seed makes the whole.
 */
final class Payload {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

    private Payload() {}

    /** The seed of a message of a ping-pong. */
    static long seed(boolean fromClient, int iteration) {
        return mix((long) iteration << 1 | (fromClient ? 1 : 0));
    }

    /** Writes the contents of a seed. */
    static void fill(MemorySegment memory, long offset, long length, long seed) {
        long words = length & -Long.BYTES;
        for (long at = 0; at < words; at += Long.BYTES) {
            memory.set(WORD, offset + at, word(seed, at));
        }
        for (long at = words; at < length; at++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + at, expected(seed, at));
        }
    }

    /** Compares every byte with the contents of a seed; returns the first that differs, -1 if none does. */
    static long mismatch(MemorySegment memory, long offset, long length, long seed) {
        long words = length & -Long.BYTES;
        for (long at = 0; at < words; at += Long.BYTES) {
            long difference = memory.get(WORD, offset + at) ^ word(seed, at);
            if (difference != 0) {
                return at + Long.numberOfTrailingZeros(difference) / Byte.SIZE;
            }
        }
        for (long at = words; at < length; at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + at) != expected(seed, at)) {
                return at;
            }
        }
        return -1;
    }

    /** The byte that a seed puts at a place. */
    static byte expected(long seed, long at) {
        return (byte) (word(seed, at & -Long.BYTES) >>> (at & (Long.BYTES - 1)) * Byte.SIZE);
    }

    private static long word(long seed, long at) {
        return mix(seed + at * STEP);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
