package io.github.verbs4j.cm;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * {@code rdma_cm_id} of the end that connects: {@link #resolve} finds the device and the way, {@link #initialize} leads a queue
 * pair to INIT, where receives are posted, {@link #connect} makes the connection. Each has a form that returns a future; what
 * depends on the future runs on a virtual thread. After a failure only closing is left.
 *
 * <p>Thread-safe.
 */
public final class Connector implements AutoCloseable {
    private final ConnectionManager manager;
    private final Identifier identifier;
    private final InetSocketAddress target;
    private final Lifetime lifetime;
    private final Resolution resolution;
    private final Attempt attempt = new Attempt(this, "is connecting");
    private volatile RcQueuePair queuePair;
    private volatile boolean connected;

    Connector(ConnectionManager manager, Identifier identifier, InetSocketAddress target) {
        this.manager = manager;
        this.identifier = identifier;
        this.target = target;
        this.lifetime = new Lifetime("Connector to " + target, null, manager.lifetime());
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
    public Connector resolve(Duration timeout) throws InterruptedException {
        return Waits.await(resolveAsync(timeout));
    }

    /**
     * As {@link #resolve}, without waiting.
     *
     * @param timeout for both, more than 0
     * @return this, or what {@link #resolve} throws
     */
    public CompletableFuture<Connector> resolveAsync(Duration timeout) {
        return resolution.findWay(Waits.deadline(timeout)).thenApply(found -> this);
    }

    /**
     * The first half of {@link #resolveAsync}: finds the device ({@code rdma_resolve_addr}).
     *
     * @param timeout more than 0
     * @return this, or what {@link #resolve} throws
     */
    public CompletableFuture<Connector> resolveAddressAsync(Duration timeout) {
        return resolution.findDevice(Waits.deadline(timeout)).thenApply(found -> this);
    }

    /**
     * The second half of {@link #resolveAsync}: finds the way ({@code rdma_resolve_route}).
     *
     * @param timeout more than 0
     * @return this, or what {@link #resolve} throws
     */
    public CompletableFuture<Connector> resolveRouteAsync(Duration timeout) {
        return resolution.findRoute(Waits.deadline(timeout)).thenApply(found -> this);
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
     * Leads a queue pair to INIT: receives may be posted, and should be, before {@link #connect}. The peer may read and write what
     * its keys open.
     *
     * @param queuePair in RESET, on a context of the device
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if this is not resolved, there is one already, or the queue pair is not in RESET
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
     * @throws IllegalStateException if this is not resolved, or there is one already, or the queue pair is not in RESET
     * @throws VerbsException if the device refuses
     */
    public void initialize(RcQueuePair queuePair, Set<AccessFlag> remoteAccess) {
        Objects.requireNonNull(queuePair, "queuePair");
        Readiness.requireAccess(remoteAccess);
        lifetime.whileOpen("initialize", () -> {
            identifier.requireState("initialize", State.ROUTE_RESOLVED);
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
     * Connects ({@code rdma_connect}), and leads the queue pair to RTS once the peer has accepted ({@code rdma_establish}).
     *
     * @param options how the connection behaves; private data of at most 56 bytes
     * @param timeout for all of it, more than 0
     * @return the connection, which takes the place of this: this is closed
     * @throws ConnectionException if the peer rejects, fails, or does not accept in time
     * @throws IllegalStateException if there was no {@link #initialize}
     * @throws InterruptedException if the thread is interrupted; the attempt ends, and this is closed
     */
    public Connection connect(ConnectionOptions options, Duration timeout) throws InterruptedException {
        return Waits.await(connectAsync(options, timeout), this::close, Connection::close);
    }

    /**
     * As {@link #connect}, without waiting.
     *
     * @param options how the connection behaves; private data of at most 56 bytes
     * @param timeout for all of it, more than 0
     * @return the connection, or what {@link #connect} throws
     */
    public CompletableFuture<Connection> connectAsync(ConnectionOptions options, Duration timeout) {
        Objects.requireNonNull(options, "options");
        ConnectionOptions.requireBytes(options.privateData(), ConnectionOptions.REQUEST_BYTES, "a request");
        Waits.require(timeout);
        RcQueuePair initialized = queuePair;
        if (initialized == null) {
            throw new IllegalStateException(this + " has no queue pair yet; initialize(queuePair) gives it one");
        }
        Readiness.Reads asked = Readiness.Reads.asked(initialized, options);
        lifetime.whileOpen("connect", () -> {
            attempt.begin("connect", initialized);
            return null;
        });
        // the answer may be there already, and establishing closes this, which cannot be while it is held open
        return attempt.until(() -> ask(initialized, options, asked, timeout)
                .thenApply(response -> establish(initialized, options, asked.agreed(response), response)));
    }

    private CompletableFuture<ConnectionEvent> ask(
            RcQueuePair initialized, ConnectionOptions options, Readiness.Reads asked, Duration timeout) {
        return lifetime.whileOpen("connect", () -> {
            Enhancing.offer(identifier, initialized);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment parameters = Readiness.parameters(arena, initialized, options, asked);
                return identifier.start(
                        Step.CONNECT,
                        Deadline.in(timeout),
                        target,
                        errno -> CmConnectionVerbs.rdma_connect(errno, identifier.pointer(), parameters));
            }
        });
    }

    /** The peer waits for this with its queue pair in RTS. */
    private Connection establish(
            RcQueuePair initialized, ConnectionOptions options, Readiness.Reads reads, ConnectionEvent response) {
        Connection connection = lifetime.whileOpen("connect", () -> {
            Enhancing.use(identifier, initialized);
            Readiness.makeReady(identifier, initialized, options, reads);
            identifier.call(
                    "rdma_establish",
                    State.RESPONDED,
                    State.ESTABLISHED,
                    new Failure(identifier, "rdma_establish", target),
                    errno -> CmConnectionVerbs.rdma_establish(errno, identifier.pointer()));
            connected = true;
            return new Connection(manager, identifier, initialized, response.privateData(), reads, lifetime);
        });
        close();
        return connection;
    }

    /**
     * Closes it; what is under way fails. Closing twice is harmless. A connection that it made stays open.
     *
     * @throws VerbsException if C refuses ({@code rdma_destroy_id}); it stays open then
     */
    @Override
    public void close() {
        lifetime.close(() -> {
            if (!connected) {
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
