package io.github.verbs4j;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.AlternatePath;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairAttribute;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Builders;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.QueuePairHandle;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * {@code ibv_qp}: a queue pair. Its kind is its type; its state is not.
 *
 * <p>Thread-safe; posting is done through {@link SendQueue} or {@link DatagramSendQueue}, and {@link ReceiveQueue}, by one
 * thread at a time each.
 */
public abstract sealed class QueuePair extends Resource permits ConnectedQueuePair, UdQueuePair {
    private final ProtectionDomain domain;
    private final QueuePairCreation.Made made;
    private final QueuePairHandle handle;
    private GidEntry gid;
    private QueuePairAddress address;

    QueuePair(ProtectionDomain domain, QueuePairCreation.Made made) {
        this.domain = domain;
        this.made = made;
        this.handle = made.handle();
        super(made.lifetime());
    }

    /** {@return the protection domain that it belongs to} */
    public final ProtectionDomain domain() {
        return domain;
    }

    /** {@return its number on the device ({@code qp_num}), 24 bits} */
    public final int number() {
        return handle.account().number();
    }

    /** {@return how much it holds, as granted by the device: at least what was asked for} */
    public final QueuePairCapacity capacity() {
        return made.granted();
    }

    /** {@return the shared receive queue that it takes its receives from; empty if it has its own} */
    public final Optional<SharedReceiveQueue> sharedReceives() {
        return made.options().sharedReceives();
    }

    /**
     * {@return the state that it is known to be in: where it was led, or ERR once a failed completion was polled} The
     * device may have left that state by itself, as for SQE; {@link #query} asks it.
     */
    public final QueuePairState state() {
        return handle.state();
    }

    /** {@return the first failed completion since the last reset that was not merely an echo of another one} */
    public final Optional<WorkFailedException> firstFailure() {
        return Optional.ofNullable(handle.account().firstFailure());
    }

    /**
     * Asks the device ({@code ibv_query_qp}).
     *
     * @return its state and attributes
     * @throws VerbsException if the device does not answer
     */
    public final QueuePairAttributes query() {
        return lifetime().whileOpen("query", handle::query);
    }

    /**
     * Takes one step of the state machine ({@code ibv_modify_qp}).
     *
     * @param step where to, and what to set
     * @throws IllegalStateException if there is no such step from the present state; says which there are
     * @throws IllegalArgumentException if an attribute is missing or one too many; says which; or if there is no such port
     * @throws UnsupportedCapabilityException if an alternate path is given on Ethernet
     * @throws VerbsException if the device refuses, with all attributes
     */
    public final void modify(Transition step) {
        Objects.requireNonNull(step, "step");
        lifetime().whileOpen("modify", () -> {
            requirePorts(step);
            requireAlternatePaths(step);
            synchronized (this) {
                handle.modify(step);
                if (step.state() == QueuePairState.RESET) {
                    address = null;
                }
            }
            return null;
        });
    }

    private void requirePorts(Transition step) {
        if (step.attributes().get(QueuePairAttribute.PORT) instanceof Integer port) {
            domain.context().requirePort(port);
        }
        if (step.attributes().get(QueuePairAttribute.PATH) instanceof AddressVector way) {
            domain.context().requirePort(way.port());
        }
    }

    /** On Ethernet the kernel has none, and says only EINVAL. */
    private void requireAlternatePaths(Transition step) {
        if (step.attributes().get(QueuePairAttribute.ALTERNATE_PATH) instanceof AlternatePath other) {
            int port = other.path().port();
            if (domain.context().port(port).linkLayer() == LinkLayer.ETHERNET) {
                throw domain.context().unsupported("ibv_modify_qp", "alternate paths", "port " + port + " is Ethernet");
            }
        }
    }

    /**
     * Leads it to ERR: everything outstanding ends with WR_FLUSH_ERR.
     *
     * @throws VerbsException if the device refuses
     */
    public final void toError() {
        modify(Transition.to(QueuePairState.ERR));
    }

    /**
     * As {@link #toError()}, and whoever posts afterwards is told why that is refused.
     *
     * @param reason why, as a part of a sentence: "the peer asked for it"; the first one counts
     * @throws VerbsException if the device refuses
     */
    public final void toError(String reason) {
        handle.account().explain(Objects.requireNonNull(reason, "reason"));
        toError();
    }

    /**
     * Leads it back to RESET: everything outstanding is gone without a completion; what is staged and not posted stays
     * staged. Poll its completion queue until it is empty before it is used again.
     *
     * @throws VerbsException if the device refuses
     */
    public final void reset() {
        modify(Transition.to(QueuePairState.RESET));
    }

    /**
     * {@return {@code struct ibv_qp *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public final MemorySegment handle() {
        return lifetime().open("handle", handle.pointer());
    }

    /**
     * Destroys it ({@code ibv_destroy_qp}). Closing twice is harmless. Completions that it left behind are still
     * delivered.
     *
     * @throws IllegalStateException if a send or receive queue, a connection or a multicast membership of it is still open, or one
     *     is being made
     * @throws VerbsException if the device refuses
     */
    @Override
    public final void close() {
        lifetime().close(() -> {
            Call.on(
                            this,
                            () -> VerbsException.of("ibv_destroy_qp")
                                    .device(device())
                                    .argument("queue pair", this))
                    .returned(() -> verbs_h.ibv_destroy_qp(handle.pointer()));
            domain.context().events().sources().remove(handle.pointer(), this);
            made.release();
        });
    }

    /** From RESET to INIT, on the port of the GID; {@code step} sets what else this kind needs. */
    final QueuePairAddress initialize(GidEntry gid, Transition step, int readsServed) {
        Objects.requireNonNull(gid, "gid");
        return lifetime().whileOpen("initialize", () -> {
            PortAttributes found = activePort(gid.port());
            synchronized (this) {
                if (handle.state() != QueuePairState.RESET) {
                    throw new IllegalStateException(this + " is in " + handle.state()
                            + "; initialize needs it in RESET, where reset() leads it");
                }
                handle.modify(step.port(gid.port()));
                this.gid = gid;
                this.address = new QueuePairAddress(
                        found.linkLayer(),
                        found.lid(),
                        gid.gid(),
                        number(),
                        ThreadLocalRandom.current().nextInt(1 << 24),
                        found.activeMtu(),
                        readsServed);
                return address;
            }
        });
    }

    private PortAttributes activePort(int port) {
        PortAttributes found = domain.context().port(port);
        if (found.state() != PortState.ACTIVE && found.state() != PortState.ACTIVE_DEFER) {
            throw new IllegalStateException("port " + port + " of " + device() + " is " + found.state()
                    + ", not ACTIVE: bring its link up (ip link set ... up on RoCE)");
        }
        return found;
    }

    /** From INIT to RTR and RTS, each with what follows from the address that {@code initialize} told. */
    final void makeReady(
            String operation,
            Function<QueuePairAddress, Transition> toReceive,
            Function<QueuePairAddress, Transition> toSend) {
        lifetime().whileOpen(operation, () -> {
            synchronized (this) {
                if (address == null || handle.state() != QueuePairState.INIT) {
                    throw new IllegalStateException(this + " is in " + handle.state() + "; " + operation
                            + " needs initialize(gid) before, which leads it to INIT");
                }
                handle.modify(toReceive.apply(address));
                handle.modify(toSend.apply(address));
            }
            return null;
        });
    }

    /** The way from the port and GID that it was initialized with to a peer. */
    final AddressVector way(QueuePairAddress mine, QueuePairAddress peer, int level, int hops, int traffic, int flow) {
        if (peer.linkLayer() != mine.linkLayer()) {
            throw new IllegalArgumentException("peer is on " + peer.linkLayer() + ", port " + gid.port() + " of "
                    + device() + " on " + mine.linkLayer() + ": they cannot reach each other");
        }
        boolean global = mine.linkLayer() == LinkLayer.ETHERNET || !peer.gid().isNone();
        return new AddressVector(
                global ? peer.gid() : Gid.NONE, peer.lid(), gid.port(), gid.index(), level, hops, traffic, flow);
    }

    /** What it was initialized with and told its peers. */
    record Place(GidEntry gid, QueuePairAddress address) {}

    /** Where it is since it was initialized, for an operation that needs to know. */
    final Place place(String operation) {
        return lifetime().whileOpen(operation, () -> {
            synchronized (this) {
                if (address == null) {
                    throw new IllegalStateException(this + " is in " + handle.state() + "; " + operation
                            + " needs initialize(gid, queueKey) before, which decides the port");
                }
                return new Place(gid, address);
            }
        });
    }

    final String device() {
        return domain.context().device().name();
    }

    /** What it was created to build; empty if its requests are posted the classic way. */
    final Set<SendOperation> operations() {
        return made.options().operations();
    }

    /** What builds its requests; null if they are posted the classic way. C looks into it, so it stays open meanwhile. */
    final Builders builders(String operation) {
        return operations().isEmpty()
                ? null
                : lifetime()
                        .whileOpen(
                                operation,
                                () -> new Builders(
                                        verbs_h.ibv_qp_to_qp_ex(handle()),
                                        operations(),
                                        this instanceof UdQueuePair,
                                        domain.context().provider()));
    }

    final QueuePairAccount account() {
        return handle.account();
    }
}
