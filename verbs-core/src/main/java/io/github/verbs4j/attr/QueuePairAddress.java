package io.github.verbs4j.attr;

import io.github.verbs4j.text.Quoted;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * What a peer must know to connect to a queue pair; exchanged out of band, over a TCP socket for example, as
 * {@link #toText()}.
 *
 * @param linkLayer what the port runs on; both ends must agree
 * @param lid local identifier of the port on InfiniBand, 0 on Ethernet
 * @param gid GID of the port, {@link Gid#NONE} if none is used
 * @param queuePairNumber 24 bits
 * @param packetSequenceNumber first packet number of our sends, 24 bits
 * @param mtu the port's active MTU
 * @param maxReads RDMA reads and atomics of the peer that the queue pair serves at a time
 */
public record QueuePairAddress(
        LinkLayer linkLayer, int lid, Gid gid, int queuePairNumber, int packetSequenceNumber, Mtu mtu, int maxReads) {
    private static final String MARK = "verbs4j-rc-1";

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public QueuePairAddress {
        Objects.requireNonNull(linkLayer, "linkLayer");
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(mtu, "mtu");
        range("lid", lid, 0xffff);
        range("queuePairNumber", queuePairNumber, 0xff_ffff);
        range("packetSequenceNumber", packetSequenceNumber, 0xff_ffff);
        range("maxReads", maxReads, 0xffff);
        if (linkLayer == LinkLayer.ETHERNET && gid.isNone()) {
            throw new IllegalArgumentException(
                    "gid is missing: on Ethernet (RoCE) a queue pair is addressed by its GID");
        }
        if (linkLayer == LinkLayer.INFINIBAND && lid == 0 && gid.isNone()) {
            throw new IllegalArgumentException("lid=0 and no gid: on InfiniBand one of them is needed");
        }
    }

    /** {@return one line of text without white space, for {@link #parse}} */
    public String toText() {
        return String.format(
                Locale.ROOT,
                "%s:%s:%04x:%s:%06x:%06x:%d:%d",
                MARK,
                linkLayer,
                lid,
                gid.toHex(),
                queuePairNumber,
                packetSequenceNumber,
                mtu.bytes(),
                maxReads);
    }

    /**
     * {@return the address of a line of text}
     *
     * @param text what {@link #toText()} gave at the other end
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static QueuePairAddress parse(String text) {
        Objects.requireNonNull(text, "text");
        String[] parts = text.strip().split(":", -1);
        if (parts.length != 8 || !parts[0].equals(MARK)) {
            throw new IllegalArgumentException(Quoted.of(text) + " is not the address of a queue pair: expected " + MARK
                    + ": and seven more parts");
        }
        try {
            return new QueuePairAddress(
                    linkLayer(parts[1]),
                    Integer.parseInt(parts[2], 16),
                    Gid.ofHex(parts[3]),
                    Integer.parseInt(parts[4], 16),
                    Integer.parseInt(parts[5], 16),
                    Mtu.ofBytes(Integer.parseInt(parts[6])),
                    Integer.parseInt(parts[7]));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    Quoted.of(text) + " is not the address of a queue pair: " + Quoted.bare(e.getMessage()), e);
        }
    }

    private static LinkLayer linkLayer(String name) {
        return Arrays.stream(LinkLayer.values())
                .filter(layer -> layer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "link layer " + Quoted.of(name) + " is none of " + Arrays.toString(LinkLayer.values())));
    }

    private static void range(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " is not in 0.." + max);
        }
    }
}
