package io.github.verbs4j;

import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.AsyncListener;
import io.github.verbs4j.internal.Lifetime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code ibv_get_async_event}: the asynchronous events of a device context, in their order.
 *
 * <pre>{@code
 * try (AsyncEvents events = context.openAsyncEvents()) {
 *     AsyncEvent event = events.await(Duration.ofSeconds(10)).orElseThrow();
 *     if (event.source() instanceof QueuePair queuePair) {
 *         System.err.println(event.type() + " of " + queuePair);
 *     }
 * }
 * }</pre>
 *
 * <p>Any number of these may be open on a context; each is told of every event from its opening on, and the first one also
 * of what the device kept because nobody took it. Events are acknowledged before they come here, so that whoever is
 * slow to take them, or never does, keeps no resource from being closed. Of events that nobody takes the newest 1,024 are
 * kept.
 *
 * <p>Thread-safe: of several threads that wait, each event wakes one. Virtual threads may wait.
 */
public final class AsyncEvents implements AutoCloseable {
    private static final int KEPT = 1024;

    private final DeviceContext context;
    private final Lifetime lifetime;
    private final AsyncListener listener = new Inbox();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<AsyncEvent> events = new ArrayDeque<>();
    private long dropped;
    private VerbsException end;
    private boolean closed;

    private AsyncEvents(DeviceContext context) {
        this.context = context;
        context.events().listen(listener);
        this.lifetime = new Lifetime("AsyncEvents of " + context.device().name(), null, context.lifetime());
    }

    static AsyncEvents open(DeviceContext context) {
        return Lifetime.create("openAsyncEvents", () -> new AsyncEvents(context), context.lifetime());
    }

    /** Where the event thread puts what it is told. */
    private final class Inbox implements AsyncListener {
        @Override
        public void raised(int code, Object source, int port) {
            AsyncEvent event = new AsyncEvent(
                    AsyncEventType.ofCode(code), code, source == null ? context : (Resource) source, port);
            lock.lock();
            try {
                if (events.size() == KEPT) {
                    events.remove();
                    dropped++;
                }
                events.add(event);
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void ended(VerbsException reason) {
            lock.lock();
            try {
                end = reason;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * {@return the oldest event that was not taken yet, without waiting; empty if there is none}
     *
     * @throws IllegalStateException if this is closed
     * @throws VerbsException if there is none and no more come, because the device is gone
     */
    public Optional<AsyncEvent> poll() {
        lock.lock();
        try {
            requireOpen();
            return Optional.ofNullable(take());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest event, and waits for it if there is none.
     *
     * @param timeout how long to wait at most; more than 292 years is for ever
     * @return the event, empty when the time is over
     * @throws InterruptedException if the thread is interrupted, before or meanwhile, and there is none; its flag is
     *     cleared then
     * @throws CancellationException if another thread closes this meanwhile
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this is closed
     * @throws VerbsException if there is none and no more come, because the device is gone
     */
    public Optional<AsyncEvent> await(Duration timeout) throws InterruptedException {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative; Duration.ZERO does not wait");
        }
        long left = TimeUnit.NANOSECONDS.convert(timeout);
        lock.lock();
        try {
            requireOpen();
            AsyncEvent event = take();
            while (event == null && left > 0) {
                left = changed.awaitNanos(left);
                if (closed) {
                    throw new CancellationException(this + " was closed while a thread waited in it");
                }
                event = take();
            }
            if (event == null && Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting in " + this);
            }
            return Optional.ofNullable(event);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private AsyncEvent take() {
        AsyncEvent event = events.poll();
        if (event == null && end != null) {
            throw end;
        }
        return event;
    }

    /** {@return how many events were dropped, oldest first, because nobody took them} */
    public long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the open device whose events these are} */
    public DeviceContext context() {
        return context;
    }

    /** {@return whether it is still open} */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /** Closes it, and wakes those who wait. Closing twice is harmless. Events that were not taken are gone. */
    @Override
    public void close() {
        lifetime.close(() -> {
            context.events().ignore(listener);
            lock.lock();
            try {
                closed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        });
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
