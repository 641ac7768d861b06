package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePairAddressTest {
    private static final Gid IPV4 = Gid.ofHex("00000000000000000000ffff0a090001");
    private static final QueuePairAddress SOME =
            new QueuePairAddress(LinkLayer.ETHERNET, 0, IPV4, 0x11, 0xabcdef, Mtu.MTU_1024, 128);
    private static final String TEXT =
            "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:128";

    @Test
    void shouldBeOneLineOfText() {
        assertEquals(TEXT, SOME.toText());
        assertEquals(SOME, QueuePairAddress.parse(TEXT));
        assertEquals(SOME, QueuePairAddress.parse("  " + TEXT + "\r\n"));
    }

    @Test
    void shouldComeBackFromTextInAnyLocale() {
        Random random = new Random(2);
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-u-nu-arab"));
            for (int round = 0; round < 1000; round++) {
                QueuePairAddress address = new QueuePairAddress(
                        LinkLayer.values()[random.nextInt(3)],
                        1 + random.nextInt(0xffff),
                        new Gid(random.nextLong(), random.nextLong()),
                        random.nextInt(1 << 24),
                        random.nextInt(1 << 24),
                        Mtu.values()[random.nextInt(5)],
                        random.nextInt(1 << 16));
                assertEquals(address, QueuePairAddress.parse(address.toText()));
                assertFalse(address.toText().matches(".*\\s.*"));
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "verbs4j-rc-1",
                "verbs4j-rc-2:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:128:1",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:",
                "verbs4j-rc-1:TOKENRING:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:10000:00000000000000000000ffff0a090001:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:-1:00000000000000000000ffff0a090001:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:x:00000000000000000000ffff0a090001:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:ffff0a090001:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000000000000000:000011:abcdef:1024:128",
                "verbs4j-rc-1:INFINIBAND:0000:00000000000000000000000000000000:000011:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:1000000:abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:1abcdef:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:ffffffff:1024:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1500:128",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:65536",
                "verbs4j-rc-1:ETHERNET:0000:00000000000000000000ffff0a090001:000011:abcdef:1024:-1"
            })
    void shouldRefuseOtherText(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> QueuePairAddress.parse(text))
                .getMessage();

        assertTrue(message.startsWith("'" + text + "' is not the address of a queue pair: "), message);
    }

    @ParameterizedTest
    @CsvSource({
        "0x10000, 1, 1, 1, lid=65536 is not in 0..65535",
        "-1, 1, 1, 1, lid=-1 is not in 0..65535",
        "1, 0x1000000, 1, 1, queuePairNumber=16777216 is not in 0..16777215",
        "1, -1, 1, 1, queuePairNumber=-1 is not in 0..16777215",
        "1, 1, 0x1000000, 1, packetSequenceNumber=16777216 is not in 0..16777215",
        "1, 1, -1, 1, packetSequenceNumber=-1 is not in 0..16777215",
        "1, 1, 1, 65536, maxReads=65536 is not in 0..65535",
        "1, 1, 1, -1, maxReads=-1 is not in 0..65535"
    })
    void shouldRefuseNumbersOutOfRange(String lid, String number, String psn, int maxReads, String message) {
        assertEquals(
                message,
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new QueuePairAddress(
                                        LinkLayer.ETHERNET,
                                        Integer.decode(lid),
                                        IPV4,
                                        Integer.decode(number),
                                        Integer.decode(psn),
                                        Mtu.MTU_256,
                                        maxReads))
                        .getMessage());
    }

    @Test
    void shouldNeedAWayToAddressThePort() {
        assertEquals(
                "gid is missing: on Ethernet (RoCE) a queue pair is addressed by its GID",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new QueuePairAddress(LinkLayer.ETHERNET, 1, Gid.NONE, 1, 1, Mtu.MTU_256, 1))
                        .getMessage());
        assertEquals(
                "lid=0 and no gid: on InfiniBand one of them is needed",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new QueuePairAddress(LinkLayer.INFINIBAND, 0, Gid.NONE, 1, 1, Mtu.MTU_256, 1))
                        .getMessage());
        new QueuePairAddress(LinkLayer.INFINIBAND, 1, Gid.NONE, 1, 1, Mtu.MTU_256, 1);
        new QueuePairAddress(LinkLayer.INFINIBAND, 0, IPV4, 1, 1, Mtu.MTU_256, 1);
    }

    @Test
    void shouldNeedEveryPart() {
        assertThrows(NullPointerException.class, () -> new QueuePairAddress(null, 1, IPV4, 1, 1, Mtu.MTU_256, 1));
        assertThrows(
                NullPointerException.class,
                () -> new QueuePairAddress(LinkLayer.ETHERNET, 1, null, 1, 1, Mtu.MTU_256, 1));
        assertThrows(
                NullPointerException.class, () -> new QueuePairAddress(LinkLayer.ETHERNET, 1, IPV4, 1, 1, null, 1));
    }

    @Test
    void shouldShowNoMoreOfAnUnfitTextThanCanBeRead() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> QueuePairAddress.parse("\u001b[2J\0" + ":".repeat(1_000_000)))
                .getMessage();

        assertTrue(message.startsWith("'\\u001b[2J\\u0000:::"), message);
        assertTrue(message.contains("(1000005 characters) is not the address of a queue pair"), message);
        assertTrue(message.length() < 500, message);
    }

    @Test
    void shouldShowNoMoreOfAnUnfitPartThanCanBeRead() {
        for (int part = 1; part < 8; part++) {
            String[] parts = new QueuePairAddress(LinkLayer.ETHERNET, 1, IPV4, 1, 1, Mtu.MTU_256, 1)
                    .toText()
                    .split(":");
            parts[part] = "9".repeat(100_000);
            String message = assertThrows(
                            IllegalArgumentException.class, () -> QueuePairAddress.parse(String.join(":", parts)))
                    .getMessage();
            assertTrue(message.length() < 1000, message);
        }
    }
}
