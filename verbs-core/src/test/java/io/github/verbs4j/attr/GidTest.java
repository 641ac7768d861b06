package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {

    @ParameterizedTest
    @CsvSource({
        "fe80000000000000505400fffe123456, fe80:0:0:0:5054:ff:fe12:3456",
        "00000000000000000000ffff0a090001, ::ffff:10.9.0.1",
        "00000000000000000000ffffffffffff, ::ffff:255.255.255.255",
        "fd090000000000000000000000000001, fd09:0:0:0:0:0:0:1",
        "00000000000000000000000000000000, 0:0:0:0:0:0:0:0",
        "ffffffffffffffffffffffffffffffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "0001002203330444000000000000abcd, 1:22:333:444:0:0:0:abcd"
    })
    void shouldReadAndWrite(String hex, String text) {
        Gid gid = Gid.ofHex(hex);

        assertEquals(text, gid.toString());
        assertEquals(hex, gid.toHex());
        assertArrayEquals(HexFormat.of().parseHex(hex), gid.toByteArray());
        assertEquals(gid, Gid.of(gid.toByteArray()));
        assertEquals(gid, new Gid(gid.high(), gid.low()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.1", "255.255.255.255", "127.0.0.1", "fd09::1", "fe80::1:2:3:4", "::1"})
    void shouldStandForAnAddress(String text) throws UnknownHostException {
        InetAddress address = InetAddress.getByName(text);

        assertEquals(address, Gid.of(address).toAddress());
    }

    @Test
    void shouldMapIpv4() throws UnknownHostException {
        Gid gid = Gid.of(InetAddress.getByName("10.9.0.1"));

        assertEquals("00000000000000000000ffff0a090001", gid.toHex());
        assertTrue(gid.isIpv4());
        assertFalse(gid.isLinkLocal());
        assertFalse(Gid.ofHex("00010000000000000000ffff0a090001").isIpv4());
        assertFalse(Gid.ofHex("00000000000000000001ffff0a090001").isIpv4());
        assertFalse(Gid.ofHex("00000000000000000000fffe0a090001").isIpv4());
    }

    @Test
    void shouldKnowLinkLocal() {
        assertTrue(Gid.ofHex("fe80000000000000505400fffe123456").isLinkLocal());
        assertFalse(Gid.ofHex("fe80000000000001505400fffe123456").isLinkLocal());
        assertFalse(Gid.ofHex("fd090000000000000000000000000001").isLinkLocal());
    }

    @Test
    void shouldKnowNone() {
        assertTrue(Gid.NONE.isNone());
        assertTrue(Gid.of(new byte[16]).isNone());
        assertFalse(new Gid(0, 1).isNone());
        assertFalse(new Gid(1, 0).isNone());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 15, 17})
    void shouldRefuseOtherLengths(int length) {
        assertEquals(
                "bytes.length=" + length + ", a GID has 16",
                assertThrows(IllegalArgumentException.class, () -> Gid.of(new byte[length]))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fe80::1",
                "0000000000000000000000000000000",
                "zz000000000000000000000000000000",
                " 0" + "000000000000000000000000000000"
            })
    void shouldRefuseOtherText(String text) {
        assertThrows(IllegalArgumentException.class, () -> Gid.ofHex(text));
    }
}
