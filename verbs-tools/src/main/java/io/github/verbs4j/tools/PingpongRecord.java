package io.github.verbs4j.tools;

import io.github.verbs4j.attr.Gid;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the ping-pong programs of rdma-core tell each other: 51 characters and a zero byte.
 *
 * @param lid local identifier, 16 bits
 * @param queuePairNumber 24 bits
 * @param packetSequenceNumber 24 bits
 * @param gid the address, {@link Gid#NONE} if none is used
 */
record PingpongRecord(int lid, int queuePairNumber, int packetSequenceNumber, Gid gid) {
    /** Length on the wire. */
    static final int BYTES = 52;

    private static final Pattern FORMAT =
            Pattern.compile("([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{32})\0", Pattern.CASE_INSENSITIVE);

    byte[] encode() {
        String text = String.format("%04x:%06x:%06x:%s\0", lid, queuePairNumber, packetSequenceNumber, gid.toHex());
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads a record.
     *
     * @throws CommandFailure if the bytes are anything else
     */
    static PingpongRecord decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Matcher match = FORMAT.matcher(text);
        if (!match.matches()) {
            throw new CommandFailure("the peer does not speak the protocol of this ping-pong: it sent '"
                    + printable(text) + "' instead of its address");
        }
        return new PingpongRecord(
                Integer.parseInt(match.group(1), 16),
                Integer.parseInt(match.group(2), 16),
                Integer.parseInt(match.group(3), 16),
                Gid.ofHex(match.group(4)));
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    @Override
    public String toString() {
        return String.format(
                "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, queuePairNumber, packetSequenceNumber, gid);
    }
}
