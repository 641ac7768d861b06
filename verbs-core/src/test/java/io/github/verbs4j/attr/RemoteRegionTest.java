package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteRegionTest {
    private static final RemoteKey KEY = new RemoteKey(0x122);
    private static final RemoteRegion REGION = new RemoteRegion(0x1000, 100, KEY);

    @Test
    void shouldSlice() {
        assertEquals(new RemoteRegion(0x100a, 20, KEY), REGION.slice(10, 20));
        assertEquals(REGION, REGION.slice(0, 100));
        assertEquals(new RemoteRegion(0x1064, 0, KEY), REGION.slice(100, 0));
        assertEquals(new RemoteRegion(0x1010, 4, KEY), REGION.slice(10, 20).slice(6, 4));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 101",
        "1, 100",
        "101, 0",
        "-1, 1",
        "1, -1",
        "9223372036854775807, 1",
        "1, 9223372036854775807",
        "9223372036854775807, 9223372036854775807"
    })
    void shouldRefuseSlicesOutside(long offset, long length) {
        assertThrows(IndexOutOfBoundsException.class, () -> REGION.slice(offset, length));
    }

    @Test
    void shouldFitTheAddressSpace() {
        new RemoteRegion(0, Long.MAX_VALUE, KEY);
        new RemoteRegion(-2, 1, KEY);
        RemoteRegion last = new RemoteRegion(-4096, 4096, KEY);
        assertEquals(new RemoteRegion(0, 0, KEY), last.slice(4096, 0));
        new RemoteRegion(0x8000_0000_0000_0000L, 4096, KEY);
        assertEquals(
                "length=-1 at address=0x10 does not fit an address space",
                assertThrows(IllegalArgumentException.class, () -> new RemoteRegion(16, -1, KEY))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new RemoteRegion(-2, 3, KEY));
        assertThrows(IllegalArgumentException.class, () -> new RemoteRegion(-2, 4, KEY));
        assertThrows(NullPointerException.class, () -> new RemoteRegion(0, 1, null));
    }

    @Test
    void shouldTellKeysApart() {
        assertEquals("RemoteRegion[0x1000 +100, rkey 0x00000122]", REGION.toString());
        assertEquals("rkey 0xffffffff", new RemoteKey(-1).toString());
        assertEquals("lkey 0x00000111", new LocalKey(0x111).toString());
    }
}
