package io.github.verbs4j.cm;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.Lifetime;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection of two queue pairs, ours in RTS. When the peer disconnects, our queue pair is led to ERR, so that everything
 * outstanding ends, and {@link #disconnected} completes. The queue pair stays the user's, and cannot be closed before this.
 *
 * <p>Thread-safe.
 */
public final class Connection implements AutoCloseable {
    private final Identifier identifier;
    private final RcQueuePair queuePair;
    private final byte[] privateData;
    private final Readiness.Reads reads;
    private final InetSocketAddress source;
    private final InetSocketAddress destination;
    private final Lifetime lifetime;
    private final CompletableFuture<ConnectionEventType> disconnected;

    Connection(
            ConnectionManager manager,
            Identifier identifier,
            RcQueuePair queuePair,
            byte[] privateData,
            Readiness.Reads reads,
            Lifetime former) {
        this.identifier = identifier;
        this.queuePair = queuePair;
        this.privateData = privateData;
        this.reads = reads;
        this.source = identifier.source();
        this.destination = identifier.destination();
        this.lifetime = Lifetime.after(
                former, "Connection of " + source + " to " + destination, manager.lifetime(), Lifetime.of(queuePair));
        this.disconnected = identifier.ended().handleAsync(this::conclude, Identifier.EXECUTOR);
    }

    /** However it ends, and whichever object closes it, this one or the one that it migrated to. */
    private ConnectionEventType conclude(ConnectionEvent event, Throwable thrown) {
        if (thrown instanceof CancellationException) {
            return ConnectionEventType.DISCONNECTED;
        }
        if (thrown != null) {
            throw new CompletionException(thrown);
        }
        answer(event.type());
        return event.type();
    }

    /** The peer waits for it. */
    private void answer(ConnectionEventType end) {
        try {
            lifetime.whileOpen("disconnected", () -> {
                flush("has ended (" + end + ")");
                identifier.answerDisconnect();
                return null;
            });
        } catch (IllegalStateException closedMeanwhile) {
            // which answers as well
        }
    }

    private void flush(String end) {
        try {
            queuePair.toError("its connection to " + Way.text(destination) + " " + end);
        } catch (VerbsException gone) {
            // its device: nothing is left to flush
        }
    }

    /** {@return our queue pair} */
    public RcQueuePair queuePair() {
        return queuePair;
    }

    /** {@return our address} */
    public InetSocketAddress source() {
        return source;
    }

    /** {@return the peer's address} */
    public InetSocketAddress destination() {
        return destination;
    }

    /** {@return what the peer sent along, filled up with zeros by the transport} */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** {@return our reads and atomics that may be under way, as agreed with the peer ({@code max_rd_atomic})} */
    public int maxReads() {
        return reads.underWay();
    }

    /** {@return the peer's reads and atomics that we serve at a time, as agreed ({@code max_dest_rd_atomic})} */
    public int readsServed() {
        return reads.served();
    }

    /** {@return when it ends, by whichever end, the event that said so: DISCONNECTED, also if it is closed here, or a failure} */
    public CompletableFuture<ConnectionEventType> disconnected() {
        return disconnected.copy();
    }

    /**
     * {@return the same connection, with its events taken by the thread of another manager ({@code rdma_migrate_id})} This one is
     * closed by it, without disconnecting.
     *
     * @param other where it goes
     * @throws IllegalStateException if this or the other is closed
     * @throws ConnectionException if the kernel refuses
     */
    public Connection migrate(ConnectionManager other) {
        Objects.requireNonNull(other, "other");
        Connection[] moved = {null};
        lifetime.close(() -> moved[0] = Lifetime.create(
                "migrate",
                () -> {
                    identifier.migrate(other.channel());
                    return new Connection(other, identifier, queuePair, privateData, reads, lifetime);
                },
                other.lifetime()));
        if (moved[0] == null) {
            throw new IllegalStateException("migrate: " + this + " is closed");
        }
        return moved[0];
    }

    /**
     * {@return when the hardware address of our interface changes for the first time ({@code RDMA_CM_EVENT_ADDR_CHANGE}), as when
     * a bond fails over} The connection stays; a new one may take a better way. If the connection ends before, it fails with a {@link
     * CancellationException}.
     */
    public CompletableFuture<Void> addressChanged() {
        return Identifier.toFollow(identifier.addressChanged());
    }

    /**
     * Leads the queue pair to ERR, disconnects ({@code rdma_disconnect}), and waits for the peer's answer. What the peer has not
     * acknowledged ends with a failed completion: agree with it that all was said before. Several threads may do so at the same
     * time; where the connection has ended already, by whichever end, there is nothing to wait for.
     *
     * @param timeout how long to wait at most, more than 0
     * @throws ConnectionException if the answer does not come in time; closing is fine then
     * @throws IllegalStateException if this is closed
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public void disconnect(Duration timeout) throws InterruptedException {
        Waits.await(disconnectAsync(timeout));
    }

    /**
     * As {@link #disconnect}, without waiting.
     *
     * @param timeout how long to wait at most, more than 0
     * @return the event that ended the connection, or what {@link #disconnect} throws
     */
    public CompletableFuture<ConnectionEventType> disconnectAsync(Duration timeout) {
        Waits.require(timeout);
        return lifetime.whileOpen("disconnect", () -> {
            flush("was disconnected here");
            try {
                identifier.disconnect();
            } catch (ConnectionException refused) {
                return CompletableFuture.failedFuture(refused);
            }
            return disconnected
                    .copy()
                    .orTimeout(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                    .handleAsync((event, thrown) -> inTime(timeout, event, thrown), Identifier.EXECUTOR);
        });
    }

    private ConnectionEventType inTime(Duration timeout, ConnectionEventType event, Throwable thrown) {
        if (thrown instanceof TimeoutException) {
            throw new Failure(identifier, "rdma_disconnect", destination)
                    .noEvent(ConnectionEventType.DISCONNECTED, timeout);
        }
        if (thrown != null) {
            throw new CompletionException(thrown instanceof CompletionException ? thrown.getCause() : thrown);
        }
        return event;
    }

    /**
     * Closes it: the queue pair is led to ERR, the peer is told, and nobody waits for its answer. Closing twice is harmless.
     *
     * @throws VerbsException if C refuses ({@code rdma_destroy_id}); it stays open then
     */
    @Override
    public void close() {
        lifetime.close(() -> {
            flush("was closed here");
            identifier.destroy();
        });
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
