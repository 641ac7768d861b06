package io.github.verbs4j;

import java.util.Objects;

/**
 * Whom a datagram is for: {@code ibv_send_wr.wr.ud}.
 *
 * @param way the way to its port
 * @param queuePairNumber its queue pair ({@code remote_qpn}), 24 bits; {@link #MULTICAST} for all of a group
 * @param queueKey what its queue pair was initialized with ({@code remote_qkey}), 32 bits
 */
public record DatagramPeer(AddressHandle way, int queuePairNumber, int queueKey) {
    /** The number that stands for all queue pairs of a multicast group. */
    public static final int MULTICAST = 0xff_ffff;

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it has more than 24 bits
     */
    public DatagramPeer {
        Objects.requireNonNull(way, "way");
        if (queuePairNumber < 0 || queuePairNumber > MULTICAST) {
            throw new IllegalArgumentException("queuePairNumber=" + queuePairNumber + " is not in 0.." + MULTICAST);
        }
    }
}
