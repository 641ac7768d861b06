package io.github.verbs4j.cm;

import io.github.verbs4j.MulticastMembership;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.Lifetime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * {@code RDMA_CM_EVENT_MULTICAST_JOIN}: a group that was joined, until this is closed. Its members have their datagrams delivered by the
 * network; each datagram takes one packet, and may be lost.
 *
 * <p>Thread-safe.
 */
public final class MulticastGroup implements AutoCloseable {
    private final Identifier identifier;
    private final InetSocketAddress address;
    private final DatagramDestination destination;
    private final MulticastMembership membership;
    private final Lifetime lifetime;
    private final CompletableFuture<ConnectionEventType> lost;

    MulticastGroup(
            ConnectionManager manager,
            Identifier identifier,
            InetSocketAddress address,
            DatagramDestination destination,
            MulticastMembership membership,
            Lifetime former) {
        this.identifier = identifier;
        this.address = address;
        this.destination = destination;
        this.membership = membership;
        this.lifetime = Lifetime.after(former, "MulticastGroup " + address.getAddress(), manager.lifetime());
        this.lost = Identifier.toFollow(identifier.ended().thenApply(ConnectionEvent::type));
    }

    /** {@return the address of the group} */
    public InetAddress address() {
        return address.getAddress();
    }

    /** {@return where datagrams for all members go to: the way, with the group's GID and LID, and the group's queue key} */
    public DatagramDestination destination() {
        return destination;
    }

    /** {@return the queue pair's place in the group; empty if it was joined only to send} */
    public Optional<MulticastMembership> membership() {
        return Optional.ofNullable(membership);
    }

    /**
     * {@return when the membership is over, the event that said so: MULTICAST_ERROR if the network lost it, when it has to be closed
     * and joined anew, or DEVICE_REMOVAL} If this is closed before, it fails with a {@link CancellationException}.
     */
    public CompletableFuture<ConnectionEventType> lost() {
        return lost.copy();
    }

    /**
     * Detaches the queue pair ({@code ibv_detach_mcast}) and leaves the group ({@code rdma_leave_multicast}). Closing twice is
     * harmless.
     *
     * @throws VerbsException if the device refuses to detach, or C to leave; it stays open then
     */
    @Override
    public void close() {
        lifetime.close(() -> {
            if (membership != null) {
                membership.close();
            }
            identifier.leave(address);
            identifier.destroy();
        });
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
