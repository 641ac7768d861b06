package io.github.verbs4j.cm;

import io.github.verbs4j.MulticastMembership;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmQueueVerbs;
import io.github.verbs4j.ffi.rdma_cm_join_mc_attr_ex;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * {@code rdma_cm_id} of {@code RDMA_PS_UDP} that joins a multicast group: {@link #resolve} finds the device, {@link #initialize}
 * leads a queue pair to INIT, {@link #join} makes it a member; {@link #joinToSend} asks for no datagrams of the group. After a
 * failure only closing is left.
 *
 * <pre>{@code
 * InetAddress ours = InetAddress.ofLiteral("10.9.0.1");
 * try (ConnectionManager manager = ConnectionManager.open();
 *      MulticastConnector connector = manager.multicastConnector(InetAddress.ofLiteral("239.1.2.3"), ours)) {
 *     connector.resolve(Duration.ofSeconds(2));
 *     connector.initialize(unconnected);
 *     receives.post();
 *     unconnected.activate();
 *     try (MulticastGroup group = connector.join(unconnected, Duration.ofSeconds(5));
 *          AddressHandle way = unconnected.domain().createAddressHandle(group.destination().way())) {
 *         datagrams.send(1, memory, 0, 64, group.destination().peer(way)).signaled();
 *         datagrams.post();
 *     }
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class MulticastConnector implements AutoCloseable {
    private final ConnectionManager manager;
    private final Identifier identifier;
    private final InetSocketAddress target;
    private final Lifetime lifetime;
    private final Resolution resolution;
    private final Attempt attempt = new Attempt(this, "is joining");
    private volatile boolean joined;

    MulticastConnector(ConnectionManager manager, Identifier identifier, InetSocketAddress target) {
        this.manager = manager;
        this.identifier = identifier;
        this.target = target;
        this.lifetime = new Lifetime("MulticastConnector to " + target.getAddress(), null, manager.lifetime());
        this.resolution = new Resolution(identifier, target, lifetime);
    }

    /**
     * Finds the device of our address ({@code rdma_resolve_addr}).
     *
     * @param timeout more than 0
     * @return this
     * @throws ConnectionException if there is no device, or none is found in time
     * @throws InterruptedException if the thread is interrupted; the search goes on
     */
    public MulticastConnector resolve(Duration timeout) throws InterruptedException {
        return Waits.await(resolveAsync(timeout));
    }

    /**
     * As {@link #resolve}, without waiting.
     *
     * @param timeout more than 0
     * @return this, or what {@link #resolve} throws
     */
    public CompletableFuture<MulticastConnector> resolveAsync(Duration timeout) {
        return resolution.findDevice(Waits.deadline(timeout)).thenApply(found -> this);
    }

    /**
     * {@return the name of the device of our address, which the queue pair has to be of}
     *
     * @throws ConnectionException if there is no RDMA device behind the address
     * @throws IllegalStateException if the address is not resolved yet
     */
    public String device() {
        return resolution.device();
    }

    /**
     * Leads a queue pair to INIT on the port, with the GID, the partition and the queue key of our address: receives may be posted,
     * {@link UdQueuePair#activate} leads it on. One that is there already may join too.
     *
     * @param queuePair in RESET, on a context of the device
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if this is not resolved, or the queue pair not in RESET
     * @throws VerbsException if the device refuses
     */
    public void initialize(UdQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        lifetime.whileOpen("initialize", () -> {
            identifier.requireState("initialize", State.ADDRESS_RESOLVED);
            DatagramReadiness.initialize(identifier, queuePair);
            return null;
        });
    }

    /**
     * Joins ({@code rdma_join_multicast_ex}), and attaches a queue pair to the group ({@code ibv_attach_mcast}): it gets every
     * datagram that is sent there with its queue key, its own ones too.
     *
     * @param queuePair in INIT, RTR or RTS
     * @param timeout until the network has answered, more than 0
     * @return the membership, which takes the place of this: this is closed
     * @throws ConnectionException if the network refuses, or does not answer in time
     * @throws IllegalArgumentException if the queue pair is of another device, or has another queue key
     * @throws IllegalStateException if this is not resolved, or the queue pair in RESET, or in the group already
     * @throws VerbsException if the device does not attach the queue pair
     * @throws InterruptedException if the thread is interrupted; the attempt ends, and this is closed
     */
    public MulticastGroup join(UdQueuePair queuePair, Duration timeout) throws InterruptedException {
        return Waits.await(joinAsync(queuePair, timeout), this::close, MulticastGroup::close);
    }

    /**
     * As {@link #join}, without waiting.
     *
     * @param queuePair in INIT, RTR or RTS
     * @param timeout until the network has answered, more than 0
     * @return the membership, or what {@link #join} throws
     */
    public CompletableFuture<MulticastGroup> joinAsync(UdQueuePair queuePair, Duration timeout) {
        Objects.requireNonNull(queuePair, "queuePair");
        Waits.require(timeout);
        lifetime.whileOpen("join", () -> {
            identifier.requireState("rdma_join_multicast_ex", State.ADDRESS_RESOLVED);
            DatagramReadiness.requireKey(identifier, queuePair);
            attempt.begin("join", queuePair);
            return null;
        });
        return attempt.until(() -> ask(verbs4j_h.RDMA_MC_JOIN_FLAG_FULLMEMBER(), timeout)
                .thenApply(joined -> member(joined.destination(), queuePair)));
    }

    /**
     * Joins only to send ({@code RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER}): nothing of the group comes, neither to a queue pair nor to
     * this machine.
     *
     * @param timeout until the network has answered, more than 0
     * @return the membership, which takes the place of this: this is closed
     * @throws ConnectionException if the network refuses, or does not answer in time; a subnet manager of InfiniBand may not
     *     know such members
     * @throws IllegalStateException if this is not resolved
     * @throws InterruptedException if the thread is interrupted; the attempt ends, and this is closed
     */
    public MulticastGroup joinToSend(Duration timeout) throws InterruptedException {
        return Waits.await(joinToSendAsync(timeout), this::close, MulticastGroup::close);
    }

    /**
     * As {@link #joinToSend}, without waiting.
     *
     * @param timeout until the network has answered, more than 0
     * @return the membership, or what {@link #joinToSend} throws
     */
    public CompletableFuture<MulticastGroup> joinToSendAsync(Duration timeout) {
        Waits.require(timeout);
        return ask(verbs4j_h.RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER(), timeout)
                .thenApply(joined -> member(joined.destination(), null));
    }

    private CompletableFuture<ConnectionEvent> ask(int flags, Duration timeout) {
        return lifetime.whileOpen("join", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment asked = rdma_cm_join_mc_attr_ex.allocate(arena);
                rdma_cm_join_mc_attr_ex.comp_mask(
                        asked, verbs4j_h.RDMA_CM_JOIN_MC_ATTR_ADDRESS() | verbs4j_h.RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS());
                rdma_cm_join_mc_attr_ex.join_flags(asked, flags);
                rdma_cm_join_mc_attr_ex.addr(asked, SocketAddresses.write(arena, target));
                return identifier.start(
                        Step.JOIN,
                        Deadline.in(timeout),
                        target,
                        errno -> CmQueueVerbs.rdma_join_multicast_ex(
                                errno, identifier.pointer(), asked, MemorySegment.NULL));
            }
        });
    }

    /** The queue pair, null if it only sends, is not the identifier's, so librdmacm does not attach it. */
    private MulticastGroup member(DatagramDestination group, UdQueuePair queuePair) {
        MulticastGroup made = lifetime.whileOpen("join", () -> {
            MulticastMembership membership = queuePair == null
                    ? null
                    : queuePair.attach(group.way().destination(), group.way().lid());
            joined = true;
            return new MulticastGroup(manager, identifier, target, group, membership, lifetime);
        });
        close();
        return made;
    }

    /**
     * Closes it; what is under way fails. Closing twice is harmless. A membership that it made stays open.
     *
     * @throws VerbsException if C refuses ({@code rdma_destroy_id}); it stays open then
     */
    @Override
    public void close() {
        lifetime.close(() -> {
            if (!joined) {
                identifier.leave(target);
                identifier.destroy();
            }
            attempt.end();
        });
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
