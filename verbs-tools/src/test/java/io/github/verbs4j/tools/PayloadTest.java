package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    private static final long BEFORE = 3;

    private final byte[] bytes = new byte[10_000];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 8, 9, 64, 100, 4096, 4097, 9001})
    void whatWasFilledMatchesAndNothingElseIsTouched(long length) {
        Payload.fill(memory, BEFORE, length, 42);
        assertEquals(-1, Payload.mismatch(memory, BEFORE, length, 42));
        for (int at = 0; at < bytes.length; at++) {
            boolean inside = at >= BEFORE && at < BEFORE + length;
            assertEquals(inside ? Payload.expected(42, at - BEFORE) : 0, bytes[at], "byte " + at);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 8, 13, 64})
    void everyWrongByteIsFound(long length) {
        for (long at = 0; at < length; at++) {
            Payload.fill(memory, BEFORE, length, 42);
            long place = BEFORE + at;
            memory.set(ValueLayout.JAVA_BYTE, place, (byte) (memory.get(ValueLayout.JAVA_BYTE, place) ^ 0x80));
            assertEquals(at, Payload.mismatch(memory, BEFORE, length, 42));
        }
    }

    @Test
    void theFirstOfSeveralIsTold() {
        Payload.fill(memory, 0, 64, 42);
        bytes[50] ^= 1;
        bytes[21] ^= 1;
        bytes[22] ^= 1;
        assertEquals(21, Payload.mismatch(memory, 0, 64, 42));
    }

    @Test
    void messagesOfOtherIterationsAndOfTheOtherEndDiffer() {
        Set<Long> seeds = new HashSet<>();
        for (int iteration = 0; iteration < 10_000; iteration++) {
            seeds.add(Payload.seed(true, iteration));
            seeds.add(Payload.seed(false, iteration));
        }
        assertEquals(20_000, seeds.size());
        Payload.fill(memory, 0, 64, Payload.seed(true, 5));
        assertNotEquals(-1, Payload.mismatch(memory, 0, 64, Payload.seed(false, 5)));
        assertNotEquals(-1, Payload.mismatch(memory, 0, 64, Payload.seed(true, 4)));
    }

    @Test
    void aWrongByteBehindTheFirstPieceIsFound() {
        Payload.fill(memory, 0, 9001, 42);
        bytes[9000] ^= 1;
        assertEquals(9000, Payload.mismatch(memory, 0, 9001, 42));
    }

    @Test
    void aShiftedMessageDoesNotPass() {
        Payload.fill(memory, 8, 64, 42);
        assertEquals(0, Payload.mismatch(memory, 16, 56, 42));
    }
}
