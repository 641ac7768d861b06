package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.UcPath;
import io.github.verbs4j.error.VerbsException;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A queue pair of type {@code IBV_QPT_UC}: an unreliable connection to one peer. Nothing is acknowledged or repeated: a send
 * completes when it has left, and a message of which a packet is lost, or for which no receive is posted, never arrives. It
 * sends and writes; it neither reads nor does atomics.
 *
 * <p>Thread-safe.
 */
public final class UcQueuePair extends ConnectedQueuePair {
    private static final Set<AccessFlag> REMOTE = EnumSet.of(AccessFlag.REMOTE_WRITE);

    UcQueuePair(ProtectionDomain domain, QueuePairCreation.Made made) {
        super(domain, made);
    }

    /**
     * Leads it to RTR and RTS: connected.
     *
     * @param peer what the peer's {@code initialize} told
     * @param path how packets get there
     * @throws IllegalStateException if it was not initialized
     * @throws IllegalArgumentException if the peer is on another link layer
     * @throws VerbsException if the device refuses; {@link #reset} it then
     */
    public void connect(QueuePairAddress peer, UcPath path) {
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(path, "path");
        makeReady("connect", mine -> readyToReceive(mine, peer, path), UcQueuePair::readyToSend);
    }

    private Transition readyToReceive(QueuePairAddress mine, QueuePairAddress peer, UcPath path) {
        Mtu mtu = path.mtu() == null ? mine.mtu().min(peer.mtu()) : path.mtu();
        return Transition.to(QueuePairState.RTR)
                .path(way(mine, peer, path.serviceLevel(), path.hopLimit(), path.trafficClass(), path.flowLabel()))
                .pathMtu(mtu)
                .destination(peer.queuePairNumber())
                .receivePacketSequenceNumber(peer.packetSequenceNumber());
    }

    private static Transition readyToSend(QueuePairAddress mine) {
        return Transition.to(QueuePairState.RTS).sendPacketSequenceNumber(mine.packetSequenceNumber());
    }

    @Override
    Set<AccessFlag> usualAccess() {
        return REMOTE;
    }

    @Override
    Set<AccessFlag> possibleAccess() {
        return REMOTE;
    }

    @Override
    int readsServed() {
        return 0;
    }

    @Override
    boolean canRead() {
        return false;
    }
}
