package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Enhancements;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.ibv_ece;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * A queue pair that talks to one peer: {@link #initialize} leads it to INIT and tells what the peer must know,
 * {@code connect} to RTR and RTS with what the peer told; receives may be posted in between, and should be, so that none is
 * late. {@link #modify} takes single steps. Its work is posted through a {@link SendQueue}.
 *
 * <p>Thread-safe.
 */
public abstract sealed class ConnectedQueuePair extends QueuePair permits RcQueuePair, UcQueuePair {
    ConnectedQueuePair(ProtectionDomain domain, QueuePairCreation.Made made) {
        super(domain, made);
    }

    /**
     * Leads it to INIT: receives may be posted; the peer may read (a reliable connection only) and write what its keys
     * open.
     *
     * @param gid our address, of {@link DeviceContext#gids}; decides the port
     * @return what the peer must know to connect
     * @throws IllegalStateException if it is not in RESET, or the port is not active
     * @throws VerbsException if the device refuses
     */
    public final QueuePairAddress initialize(GidEntry gid) {
        return initialize(gid, usualAccess());
    }

    /**
     * Leads it to INIT: receives may be posted.
     *
     * @param gid our address, of {@link DeviceContext#gids}; decides the port
     * @param remoteAccess what the peer may do: any of REMOTE_WRITE and, over a reliable connection, REMOTE_READ,
     *     REMOTE_ATOMIC, FLUSH_GLOBAL and FLUSH_PERSISTENT
     * @return what the peer must know to connect
     * @throws IllegalStateException if it is not in RESET, or the port is not active
     * @throws IllegalArgumentException if another flag is given
     * @throws VerbsException if the device refuses
     */
    public final QueuePairAddress initialize(GidEntry gid, Set<AccessFlag> remoteAccess) {
        Set<AccessFlag> possible = possibleAccess();
        for (AccessFlag flag : Objects.requireNonNull(remoteAccess, "remoteAccess")) {
            if (!possible.contains(Objects.requireNonNull(flag, "remoteAccess contains null"))) {
                throw new IllegalArgumentException(
                        "remoteAccess=" + remoteAccess + ": " + flag + " is none of " + possible);
            }
        }
        return initialize(
                gid, Transition.to(QueuePairState.INIT).partitionKeyIndex(0).access(remoteAccess), readsServed());
    }

    /**
     * {@return what its device can do beyond the standard ({@code ibv_query_ece}), to be told to the peer} Connections of
     * {@code io.github.verbs4j.cm} do so by themselves.
     *
     * @throws UnsupportedCapabilityException if the device has no such thing
     * @throws VerbsException if the device does not answer
     */
    public final Enhancements enhancements() {
        return lifetime().whileOpen("enhancements", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment struct = ibv_ece.allocate(arena);
                enhancing("ibv_query_ece", null).returned(() -> verbs_h.ibv_query_ece(handle(), struct));
                return new Enhancements(ibv_ece.vendor_id(struct), ibv_ece.options(struct));
            }
        });
    }

    /**
     * Makes use of what the peer told ({@code ibv_set_ece}); before it is led to RTR. What was taken over of it,
     * {@link #enhancements} tells afterwards.
     *
     * @param peers what the peer can do
     * @throws UnsupportedCapabilityException if our device has no such thing
     * @throws VerbsException if the device refuses
     */
    public final void enhance(Enhancements peers) {
        Objects.requireNonNull(peers, "peers");
        lifetime().whileOpen("enhance", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment struct = ibv_ece.allocate(arena);
                ibv_ece.vendor_id(struct, peers.vendorId());
                ibv_ece.options(struct, peers.options());
                enhancing("ibv_set_ece", peers).returned(() -> verbs_h.ibv_set_ece(handle(), struct));
            }
            return null;
        });
    }

    private Call enhancing(String operation, Enhancements asked) {
        return Call.on(this, () -> {
                    VerbsException.Builder call =
                            VerbsException.of(operation).device(device()).argument("queue pair", this);
                    return asked == null ? call : call.argument("enhancements", asked);
                })
                .explained((failure, errno) -> {
                    if (new Errno(errno).isUnsupported()) {
                        throw domain().context().unsupported(operation, "enhanced connection establishment (ECE)", "");
                    }
                });
    }

    /** What the peer may do unless said otherwise; each memory region decides for itself. */
    abstract Set<AccessFlag> usualAccess();

    /** What a peer of this kind can be allowed to do. */
    abstract Set<AccessFlag> possibleAccess();

    /** How many of the peer's reads and atomics are served at a time: told to the peer, who keeps to it. */
    abstract int readsServed();

    /** Whether it can read from the peer, and do atomics there. */
    abstract boolean canRead();
}
