package io.github.verbs4j;

import io.github.verbs4j.attr.ExtendedDeviceAttributes;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.TuningVerbs;
import io.github.verbs4j.ffi.ibv_cq;
import io.github.verbs4j.ffi.ibv_moderate_cq;
import io.github.verbs4j.ffi.ibv_modify_cq_attr;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.AccountTable;
import io.github.verbs4j.internal.Bell;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.ExtendedReader;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * {@code ibv_cq}: where finished work is reported. {@link Completions} reads it, {@link ExtendedCompletions} if it is an
 * extended one ({@code ibv_cq_ex}).
 *
 * <p>A queue that overflows loses completions without a word, so every queue pair reserves room for all that it can have
 * outstanding; see {@link QueuePairOptions#allowOverrun}.
 *
 * <p>Thread-safe.
 */
public final class CompletionQueue extends Resource {
    private static final int UNSUPPORTED = Errno.EOPNOTSUPP.number();
    private static final String MODERATION = "moderation of completion events";

    private final DeviceContext context;
    private final MemorySegment handle;
    private final MemorySegment cq;
    private final Bell bell;
    private final CompletionQueueOptions options;
    private final ExtendedReader extended;
    private volatile int capacity;
    private final AccountTable accounts = new AccountTable();
    private final AtomicReference<Object> reader = new AtomicReference<>();
    /** Completions that the queue pairs on it may have outstanding. */
    private long reserved;

    CompletionQueue(
            DeviceContext context,
            MemorySegment handle,
            Bell bell,
            CompletionQueueOptions options,
            ExtendedReader extended) {
        this.context = context;
        this.handle = handle;
        this.bell = bell;
        this.options = options;
        this.extended = extended;
        MemorySegment cq = Pointers.segment(handle, ibv_cq.sizeof());
        this.cq = cq;
        this.capacity = ibv_cq.cqe(cq);
        super(new Lifetime(name(cq, context), null, context.lifetime()));
        context.events().sources().add(handle, this);
    }

    static Call destroying(Object queue, DeviceContext context) {
        return Call.on(
                queue,
                () -> VerbsException.of("ibv_destroy_cq")
                        .device(context.device().name())
                        .argument("queue", queue));
    }

    static String name(MemorySegment cq, DeviceContext context) {
        return "CompletionQueue " + ibv_cq.handle(cq) + " (" + ibv_cq.cqe(cq) + " entries) of "
                + context.device().name();
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

    /** {@return what it was created with; {@link #resize} does not change that} */
    public CompletionQueueOptions options() {
        return options;
    }

    /**
     * Makes it larger or smaller ({@code ibv_resize_cq}). What has completed and was not polled yet stays. May be called
     * while another thread polls.
     *
     * @param entries completions that it must hold, 1 to {@code max_cqe} of the device; it may hold more
     * @throws IllegalArgumentException if the queue pairs on it may have more completions outstanding, unless one of them
     *     was allowed to overrun it already
     * @throws UnsupportedCapabilityException if the device cannot do it
     * @throws VerbsException if the device refuses: more completions are waiting to be polled, for example
     */
    public void resize(int entries) {
        CompletionQueueOptions.requireEntries(entries);
        lifetime().whileOpen("resize", () -> {
            synchronized (accounts) {
                if (entries < reserved && reserved <= capacity) {
                    throw new IllegalArgumentException("entries=" + entries + " is less than the " + reserved
                            + " completions that the queue pairs on " + this
                            + " may have outstanding: what does not fit would be lost; close some of them first");
                }
                Call.on(
                                this,
                                () -> VerbsException.of("ibv_resize_cq")
                                        .device(context.device().name())
                                        .argument("queue", this)
                                        .limit(
                                                "cqe",
                                                entries,
                                                context.attributes().maxCompletions(),
                                                "max_cqe"))
                        .explained((failure, errno) -> explainResize(failure, errno, entries))
                        .returned(() -> verbs_h.ibv_resize_cq(handle, entries));
                capacity = ibv_cq.cqe(cq);
                lifetime().rename(name(cq, context));
                return null;
            }
        });
    }

    private void explainResize(VerbsException.Builder failure, int errno, int entries) {
        if (errno == UNSUPPORTED) {
            throw context.unsupported(
                    "ibv_resize_cq", "completion queues that change their size", "the provider refuses it");
        }
        if (errno == Errno.EINVAL.number() && entries < capacity) {
            failure.cause("more completions are waiting to be polled than would fit")
                    .next("poll them first");
        } else {
            failure.explain(context.creation(errno, entries));
        }
    }

    /**
     * Lets completions gather before an event tells of them ({@code ibv_modify_cq}): fewer interrupts, and later ones. Polling
     * does not notice.
     *
     * @param completions how many may gather, 0 to 65,535; 0 or 1 for none
     * @param period how long the first may wait for the others, in whole microseconds, 0 to 65,535 of them
     * @throws IllegalArgumentException if one is out of range
     * @throws UnsupportedCapabilityException if the device cannot do it
     * @throws VerbsException if the device refuses
     */
    public void moderate(int completions, Duration period) {
        Objects.requireNonNull(period, "period");
        long microseconds = TimeUnit.MICROSECONDS.convert(period);
        if (completions < 0 || completions > 0xffff) {
            throw new IllegalArgumentException("completions=" + completions + " is not in 0..65535");
        }
        if (period.isNegative() || microseconds > 0xffff) {
            throw new IllegalArgumentException("period=" + period + " is not in 0..65535 microseconds");
        }
        lifetime().whileOpen("moderate", () -> {
            ExtendedDeviceAttributes device = context.extendedAttributes();
            if (device.maxModerationCount() == 0) {
                throw context.unsupported("ibv_modify_cq", MODERATION, "its cq_mod_caps are 0");
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment change = ibv_modify_cq_attr.allocate(arena);
                ibv_modify_cq_attr.attr_mask(change, verbs4j_h.IBV_CQ_ATTR_MODERATE());
                MemorySegment moderation = ibv_modify_cq_attr.moderate(change);
                ibv_moderate_cq.cq_count(moderation, (short) completions);
                ibv_moderate_cq.cq_period(moderation, (short) microseconds);
                Call.on(
                                this,
                                () -> VerbsException.of("ibv_modify_cq")
                                        .device(context.device().name())
                                        .argument("queue", this)
                                        .limit("cq_count", completions, device.maxModerationCount(), "max_cq_count")
                                        .limit(
                                                "cq_period",
                                                microseconds,
                                                device.maxModerationPeriod(),
                                                "max_cq_period"))
                        .explained(this::explainModeration)
                        .returned(() -> TuningVerbs.ibv_modify_cq(handle, change));
                return null;
            }
        });
    }

    private void explainModeration(VerbsException.Builder failure, int errno) {
        if (errno == UNSUPPORTED) {
            throw context.unsupported("ibv_modify_cq", MODERATION, "the provider leaves it out");
        }
    }

    /**
     * {@return {@code struct ibv_cq *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /**
     * Destroys the queue ({@code ibv_destroy_cq}). Closing twice is harmless.
     *
     * @throws IllegalStateException if queue pairs or a {@link CompletionCursor} on it are still open
     * @throws VerbsException if the device refuses
     */
    @Override
    public void close() {
        lifetime().close(() -> {
            destroying(this, context).returned(() -> verbs_h.ibv_destroy_cq(handle));
            context.events().sources().remove(handle, this);
            context.events().remove(bell);
        });
    }

    /** {@code ibv_req_notify_cq}: the next completion rings the bell; false if the queue has no events. */
    boolean requestEvent() {
        int errno = context.events().request(bell, handle.address());
        if (errno != 0 && errno != UNSUPPORTED) {
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

    /** Null for a plain queue. */
    ExtendedReader extended() {
        return extended;
    }

    /** Rung by its completion events. */
    Bell bell() {
        return bell;
    }

    AtomicReference<Object> reader() {
        return reader;
    }
}
