package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contents as the C program makes them. */
class RpingTextTest {
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            0, 64, "rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr"
            1, 64, "rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs"
            57, 26, "rdma-ping-57: zABCDEFGHIJ"
            58, 26, "rdma-ping-58: ABCDEFGHIJK"
            2147483647, 26, "rdma-ping-2147483647: HIJ"
            """)
    void shouldBeginFurtherOnWithEachPing(int ping, int size, String expected) {
        MemorySegment memory = MemorySegment.ofArray(new byte[size]);
        memory.fill((byte) 1);

        new RpingText(size).write(memory, ping);

        assertEquals(expected, RpingText.text(memory, size));
        assertEquals(size - 1, RpingText.length(memory, size));
        assertEquals(-1, new RpingText(size).mismatch(memory, ping));
    }

    @Test
    void shouldGoRoundTheCharacters() {
        MemorySegment memory = MemorySegment.ofArray(new byte[RpingText.LONGEST]);

        new RpingText(RpingText.LONGEST).write(memory, 3);

        for (int i = 13; i < RpingText.LONGEST - 1; i++) {
            assertEquals('A' + (3 + i - 13) % 58, memory.get(ValueLayout.JAVA_BYTE, i), "byte " + i);
        }
        assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, RpingText.LONGEST - 1));
    }

    @Test
    void shouldTellTheByteThatIsWrong() {
        MemorySegment memory = MemorySegment.ofArray(new byte[64]);
        RpingText text = new RpingText(64);
        text.write(memory, 7);
        assertEquals(10, text.mismatch(memory, 8));
        memory.set(ValueLayout.JAVA_BYTE, 63, (byte) 'x');
        assertEquals(63, text.mismatch(memory, 7));
    }

    @Test
    void shouldEndWhereThereIsNoZero() {
        MemorySegment memory = MemorySegment.ofArray(new byte[] {'a', 'b', 'c'});

        assertEquals(3, RpingText.length(memory, 3));
        assertEquals("ab", RpingText.text(memory, 2));
    }
}
