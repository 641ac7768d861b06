package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.Gid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingpongRecordTest {
    private static final String TEXT = "00ab:00000c:f49627:00000000000000000000ffff0a090001\0";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void writesWhatTheCProgramWrites() {
        PingpongRecord mine = new PingpongRecord(0xab, 12, 0xf49627, Gid.ofHex("00000000000000000000ffff0a090001"));
        assertArrayEquals(bytes(TEXT), mine.encode());
        assertEquals(PingpongRecord.BYTES, mine.encode().length);
    }

    @Test
    void readsWhatItWrites() {
        PingpongRecord read = PingpongRecord.decode(bytes(TEXT));
        assertEquals(0xab, read.lid());
        assertEquals(12, read.queuePairNumber());
        assertEquals(0xf49627, read.packetSequenceNumber());
        assertEquals("::ffff:10.9.0.1", read.gid().toString());
        assertArrayEquals(bytes(TEXT), read.encode());
    }

    @Test
    void noGidIsZeros() {
        PingpongRecord mine = new PingpongRecord(7, 1, 2, Gid.NONE);
        assertEquals(
                "0007:000001:000002:" + "0".repeat(32) + "\0", new String(mine.encode(), StandardCharsets.US_ASCII));
        assertTrue(PingpongRecord.decode(mine.encode()).gid().isNone());
    }

    @Test
    void saysItInTheWordsOfC() {
        assertEquals(
                "LID 0x00ab, QPN 0x00000c, PSN 0xf49627, GID ::ffff:10.9.0.1",
                PingpongRecord.decode(bytes(TEXT)).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1\r\nHost: server\r\n",
                "00ab:00000c:f49627:00000000000000000000ffff0a090001",
                "00ab:00000c:f49627:00000000000000000000ffff0a090001\n",
                "00ab:00000c:f49627:00000000000000000000ffff0a09000\0\0",
                "00ab 00000c:f49627:00000000000000000000ffff0a090001\0",
                "00ab:00000c:f49627:0000000000000000000-ffff0a090001\0",
                "0xab:00000c:f49627:00000000000000000000ffff0a090001\0",
            })
    void anythingElseIsRefusedInOneLine(String text) {
        CommandFailure failure = assertThrows(CommandFailure.class, () -> PingpongRecord.decode(bytes(text)));
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
        assertTrue(failure.getMessage().contains("does not speak the protocol of this ping-pong"));
    }
}
