package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.internal.Lifetime;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code rdma_cm_id} that listens: requests of peers, in their order, taken one by one with {@link #await}, or each handed to a
 * thread of its own by {@link #serve}. Those that nobody took when this is closed are rejected.
 *
 * <p>Thread-safe: each request goes to one, of several threads that wait and of several handlers. Virtual threads may wait.
 *
 * @param <R> what a request is
 */
public abstract sealed class RequestListener<R extends Request> implements AutoCloseable
        permits Listener, DatagramListener {
    final ConnectionManager manager;
    private final Identifier identifier;
    private final InetSocketAddress address;
    private final Lifetime lifetime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private final List<Serving<R>> servings = new CopyOnWriteArrayList<>();
    private int backlog;
    private boolean closed;

    /** A request that nobody took yet. */
    private record Waiting(Identifier identifier, ConnectionEvent event) {}

    /** Bound to the address; {@link #listen} comes next. */
    RequestListener(
            ConnectionManager manager, Identifier identifier, InetSocketAddress address, EndpointOptions options) {
        options.setOn(identifier);
        identifier.bind(address);
        requireReachable(identifier);
        this.manager = manager;
        this.identifier = identifier;
        this.address = identifier.source();
        this.lifetime = new Lifetime(getClass().getSimpleName() + " on " + this.address, null, manager.lifetime());
        identifier.ended().whenCompleteAsync((event, thrown) -> wake(), Identifier.EXECUTOR);
    }

    /** The kernel binds to a loopback address that no device is behind, where no peer gets to. */
    private static void requireReachable(Identifier identifier) {
        InetSocketAddress bound = identifier.source();
        if (bound.getAddress().isLoopbackAddress() && identifier.device().isEmpty()) {
            throw new Failure(identifier, "rdma_bind_addr", null).noDevice();
        }
    }

    final void listen(int backlog) {
        this.backlog = backlog;
        boolean listening = false;
        try {
            identifier.onRequest(this::arrived);
            identifier.call(
                    "rdma_listen",
                    State.NEW,
                    State.LISTENING,
                    new Failure(identifier, "rdma_listen", null),
                    errno -> CmConnectionVerbs.rdma_listen(errno, identifier.pointer(), backlog));
            listening = true;
        } finally {
            if (!listening) {
                lifetime.close(() -> {}); // the identifier ends with the attempt
            }
        }
    }

    /** What a peer asks; the manager is open. */
    abstract R request(Identifier made, ConnectionEvent event);

    /**
     * In the thread of the channel. It takes requests from the kernel as they come, so the kernel's own backlog never fills, and
     * ours has to have the same bound.
     */
    private boolean arrived(Identifier made, ConnectionEvent event) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (waiting.size() < backlog) {
                waiting.add(new Waiting(made, event));
                changed.signal();
                return true;
            }
        } finally {
            lock.unlock();
        }
        rejectAsFull(made);
        return false;
    }

    /** The peer reads why. */
    private void rejectAsFull(Identifier made) {
        try {
            Rejection rejection = CmConnectionVerbs::rdma_reject;
            rejection.reject(
                    made, "rdma_reject", ("backlog of " + backlog + " is full").getBytes(StandardCharsets.US_ASCII));
        } catch (ConnectionException gaveUp) {
            // then nobody needs to be told
        }
    }

    /** {@return our address, with the port that the kernel chose if none was given} */
    public final InetSocketAddress address() {
        return address;
    }

    /**
     * Takes the oldest request, and waits for it if there is none.
     *
     * @param timeout how long to wait at most
     * @return the request, empty when the time is over
     * @throws InterruptedException if the thread is interrupted, before or meanwhile, and there is none
     * @throws CancellationException if another thread closes this meanwhile
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this is closed
     * @throws ConnectionException if its device is removed: only closing is left
     */
    public final Optional<R> await(Duration timeout) throws InterruptedException {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative; Duration.ZERO does not wait");
        }
        Waiting taken = take(TimeUnit.NANOSECONDS.convert(timeout));
        if (taken == null) {
            return Optional.empty();
        }
        boolean made = false;
        try {
            R request = Lifetime.create("await", () -> request(taken.identifier(), taken.event()), manager.lifetime());
            made = true;
            return Optional.of(request);
        } finally {
            if (!made) {
                taken.identifier().destroy();
            }
        }
    }

    /**
     * Hands every request to a handler, each on a virtual thread of its own, until this is closed; returns at once. If the device is
     * removed, the uncaught exception handler is told.
     *
     * @param handler of requests
     * @throws IllegalStateException if this is closed
     */
    public final void serve(RequestHandler<? super R> handler) {
        serve(Identifier.EXECUTOR, handler);
    }

    /**
     * Hands every request to a handler, each as a task of its own, until this is closed; returns at once. Handlers that run then go
     * on: close the executor after this to wait for them, or interrupt them with its {@code shutdownNow}. Requests whose tasks did
     * not begin are rejected when this is closed.
     *
     * <p>When its handler returns, or what it began with {@link ConnectionRequest#acceptAsync} is done, a request is decided upon, or
     * closed, which rejects it: unless the handler called {@link Request#defer}, because somebody else decides later.
     *
     * @param executor of the tasks; what it refuses to execute is rejected, and the uncaught exception handler is told
     * @param handler of requests
     * @throws IllegalStateException if this is closed
     */
    public final void serve(Executor executor, RequestHandler<? super R> handler) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(handler, "handler");
        lifetime.whileOpen("serve", () -> {
            Serving<R> serving = new Serving<>(this, executor, handler);
            servings.add(serving);
            return Thread.startVirtualThread(serving::run);
        });
    }

    /** Also if it could not be destroyed: it takes no more requests. */
    final boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    final boolean isListening() {
        return identifier.state() == State.LISTENING;
    }

    private Waiting take(long nanoseconds) throws InterruptedException {
        long left = nanoseconds;
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("await: " + this + " is closed");
            }
            Waiting oldest = waiting.poll();
            while (oldest == null && left > 0) {
                identifier.requireState("rdma_get_cm_event", State.LISTENING);
                left = changed.awaitNanos(left);
                if (closed) {
                    throw new CancellationException(this + " was closed while a thread waited in it");
                }
                oldest = waiting.poll();
            }
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    /** Those who wait find out that nothing more comes. */
    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes it, rejects the requests that nobody took, and wakes those who wait. Closing twice is harmless.
     *
     * @throws VerbsException if C refuses ({@code rdma_destroy_id}); it stays open then, but takes no more requests
     */
    @Override
    public final void close() {
        lifetime.close(() -> {
            lock.lock();
            try {
                closed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            servings.forEach(Serving::end);
            while (!waiting.isEmpty()) {
                waiting.peek().identifier().destroy();
                waiting.remove();
            }
            identifier.destroy();
        });
    }

    @Override
    public final String toString() {
        return lifetime.toString();
    }
}
