package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RoutingHeaderTest {
    private static final String V6 =
            "6a5b1234" + "00881b07" + "fe800000000000000000000000000001" + "ff0e0000000000000000000000000002";

    /** As Soft-RoCE leaves it; the checksum is right. */
    private static final String V4 = "00".repeat(20) + "4502001c" + "00014000" + "401126ba" + "0a090001" + "0a090002";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void shouldReadAnIpV6Header() {
        assertEquals(
                new RoutingHeader(
                        Gid.ofHex("fe800000000000000000000000000001"),
                        Gid.ofHex("ff0e0000000000000000000000000002"),
                        0xa5,
                        0xb1234,
                        7),
                RoutingHeader.of(bytes(V6)));
    }

    @Test
    void shouldReadAnIpV4Header() {
        assertEquals(
                new RoutingHeader(
                        Gid.ofHex("00000000000000000000ffff0a090001"),
                        Gid.ofHex("00000000000000000000ffff0a090002"),
                        2,
                        0,
                        64),
                RoutingHeader.of(bytes(V4)));
    }

    @Test
    void shouldReadFromThePositionAndLeaveIt() {
        ByteBuffer receive = bytes("ffff" + V6 + "0102");
        receive.position(2);
        assertEquals(7, RoutingHeader.of(receive).hopLimit());
        assertEquals(2, receive.position());
    }

    /** What precedes an IPv4 header is undefined, and what ends an IPv6 header may begin like an IPv4 one. */
    @Test
    void shouldLetTheChecksumDecide() {
        String undefined = "60" + V4.substring(2);
        assertEquals(64, RoutingHeader.of(bytes(undefined)).hopLimit());
        String alike = V6.substring(0, 40) + "45" + V6.substring(42);
        assertEquals(7, RoutingHeader.of(bytes(alike)).hopLimit());
    }

    @Test
    void shouldRefuseWhatIsNone() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> RoutingHeader.of(bytes("00".repeat(40))))
                .getMessage()
                .startsWith("there is no routing header"));
        assertEquals(
                "receive has 39 bytes, a routing header 40",
                assertThrows(IllegalArgumentException.class, () -> RoutingHeader.of(bytes("00".repeat(39))))
                        .getMessage());
    }
}
