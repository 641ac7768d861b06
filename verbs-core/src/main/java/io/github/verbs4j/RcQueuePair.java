package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A queue pair of type {@code IBV_QPT_RC}: a reliable connection to one peer. Whatever is posted arrives once and in order,
 * or ends with a failed completion; it can read from the peer as well.
 *
 * <p>Thread-safe.
 */
public final class RcQueuePair extends ConnectedQueuePair {
    private static final Set<AccessFlag> REMOTE_READ_WRITE =
            EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    private static final int READS_SERVED = 16;

    RcQueuePair(ProtectionDomain domain, QueuePairCreation.Made made) {
        super(domain, made);
    }

    /**
     * Leads it to RTR and RTS: connected.
     *
     * @param peer what the peer's {@code initialize} told
     * @param path how the connection behaves
     * @throws IllegalStateException if it was not initialized
     * @throws IllegalArgumentException if the peer is on another link layer
     * @throws VerbsException if the device refuses; {@link #reset} it then
     */
    public void connect(QueuePairAddress peer, RcPath path) {
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(path, "path");
        makeReady("connect", mine -> readyToReceive(mine, peer, path), mine -> readyToSend(mine, peer, path));
    }

    private Transition readyToReceive(QueuePairAddress mine, QueuePairAddress peer, RcPath path) {
        Mtu mtu = path.mtu() == null ? mine.mtu().min(peer.mtu()) : path.mtu();
        return Transition.to(QueuePairState.RTR)
                .path(way(mine, peer, path.serviceLevel(), path.hopLimit(), path.trafficClass(), path.flowLabel()))
                .pathMtu(mtu)
                .destination(peer.queuePairNumber())
                .receivePacketSequenceNumber(peer.packetSequenceNumber())
                .readsAsResponder(readsServed())
                .minRnrTimer(path.minRnrTimer());
    }

    private Transition readyToSend(QueuePairAddress mine, QueuePairAddress peer, RcPath path) {
        int limit = domain().context().attributes().maxReadsAsInitiator();
        return Transition.to(QueuePairState.RTS)
                .ackTimeout(path.ackTimeout())
                .retryCount(path.retryCount())
                .rnrRetry(path.rnrRetry())
                .sendPacketSequenceNumber(mine.packetSequenceNumber())
                .readsAsInitiator(Math.min(Math.min(path.maxReads(), peer.maxReads()), Math.min(limit, 255)));
    }

    @Override
    Set<AccessFlag> usualAccess() {
        return REMOTE_READ_WRITE;
    }

    @Override
    Set<AccessFlag> possibleAccess() {
        return AccessFlag.ofPeers();
    }

    @Override
    int readsServed() {
        return Math.min(READS_SERVED, domain().context().attributes().maxReadsAsResponder());
    }

    @Override
    boolean canRead() {
        return true;
    }
}
