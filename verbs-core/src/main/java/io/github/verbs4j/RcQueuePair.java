package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.Outcome;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.QueuePairHandle;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A queue pair of type {@code IBV_QPT_RC}: a reliable connection to one peer.
 *
 * <p>{@link #initialize} leads it to INIT and tells what the peer must know, {@link #connect} to RTR and RTS with what the
 * peer told; receives may be posted in between, and should be, so that none is late. {@link #modify} takes single steps.
 *
 * <p>Thread-safe.
 */
public final class RcQueuePair implements QueuePair {
    /** What the peer may do unless said otherwise; each memory region decides for itself. */
    private static final Set<AccessFlag> REMOTE_READ_WRITE =
            EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    private static final Set<AccessFlag> REMOTE =
            EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    /** How many of the peer's reads and atomics we serve at a time: told to the peer, who keeps to it. */
    private static final int READS_SERVED = 16;

    private final ProtectionDomain domain;
    private final QueuePairOptions options;
    private final QueuePairHandle handle;
    private final QueuePairCapacity capacity;
    private final Lifetime lifetime;
    private GidEntry gid;
    private QueuePairAddress address;

    RcQueuePair(
            ProtectionDomain domain,
            QueuePairOptions options,
            QueuePairHandle handle,
            QueuePairCapacity capacity,
            Lifetime lifetime) {
        this.domain = domain;
        this.options = options;
        this.handle = handle;
        this.capacity = capacity;
        this.lifetime = lifetime;
    }

    static RcQueuePair create(ProtectionDomain domain, QueuePairOptions options) {
        return QueuePairCreation.rc(domain, options);
    }

    /**
     * Leads it to INIT: receives may be posted; the peer may read and write what its keys open.
     *
     * @param gid our address, of {@link DeviceContext#gids}; decides the port
     * @return what the peer must know to connect
     * @throws IllegalStateException if it is not in RESET, or the port is not active
     * @throws VerbsException if the device refuses
     */
    public QueuePairAddress initialize(GidEntry gid) {
        return initialize(gid, REMOTE_READ_WRITE);
    }

    /**
     * Leads it to INIT: receives may be posted.
     *
     * @param gid our address, of {@link DeviceContext#gids}; decides the port
     * @param remoteAccess what the peer may do: any of REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC
     * @return what the peer must know to connect
     * @throws IllegalStateException if it is not in RESET, or the port is not active
     * @throws IllegalArgumentException if another flag is given
     * @throws VerbsException if the device refuses
     */
    public QueuePairAddress initialize(GidEntry gid, Set<AccessFlag> remoteAccess) {
        for (AccessFlag flag : Objects.requireNonNull(remoteAccess, "remoteAccess")) {
            if (!REMOTE.contains(flag)) {
                throw new IllegalArgumentException(
                        "remoteAccess=" + remoteAccess + ": " + flag + " is none of " + REMOTE);
            }
        }
        return lifetime.whileOpen("initialize", () -> {
            PortAttributes found = domain.context().port(gid.port());
            if (found.state() != PortState.ACTIVE && found.state() != PortState.ACTIVE_DEFER) {
                throw new IllegalStateException("port " + gid.port() + " of " + device() + " is " + found.state()
                        + ", not ACTIVE: bring its link up (ip link set ... up on RoCE)");
            }
            Transition step = Transition.to(QueuePairState.INIT)
                    .partitionKeyIndex(0)
                    .port(gid.port())
                    .access(remoteAccess);
            synchronized (this) {
                if (handle.state() != QueuePairState.RESET) {
                    throw new IllegalStateException(this + " is in " + handle.state()
                            + "; initialize needs it in RESET, where reset() leads it");
                }
                handle.modify(step);
                this.gid = gid;
                this.address = new QueuePairAddress(
                        found.linkLayer(),
                        found.lid(),
                        gid.gid(),
                        number(),
                        ThreadLocalRandom.current().nextInt(1 << 24),
                        found.activeMtu(),
                        readsServed());
                return address;
            }
        });
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
        lifetime.whileOpen("connect", () -> {
            synchronized (this) {
                if (address == null || handle.state() != QueuePairState.INIT) {
                    throw new IllegalStateException(this + " is in " + handle.state()
                            + "; connect needs initialize(gid) before, which leads it to INIT");
                }
                requireSameLinkLayer(peer);
                Mtu mtu = path.mtu() == null ? address.mtu().min(peer.mtu()) : path.mtu();
                handle.modify(readyToReceive(peer, path, mtu));
                handle.modify(readyToSend(peer, path));
                return null;
            }
        });
    }

    private void requireSameLinkLayer(QueuePairAddress peer) {
        if (peer.linkLayer() != address.linkLayer()) {
            throw new IllegalArgumentException("peer is on " + peer.linkLayer() + ", port " + gid.port() + " of "
                    + device() + " on " + address.linkLayer() + ": they cannot reach each other");
        }
    }

    private Transition readyToReceive(QueuePairAddress peer, RcPath path, Mtu mtu) {
        boolean global =
                address.linkLayer() == LinkLayer.ETHERNET || !peer.gid().isNone();
        AddressVector way = new AddressVector(
                global ? peer.gid() : io.github.verbs4j.attr.Gid.NONE,
                peer.lid(),
                gid.port(),
                gid.index(),
                path.serviceLevel(),
                path.hopLimit(),
                path.trafficClass(),
                path.flowLabel());
        return Transition.to(QueuePairState.RTR)
                .path(way)
                .pathMtu(mtu)
                .destination(peer.queuePairNumber())
                .receivePacketSequenceNumber(peer.packetSequenceNumber())
                .readsAsResponder(readsServed())
                .minRnrTimer(path.minRnrTimer());
    }

    private int readsServed() {
        return Math.min(READS_SERVED, domain.context().attributes().maxReadsAsResponder());
    }

    private Transition readyToSend(QueuePairAddress peer, RcPath path) {
        int limit = domain.context().attributes().maxReadsAsInitiator();
        return Transition.to(QueuePairState.RTS)
                .ackTimeout(path.ackTimeout())
                .retryCount(path.retryCount())
                .rnrRetry(path.rnrRetry())
                .sendPacketSequenceNumber(address.packetSequenceNumber())
                .readsAsInitiator(Math.min(Math.min(path.maxReads(), peer.maxReads()), Math.min(limit, 255)));
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public int number() {
        return handle.account().number();
    }

    @Override
    public QueuePairCapacity capacity() {
        return capacity;
    }

    @Override
    public QueuePairState state() {
        return handle.state();
    }

    @Override
    public Optional<WorkFailedException> firstFailure() {
        return Optional.ofNullable(handle.account().firstFailure());
    }

    @Override
    public QueuePairAttributes query() {
        return lifetime.whileOpen("query", handle::query);
    }

    @Override
    public void modify(Transition step) {
        lifetime.whileOpen("modify", () -> {
            synchronized (this) {
                handle.modify(step);
                if (step.state() == QueuePairState.RESET) {
                    address = null;
                }
            }
            return null;
        });
    }

    @Override
    public MemorySegment handle() {
        return handle.pointer();
    }

    @Override
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    @Override
    public void close() {
        lifetime.close(() -> {
            Outcome.returned(
                    verbs_h.ibv_destroy_qp(handle.pointer()),
                    errno ->
                            VerbsException.of("ibv_destroy_qp").device(device()).argument("queue pair", this));
            domain.context().events().sources().remove(handle.pointer(), this);
            QueuePairCreation.release(options, handle.account(), capacity);
        });
    }

    private String device() {
        return domain.context().device().name();
    }

    QueuePairAccount account() {
        return handle.account();
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
