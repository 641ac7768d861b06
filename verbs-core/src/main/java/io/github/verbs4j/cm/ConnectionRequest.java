package io.github.verbs4j.cm;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Enhancements;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A peer asks for a connection: {@link #initialize} leads a queue pair to INIT, where receives are posted, {@link #accept} makes
 * the connection. Closing it undecided rejects it; a decision closes it. A peer that gave up meanwhile is noticed when it is accepted, not before.
 *
 * <p>Thread-safe.
 */
public final class ConnectionRequest extends Request {
    private final Attempt attempt = new Attempt(this, "is being accepted");
    private volatile RcQueuePair queuePair;
    private volatile CompletableFuture<Connection> accepting;
    private volatile boolean connected;

    ConnectionRequest(ConnectionManager manager, Identifier identifier, ConnectionEvent event) {
        super("ConnectionRequest", manager, identifier, event);
    }

    /**
     * {@return what the peer's device can do beyond the standard ({@code rdma_get_remote_ece}); empty if it told nothing} Accepting
     * makes use of it.
     *
     * @throws IllegalStateException if this is closed
     */
    public Optional<Enhancements> enhancements() {
        return lifetime.whileOpen("enhancements", () -> Enhancing.told(identifier));
    }

    /**
     * Leads a queue pair to INIT: receives may be posted, and should be, before {@link #accept}. The peer may read and write what
     * its keys open.
     *
     * @param queuePair in RESET, on a context of the device
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if there is one already, or the queue pair is not in RESET
     * @throws ConnectionException if the peer gave up
     * @throws VerbsException if the device refuses
     */
    public void initialize(RcQueuePair queuePair) {
        initialize(queuePair, Readiness.READ_WRITE);
    }

    /**
     * As {@link #initialize(RcQueuePair)}, with the choice of what the peer may do.
     *
     * @param queuePair in RESET, on a context of the device
     * @param remoteAccess any of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL and FLUSH_PERSISTENT
     * @throws IllegalArgumentException if it is of another device, or another flag is given
     * @throws IllegalStateException if there is one already, or the queue pair is not in RESET
     * @throws ConnectionException if the peer gave up
     * @throws VerbsException if the device refuses
     */
    public void initialize(RcQueuePair queuePair, Set<AccessFlag> remoteAccess) {
        Objects.requireNonNull(queuePair, "queuePair");
        Readiness.requireAccess(remoteAccess);
        lifetime.whileOpen("initialize", () -> {
            identifier.requireState("initialize", State.REQUESTED);
            take(queuePair, remoteAccess);
            return null;
        });
    }

    private synchronized void take(RcQueuePair given, Set<AccessFlag> remoteAccess) {
        if (queuePair != null) {
            throw new IllegalStateException("initialize: " + this + " has " + queuePair + " already");
        }
        Readiness.initialize(identifier, given, remoteAccess);
        queuePair = given;
    }

    /**
     * Leads the queue pair to RTS, accepts ({@code rdma_accept}), and waits until the peer is ready too. That a peer has gone
     * away meanwhile is not always told: the timeout is what such peers cost, so let no other request wait behind this one.
     *
     * @param options how the connection behaves; private data of at most 196 bytes
     * @param timeout until the peer is ready, more than 0
     * @return the connection, which takes the place of this: this is closed
     * @throws ConnectionException if the peer gave up, or is not ready in time
     * @throws IllegalStateException if there was no {@link #initialize}
     * @throws InterruptedException if the thread is interrupted; the attempt ends, and this is closed
     */
    public Connection accept(ConnectionOptions options, Duration timeout) throws InterruptedException {
        return Waits.await(acceptAsync(options, timeout), this::close, Connection::close);
    }

    /**
     * As {@link #accept}, without waiting.
     *
     * @param options how the connection behaves; private data of at most 196 bytes
     * @param timeout until the peer is ready, more than 0
     * @return the connection, or what {@link #accept} throws
     */
    public CompletableFuture<Connection> acceptAsync(ConnectionOptions options, Duration timeout) {
        Objects.requireNonNull(options, "options");
        Waits.require(timeout);
        RcQueuePair initialized = queuePair;
        if (initialized == null) {
            throw new IllegalStateException(this + " has no queue pair yet; initialize(queuePair) gives it one");
        }
        Readiness.Reads reads = Readiness.Reads.asked(initialized, options).agreed(event);
        lifetime.whileOpen("accept", () -> {
            attempt.begin("accept", initialized);
            return null;
        });
        CompletableFuture<Connection> accepted = attempt.until(
                () -> CompletableFuture.runAsync(() -> makeReady(initialized, options, reads), Identifier.EXECUTOR)
                        .thenCompose(ready -> answer(initialized, options, reads, timeout))
                        .thenApply(established -> connected(initialized, reads)));
        accepting = accepted;
        return accepted;
    }

    private void makeReady(RcQueuePair initialized, ConnectionOptions options, Readiness.Reads reads) {
        lifetime.whileOpen("accept", () -> {
            identifier.requireState("rdma_accept", State.REQUESTED);
            Enhancing.use(identifier, initialized);
            Enhancing.offer(identifier, initialized); // what was taken over of it
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
                        Deadline.in(timeout),
                        destination,
                        errno -> CmConnectionVerbs.rdma_accept(errno, identifier.pointer(), parameters));
            }
        });
    }

    private Connection connected(RcQueuePair initialized, Readiness.Reads reads) {
        Connection connection = lifetime.whileOpen("accept", () -> {
            connected = true;
            return new Connection(manager, identifier, initialized, event.privateData(), reads, lifetime);
        });
        close();
        return connection;
    }

    /**
     * Tells that the peer is ready ({@code rdma_notify} of {@code IBV_EVENT_COMM_EST}): a message of it came before its word that it is,
     * which may be lost. To be called while {@link #acceptAsync} is under way, when the device reports that event for the queue pair.
     *
     * @throws IllegalStateException if it is closed, or nothing is being accepted
     * @throws ConnectionException if the kernel refuses
     */
    public void notifyEstablished() {
        lifetime.whileOpen("notifyEstablished", () -> {
            identifier.call(
                    "rdma_notify",
                    State.ACCEPTING,
                    State.ACCEPTING,
                    new Failure(identifier, "rdma_notify", null).asking("event", "IBV_EVENT_COMM_EST"),
                    errno ->
                            CmConnectionVerbs.rdma_notify(errno, identifier.pointer(), verbs4j_h.IBV_EVENT_COMM_EST()));
            return null;
        });
    }

    /**
     * {@return the same request, with its events taken by the thread of another manager ({@code rdma_migrate_id})} This one is
     * closed by it, undecided. It is for a request that no queue pair was initialized for yet.
     *
     * @param other where it goes
     * @throws IllegalStateException if this or the other is closed, or there was an {@link #initialize}
     * @throws ConnectionException if the kernel refuses
     */
    public ConnectionRequest migrate(ConnectionManager other) {
        Objects.requireNonNull(other, "other");
        ConnectionRequest[] moved = {null};
        lifetime.close(() -> moved[0] = Lifetime.create(
                "migrate",
                () -> {
                    if (queuePair != null) {
                        throw new IllegalStateException("migrate: " + this + " has a queue pair already");
                    }
                    identifier.migrate(other.channel());
                    return new ConnectionRequest(other, identifier, event);
                },
                other.lifetime()));
        if (moved[0] == null) {
            throw new IllegalStateException("migrate: " + this + " is closed");
        }
        return moved[0];
    }

    /**
     * Rejects it ({@code rdma_reject}) and closes this; the peer reads CONSUMER_DEFINED.
     *
     * @param privateData what the peer gets to read, at most 148 bytes
     * @throws IllegalArgumentException if it is longer
     * @throws ConnectionException if the peer gave up
     */
    public void reject(byte[] privateData) {
        reject("rdma_reject", privateData, CmConnectionVerbs::rdma_reject);
    }

    /**
     * Rejects it for what the peer's device needs beyond the standard ({@code rdma_reject_ece}) and closes this; the peer reads
     * VENDOR_OPTION_NOT_SUPPORTED, and may ask again without.
     *
     * @param privateData what the peer gets to read, at most 148 bytes
     * @throws IllegalArgumentException if it is longer
     * @throws ConnectionException if the peer gave up
     */
    public void rejectEnhancements(byte[] privateData) {
        reject("rdma_reject_ece", privateData, CmConnectionVerbs::rdma_reject_ece);
    }

    private void reject(String operation, byte[] privateData, Rejection rejection) {
        ConnectionOptions.requireBytes(privateData, ConnectionOptions.REJECT_BYTES, "a rejection");
        attempt.requireNone("reject");
        rejectWith(operation, privateData, rejection);
    }

    @Override
    CompletableFuture<?> deciding() {
        return accepting;
    }

    @Override
    void end() {
        if (!connected) {
            identifier.destroy();
        }
        attempt.end();
    }
}
