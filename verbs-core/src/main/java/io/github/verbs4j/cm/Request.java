package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.Lifetime;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code RDMA_CM_EVENT_CONNECT_REQUEST}: a peer asks. Closing it undecided rejects it; a decision closes it.
 *
 * <p>Thread-safe.
 */
public abstract sealed class Request implements AutoCloseable permits ConnectionRequest, DatagramRequest {
    final ConnectionManager manager;
    final Identifier identifier;
    final ConnectionEvent event;
    final InetSocketAddress destination;
    final Lifetime lifetime;
    private final InetSocketAddress source;
    private final Optional<String> device;
    private volatile boolean deferred;

    Request(String kind, ConnectionManager manager, Identifier identifier, ConnectionEvent event) {
        this.manager = manager;
        this.identifier = identifier;
        this.event = event;
        this.source = identifier.source();
        this.device = identifier.device();
        this.destination = identifier.destination();
        this.lifetime = new Lifetime(kind + " of " + destination, null, manager.lifetime());
    }

    /** {@return our address} */
    public final InetSocketAddress source() {
        return source;
    }

    /** {@return the peer's address} */
    public final InetSocketAddress destination() {
        return destination;
    }

    /**
     * {@return what the peer sent along, filled up with zeros by the transport: on InfiniBand and RoCE to 56 bytes for a connection,
     * to 180 for datagrams}
     */
    public final byte[] privateData() {
        return event.privateData().clone();
    }

    /**
     * {@return the name of the device that the peer came through, which the queue pair has to be of}
     *
     * @throws ConnectionException if librdmacm told of none
     */
    public final String device() {
        return device.orElseThrow(() -> new Failure(identifier, "rdma_get_cm_event", destination).noDevice());
    }

    /**
     * Keeps it open when its handler in {@link RequestListener#serve} returns, which would close it. Whoever decides later then
     * accepts, rejects or closes it: a peer waits.
     */
    public final void defer() {
        deferred = true;
    }

    /** Whether its handler needs to do no more about it: it is closed, or somebody else decides. */
    final boolean isSettled() {
        return deferred || !lifetime.isOpen();
    }

    /** Completes when the decision that is under way was made; null if none is. */
    abstract CompletableFuture<?> deciding();

    /** Rejects it, and closes this. */
    final void rejectWith(String operation, byte[] privateData, Rejection rejection) {
        lifetime.whileOpen("reject", () -> {
            rejection.reject(identifier, operation, privateData);
            return null;
        });
        close();
    }

    /** Gives back what it has. */
    abstract void end();

    /**
     * Closes it; if it was not accepted, it is rejected. Closing twice is harmless.
     *
     * @throws VerbsException if C refuses ({@code rdma_destroy_id}); it stays open then
     */
    @Override
    public final void close() {
        lifetime.close(this::end);
    }

    @Override
    public final String toString() {
        return lifetime.toString();
    }
}
