package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;
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
            if (!possible.contains(flag)) {
                throw new IllegalArgumentException(
                        "remoteAccess=" + remoteAccess + ": " + flag + " is none of " + possible);
            }
        }
        return initialize(gid, Transition.to(QueuePairState.INIT).access(remoteAccess), readsServed());
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
