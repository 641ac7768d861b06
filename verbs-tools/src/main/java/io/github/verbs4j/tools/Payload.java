package io.github.verbs4j.tools;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Contents that tell which message they are of: a stale, shifted or torn one does not pass. A seed makes the whole, word by
 * word; the words are made in a piece at a time on the heap, so that copying and comparing are the JDK's fast ones.
 *
 * <p>Both ends must have the same byte order, as all machines that the library supports do.
 */
final class Payload {
    private static final int PIECE = 4096;
    private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

    private Payload() {}

    /** The seed of a message of a ping-pong. */
    static long seed(boolean fromClient, int iteration) {
        return mix((long) iteration << 1 | (fromClient ? 1 : 0));
    }

    /** Writes the contents of a seed. */
    static void fill(MemorySegment memory, long offset, long length, long seed) {
        long[] words = new long[wordsFor(length)];
        MemorySegment piece = MemorySegment.ofArray(words);
        for (long at = 0; at < length; at += PIECE) {
            make(words, seed, at);
            MemorySegment.copy(piece, 0, memory, offset + at, Math.min(PIECE, length - at));
        }
    }

    /** Compares every byte with the contents of a seed; returns the first that differs, -1 if none does. */
    static long mismatch(MemorySegment memory, long offset, long length, long seed) {
        long[] words = new long[wordsFor(length)];
        MemorySegment piece = MemorySegment.ofArray(words);
        for (long at = 0; at < length; at += PIECE) {
            make(words, seed, at);
            long bytes = Math.min(PIECE, length - at);
            long wrong = MemorySegment.mismatch(piece, 0, bytes, memory, offset + at, offset + at + bytes);
            if (wrong >= 0) {
                return at + wrong;
            }
        }
        return -1;
    }

    /** The byte that a seed puts at a place. */
    static byte expected(long seed, long at) {
        MemorySegment word = MemorySegment.ofArray(new long[] {word(seed, at / Long.BYTES)});
        return word.get(ValueLayout.JAVA_BYTE, at % Long.BYTES);
    }

    private static int wordsFor(long length) {
        return (int) ((Math.min(PIECE, length) + Long.BYTES - 1) / Long.BYTES);
    }

    private static void make(long[] words, long seed, long at) {
        long first = at / Long.BYTES;
        for (int i = 0; i < words.length; i++) {
            words[i] = word(seed, first + i);
        }
    }

    private static long word(long seed, long index) {
        return mix(seed + index * STEP);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
