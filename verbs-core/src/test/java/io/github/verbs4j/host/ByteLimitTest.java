package io.github.verbs4j.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ByteLimitTest {

    @Test
    void shouldWriteAmountsWithoutLosingAByte() {
        assertEquals("0 bytes", ByteLimit.format(0));
        assertEquals("1 bytes", ByteLimit.format(1));
        assertEquals("64 KiB", ByteLimit.format(65536));
        assertEquals("8 MiB", ByteLimit.format(8 << 20));
        assertEquals("16388 KiB (16.0 MiB)", ByteLimit.format(16388 << 10));
        assertEquals("65000 bytes (63.5 KiB)", ByteLimit.format(65000));
        assertEquals("5 GiB", ByteLimit.format(5L << 30));
        assertEquals("unlimited", ByteLimit.UNLIMITED.toString());
        assertEquals("unknown", ByteLimit.UNKNOWN.toString());
    }

    @Test
    void shouldRefuseOnlyWhatIsCertainlyOver() {
        assertTrue(new ByteLimit(10).isBelow(11));
        assertFalse(new ByteLimit(10).isBelow(10));
        assertFalse(ByteLimit.UNLIMITED.isBelow(Long.MAX_VALUE));
        assertFalse(ByteLimit.UNKNOWN.isBelow(1));
    }

    @Test
    void shouldRefuseNegativeBounds() {
        assertThrows(IllegalArgumentException.class, () -> new ByteLimit(-2));
    }
}
