package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The bytes on the wire. */
class RpingAnnouncementTest {
    private static final byte[] WIRE = {
        (byte) 0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, (byte) 0x80, 0x0a, 0x0b, 0x0c, 0, 0, 0x10, 0x01
    };
    private static final RpingAnnouncement VALUES = new RpingAnnouncement(0xff01_0203_0405_0607L, 0x800a_0b0c, 4097);

    @Test
    void shouldBeInNetworkByteOrder() {
        byte[] bytes = new byte[19];

        VALUES.write(MemorySegment.ofArray(bytes), 3);

        assertArrayEquals(WIRE, Arrays.copyOfRange(bytes, 3, 19));
        assertEquals(VALUES, RpingAnnouncement.read(MemorySegment.ofArray(bytes), 3));
    }

    @Test
    void shouldBeOfARegion() {
        RemoteRegion region = new RemoteRegion(0x7000_0000_0000L, 64, new RemoteKey(17));

        assertEquals(region, RpingAnnouncement.of(region).region());
    }
}
