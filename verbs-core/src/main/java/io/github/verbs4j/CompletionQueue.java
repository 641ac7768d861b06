package io.github.verbs4j;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_cq;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.AccountTable;
import io.github.verbs4j.internal.Bell;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.Outcome;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;

/**
 * {@code ibv_cq}: where finished work is reported. {@link Completions} reads it.
 *
 * <p>A queue that overflows loses completions without a word, so every queue pair reserves room for all that it can have
 * outstanding; see {@link QueuePairOptions#allowOverrun}.
 *
 * <p>Thread-safe.
 */
public final class CompletionQueue implements AutoCloseable {
    private static final int NO_EVENTS = Errno.EOPNOTSUPP.number();

    private final DeviceContext context;
    private final MemorySegment handle;
    private final Bell bell;
    private final Lifetime lifetime;
    private final int capacity;
    private final AccountTable accounts = new AccountTable();
    private final AtomicReference<Object> reader = new AtomicReference<>();
    /** Completions that the queue pairs on it may have outstanding. */
    private long reserved;

    CompletionQueue(DeviceContext context, MemorySegment handle, Bell bell) {
        this.context = context;
        this.handle = handle;
        this.bell = bell;
        MemorySegment cq = Pointers.segment(handle, ibv_cq.sizeof());
        this.capacity = ibv_cq.cqe(cq);
        this.lifetime = new Lifetime(
                "CompletionQueue " + ibv_cq.handle(cq) + " (" + capacity + " entries) of "
                        + context.device().name(),
                null,
                context.lifetime());
        context.events().sources().add(handle, this);
    }

    /** {@return the open device that it belongs to} */
    public DeviceContext context() {
        return context;
    }

    /** {@return how many completions it holds ({@code cqe}), at least what was asked for} */
    public int capacity() {
        return capacity;
    }

    /** {@return how many completions the queue pairs on it may have outstanding together} */
    public long reserved() {
        synchronized (accounts) {
            return reserved;
        }
    }

    /** {@return {@code struct ibv_cq *}: valid while this is open, and as unsafe as C} */
    public MemorySegment handle() {
        return handle;
    }

    /** {@return whether it is still open} */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Destroys the queue ({@code ibv_destroy_cq}). Closing twice is harmless.
     *
     * @throws IllegalStateException if queue pairs or a {@link Completions} on it are still open
     * @throws VerbsException if the device refuses
     */
    @Override
    public void close() {
        lifetime.close(() -> {
            Outcome.returned(
                    verbs_h.ibv_destroy_cq(handle),
                    errno -> VerbsException.of("ibv_destroy_cq")
                            .device(context.device().name())
                            .argument("queue", this));
            context.events().sources().remove(handle, this);
            context.events().remove(bell);
        });
    }

    /** {@code ibv_req_notify_cq}: the next completion rings the bell; false if the queue has no events. */
    boolean requestEvent() {
        int errno = context.events().request(bell, handle.address());
        if (errno != 0 && errno != NO_EVENTS) {
            throw VerbsException.of("ibv_req_notify_cq")
                    .errno(errno)
                    .device(context.device().name())
                    .argument("queue", this)
                    .build();
        }
        return errno == 0;
    }

    /**
     * Takes room for a queue pair.
     *
     * @throws IllegalArgumentException if it has not enough, with the sum
     */
    void reserve(long entries, String forWhat, boolean allowOverrun) {
        synchronized (accounts) {
            if (reserved + entries > capacity && !allowOverrun) {
                throw new IllegalArgumentException("the queue pair may have " + entries + " completions outstanding ("
                        + forWhat + "), " + reserved + " of " + this + " are reserved for other queue pairs: "
                        + (reserved + entries) + " > " + capacity + "; make the completion queue larger, the depths"
                        + " smaller, or call allowOverrun() if you know that it is polled in time");
            }
            reserved += entries;
        }
    }

    void unreserve(long entries) {
        synchronized (accounts) {
            reserved -= entries;
        }
    }

    AccountTable accounts() {
        return accounts;
    }

    /** Rung by its completion events. */
    Bell bell() {
        return bell;
    }

    AtomicReference<Object> reader() {
        return reader;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
