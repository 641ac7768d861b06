package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.RcQueuePair;
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
 * A peer asks for a connection: {@link #initialize} leads a queue pair to INIT, where receives are posted, {@link #accept} makes
 * the connection. Closing it undecided rejects it. A peer that gave up meanwhile is noticed when it is accepted, not before.
 *
 * <p>Thread-safe.
 */
public final class ConnectionRequest implements AutoCloseable {
    private final ConnectionManager manager;
    private final Identifier identifier;
    private final ConnectionEvent event;
    private final InetSocketAddress source;
    private final InetSocketAddress destination;
    private final Lifetime lifetime;
    private volatile RcQueuePair queuePair;
    private volatile boolean connected;

    ConnectionRequest(ConnectionManager manager, Identifier identifier, ConnectionEvent event) {
        this.manager = manager;
        this.identifier = identifier;
        this.event = event;
        this.source = identifier.source();
        this.destination = identifier.destination();
        this.lifetime = new Lifetime("ConnectionRequest of " + destination, null, manager.lifetime());
    }

    /** {@return our address} */
    public InetSocketAddress source() {
        return source;
    }

    /** {@return the peer's address} */
    public InetSocketAddress destination() {
        return destination;
    }

    /** {@return what the peer sent along, filled up with zeros by the transport (56 bytes on InfiniBand and RoCE)} */
    public byte[] privateData() {
        return event.privateData().clone();
    }

    /**
     * {@return the name of the device that the peer came through, which the queue pair has to be of}
     *
     * @throws ConnectionException if this is closed
     */
    public String device() {
        return identifier
                .device()
                .orElseThrow(() -> new Failure(identifier, "rdma_get_cm_event", destination).noDevice());
    }

    /**
     * Leads a queue pair to INIT: receives may be posted, and should be, before {@link #accept}.
     *
     * @param queuePair in RESET, on a context of the device
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if the queue pair is not in RESET
     * @throws ConnectionException if the peer gave up
     * @throws VerbsException if the device refuses
     */
    public void initialize(RcQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        lifetime.whileOpen("initialize", () -> {
            identifier.requireState("initialize", State.REQUESTED);
            Readiness.initialize(identifier, queuePair);
            this.queuePair = queuePair;
            return null;
        });
    }

    /**
     * Leads the queue pair to RTS, accepts ({@code rdma_accept}), and waits until the peer is ready too.
     *
     * @param options how the connection behaves; private data of at most 196 bytes
     * @param timeout until the peer is ready, more than 0
     * @return the connection, which is closed by itself; this is of no use any more
     * @throws ConnectionException if the peer gave up, or is not ready in time
     * @throws IllegalStateException if there was no {@link #initialize}
     * @throws InterruptedException if the thread is interrupted; the attempt goes on
     */
    public Connection accept(ConnectionOptions options, Duration timeout) throws InterruptedException {
        return Waits.await(acceptAsync(options, timeout));
    }

    /**
     * As {@link #accept}, without waiting.
     *
     * @param options how the connection behaves; private data of at most 196 bytes
     * @param timeout until the peer is ready, more than 0
     * @return the connection, or what {@link #accept} throws
     */
    public CompletableFuture<Connection> acceptAsync(ConnectionOptions options, Duration timeout) {
        Waits.require(timeout);
        RcQueuePair initialized = queuePair;
        if (initialized == null) {
            throw new IllegalStateException(this + " has no queue pair yet; initialize(queuePair) gives it one");
        }
        Readiness.Reads reads = Readiness.Reads.asked(initialized, options).agreed(event);
        return CompletableFuture.runAsync(() -> makeReady(initialized, options, reads), Identifier.EXECUTOR)
                .thenCompose(ready -> answer(initialized, options, reads, timeout))
                .thenApply(established -> connected(initialized, reads));
    }

    private void makeReady(RcQueuePair initialized, ConnectionOptions options, Readiness.Reads reads) {
        lifetime.whileOpen("accept", () -> {
            identifier.requireState("rdma_accept", State.REQUESTED);
            Readiness.makeReady(identifier, initialized, options, reads);
            return null;
        });
    }

    private CompletableFuture<ConnectionEvent> answer(
            RcQueuePair initialized, ConnectionOptions options, Readiness.Reads reads, Duration timeout) {
        return lifetime.whileOpen("accept", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment parameters = Readiness.parameters(arena, initialized, options, reads);
                return identifier.start(
                        Step.ACCEPT,
                        timeout,
                        destination,
                        errno -> CmConnectionVerbs.rdma_accept(errno, identifier.pointer(), parameters));
            }
        });
    }

    private Connection connected(RcQueuePair initialized, Readiness.Reads reads) {
        return lifetime.whileOpen("accept", () -> {
            connected = true;
            return new Connection(manager, identifier, initialized, event.privateData(), reads);
        });
    }

    /**
     * Rejects it ({@code rdma_reject}) and closes this.
     *
     * @param privateData what the peer gets to read, at most 148 bytes
     * @throws IllegalArgumentException if it is longer
     * @throws ConnectionException if the peer gave up
     */
    public void reject(byte[] privateData) {
        ConnectionOptions.requireBytes(privateData, ConnectionOptions.REJECT_BYTES, "a rejection");
        lifetime.whileOpen("reject", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment data = arena.allocateFrom(JAVA_BYTE, privateData);
                identifier.call(
                        "rdma_reject",
                        State.REQUESTED,
                        State.FAILED,
                        new Failure(identifier, "rdma_reject", destination),
                        errno -> CmConnectionVerbs.rdma_reject(
                                errno, identifier.pointer(), data, (byte) privateData.length));
            }
            return null;
        });
        close();
    }

    /** Closes it; if it was not accepted, it is rejected. Closing twice is harmless. */
    @Override
    public void close() {
        lifetime.close(() -> {
            if (!connected) {
                identifier.destroy();
            }
        });
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
