package io.github.verbs4j.attr;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * {@code ibv_grh}: where a datagram came from, as the first {@link #BYTES} of its receive tell if the completion says that
 * it has a routing header. It is an IPv6 header or, of RoCE over IPv4, an IPv4 header in the last 20 of these bytes; the
 * message follows.
 *
 * @param source {@code sgid}: the sender's GID
 * @param destination {@code dgid}: the GID that it was sent to, ours or that of a multicast group
 * @param trafficClass {@code traffic_class}: 0 to 255, the DSCP and ECN byte on RoCE
 * @param flowLabel {@code flow_label}: 20 bits, 0 over IPv4
 * @param hopLimit {@code hop_limit}: what was left of it, 0 to 255
 */
public record RoutingHeader(Gid source, Gid destination, int trafficClass, int flowLabel, int hopLimit) {
    /** Refuses null. */
    public RoutingHeader {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
    }

    /** What it takes of a receive, in front of the message, whether there is one or not. */
    public static final int BYTES = 40;

    /** Where the IPv4 header begins. */
    private static final int V4 = 20;

    /** Version 4, five words long: the only one that RoCE sends. */
    private static final int V4_FIRST_BYTE = 0x45;

    /**
     * {@return the header of a receive}
     *
     * @param receive its bytes, from its position on; is left as it was
     * @throws IllegalArgumentException if there are fewer than {@link #BYTES}, or no header in them
     */
    public static RoutingHeader of(ByteBuffer receive) {
        Objects.requireNonNull(receive, "receive");
        if (receive.remaining() < BYTES) {
            throw new IllegalArgumentException(
                    "receive has " + receive.remaining() + " bytes, a routing header " + BYTES);
        }
        ByteBuffer header = receive.slice();
        int first = header.getInt(0);
        boolean couldBeV6 = first >>> 28 == 6;
        // the end of an IPv6 header may look like an IPv4 one: then the checksum decides, as in libibverbs
        if (header.get(V4) == V4_FIRST_BYTE && (!couldBeV6 || v4Sum(header) == 0xffff)) {
            return new RoutingHeader(
                    v4(header, 12), v4(header, 16), unsigned(header, V4 + 1), 0, unsigned(header, V4 + 8));
        }
        if (!couldBeV6) {
            throw new IllegalArgumentException("there is no routing header: has a datagram arrived at this place, and"
                    + " does its completion say that it has one?");
        }
        return new RoutingHeader(
                gid(header, 8), gid(header, 24), first >>> 20 & 0xff, first & 0xf_ffff, unsigned(header, 7));
    }

    private static int v4Sum(ByteBuffer header) {
        int sum = 0;
        for (int at = V4; at < BYTES; at += Short.BYTES) {
            sum += Short.toUnsignedInt(header.getShort(at));
        }
        return (sum & 0xffff) + (sum >>> 16);
    }

    private static int unsigned(ByteBuffer header, int at) {
        return Byte.toUnsignedInt(header.get(at));
    }

    private static Gid gid(ByteBuffer header, int at) {
        return new Gid(header.getLong(at), header.getLong(at + Long.BYTES));
    }

    private static Gid v4(ByteBuffer header, int at) {
        return new Gid(0, 0xffff_0000_0000L | Integer.toUnsignedLong(header.getInt(V4 + at)));
    }
}
