package io.github.verbs4j.cm;

import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * {@code rdma_cm_id} of {@code RDMA_PS_UDP} that asks a {@link DatagramListener} where to send to: {@link #resolve} finds the
 * device and the way, {@link #connect} asks the listener for its queue pair. Datagrams have no connection: what comes out is
 * an address, which stays good when this is closed, and the listener does not learn of our queue pair. It answers whom it
 * hears from ({@link UdQueuePair#createAddressHandle}).
 *
 * <pre>{@code
 * try (ConnectionManager manager = ConnectionManager.open();
 *      DatagramConnector connector = manager.datagramConnector(new InetSocketAddress("10.9.0.1", 7471))) {
 *     connector.resolve(Duration.ofSeconds(2));     // now connector.device() tells which device the queue pair must be of
 *     connector.initialize(unconnected);            // INIT, with the queue key of librdmacm: receives may be posted
 *     receives.post();
 *     unconnected.activate();
 *     DatagramDestination server = connector.connect(new byte[0], Duration.ofSeconds(5));
 *     try (AddressHandle way = unconnected.domain().createAddressHandle(server.way())) {
 *         datagrams.send(1, memory, 0, 64, server.peer(way)).signaled();
 *         datagrams.post();
 *     }
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DatagramConnector implements AutoCloseable {
    static final int REQUEST_BYTES = 180;

    private final Identifier identifier;
    private final InetSocketAddress target;
    private final Lifetime lifetime;
    private final Resolution resolution;

    DatagramConnector(ConnectionManager manager, Identifier identifier, InetSocketAddress target) {
        this.identifier = identifier;
        this.target = target;
        this.lifetime = new Lifetime("DatagramConnector to " + target, null, manager.lifetime());
        this.resolution = new Resolution(identifier, target, lifetime);
    }

    /**
     * Finds the device that reaches the address, and the way to it ({@code rdma_resolve_addr}, {@code rdma_resolve_route}).
     *
     * @param timeout for both, more than 0
     * @return this
     * @throws ConnectionException if there is no device or no way, or none is found in time
     * @throws InterruptedException if the thread is interrupted; the search goes on
     */
    public DatagramConnector resolve(Duration timeout) throws InterruptedException {
        return Waits.await(resolveAsync(timeout));
    }

    /**
     * As {@link #resolve}, without waiting.
     *
     * @param timeout for both, more than 0
     * @return this, or what {@link #resolve} throws
     */
    public CompletableFuture<DatagramConnector> resolveAsync(Duration timeout) {
        return resolution.findWay(Waits.deadline(timeout)).thenApply(found -> this);
    }

    /**
     * {@return the name of the device that reaches the address, which the queue pair has to be of}
     *
     * @throws ConnectionException if there is no RDMA device behind the address
     * @throws IllegalStateException if the address is not resolved yet
     */
    public String device() {
        return resolution.device();
    }

    /**
     * Leads a queue pair to INIT on the port, with the GID, the partition and the queue key of our address: receives may be posted,
     * {@link UdQueuePair#activate} leads it on. A queue pair that is there already sends to this peer too.
     *
     * @param queuePair in RESET, on a context of the device
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if this is not resolved, or the queue pair not in RESET
     * @throws VerbsException if the device refuses
     */
    public void initialize(UdQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        lifetime.whileOpen("initialize", () -> {
            device();
            DatagramReadiness.initialize(identifier, queuePair);
            return null;
        });
    }

    /**
     * Asks the listener for its queue pair ({@code rdma_connect}).
     *
     * @param privateData what the listener gets to read, at most 180 bytes
     * @param timeout until it answers, more than 0
     * @return where datagrams for it go to
     * @throws ConnectionException if it rejects, nobody listens, or it does not answer in time
     * @throws IllegalArgumentException if there is too much private data
     * @throws IllegalStateException if this is not resolved, or has asked already
     * @throws InterruptedException if the thread is interrupted; the attempt goes on
     */
    public DatagramDestination connect(byte[] privateData, Duration timeout) throws InterruptedException {
        return Waits.await(connectAsync(privateData, timeout));
    }

    /**
     * As {@link #connect}, without waiting.
     *
     * @param privateData what the listener gets to read, at most 180 bytes
     * @param timeout until it answers, more than 0
     * @return where datagrams for it go to, or what {@link #connect} throws
     */
    public CompletableFuture<DatagramDestination> connectAsync(byte[] privateData, Duration timeout) {
        DatagramReadiness.requireBytes(privateData, REQUEST_BYTES, "a request");
        Waits.require(timeout);
        return lifetime.whileOpen("connect", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment parameters = DatagramReadiness.parameters(arena, 0, privateData);
                return identifier
                        .start(
                                Step.LOOK_UP,
                                Deadline.in(timeout),
                                target,
                                errno -> CmConnectionVerbs.rdma_connect(errno, identifier.pointer(), parameters))
                        .thenApply(ConnectionEvent::destination);
            }
        });
    }

    /**
     * Closes it; what is under way fails. Closing twice is harmless.
     *
     * @throws VerbsException if C refuses ({@code rdma_destroy_id}); it stays open then
     */
    @Override
    public void close() {
        lifetime.close(identifier::destroy);
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
