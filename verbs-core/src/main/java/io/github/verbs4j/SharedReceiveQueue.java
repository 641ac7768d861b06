package io.github.verbs4j;

import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.SharedReceiveQueueAttributes;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_srq;
import io.github.verbs4j.ffi.ibv_srq_attr;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.SharedSlots;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;

/**
 * {@code ibv_srq}: receives that any of several queue pairs takes, in the order in which their messages come. Posting is
 * done through {@link ReceiveQueue#over(SharedReceiveQueue)}; a receive ends in the completion queue of the queue pair that
 * took it.
 *
 * <p>Thread-safe.
 */
public final class SharedReceiveQueue extends Resource {
    static final int EOPNOTSUPP = Errno.EOPNOTSUPP.number();

    private final ProtectionDomain domain;
    private final MemorySegment handle;
    private final MemorySegment post;
    private final int segments;
    private final SharedSlots slots;
    private final SharedReceiveRoom room;
    private final AtomicReference<Object> receiver = new AtomicReference<>();
    private volatile int depth;

    SharedReceiveQueue(ProtectionDomain domain, MemorySegment handle, MemorySegment post, int depth, int segments) {
        this.domain = domain;
        this.handle = handle;
        this.post = post;
        this.depth = depth;
        this.segments = segments;
        this.slots = new SharedSlots(depth);
        this.room = new SharedReceiveRoom(depth);
        super(new Lifetime(name(handle, domain.context().device()), null, domain.lifetime()));
        domain.context().events().sources().add(handle, this);
    }

    static String name(MemorySegment handle, Device device) {
        return "SharedReceiveQueue " + ibv_srq.handle(Pointers.segment(handle, ibv_srq.sizeof())) + " of "
                + device.name();
    }

    static Call destroying(Object queue, Device device) {
        return Call.on(
                queue,
                () -> VerbsException.of("ibv_destroy_srq").device(device.name()).argument("queue", queue));
    }

    /** {@return the protection domain that it belongs to} */
    public ProtectionDomain domain() {
        return domain;
    }

    /** {@return how many receives may be outstanding: what the device granted at first, or what it was resized to} */
    public int depth() {
        return depth;
    }

    /** {@return how many pieces of memory a receive may have, as granted by the device} */
    public int segments() {
        return segments;
    }

    /**
     * Asks the device ({@code ibv_query_srq}).
     *
     * @return its attributes
     * @throws VerbsException if the device does not answer
     */
    public SharedReceiveQueueAttributes query() {
        return lifetime().whileOpen("query", this::ask);
    }

    private SharedReceiveQueueAttributes ask() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(arena);
            Call.on(
                            this,
                            () -> VerbsException.of("ibv_query_srq")
                                    .device(device())
                                    .argument("queue", this))
                    .returned(() -> verbs_h.ibv_query_srq(handle, attributes));
            return new SharedReceiveQueueAttributes(
                    ibv_srq_attr.max_wr(attributes),
                    ibv_srq_attr.max_sge(attributes),
                    ibv_srq_attr.srq_limit(attributes));
        }
    }

    /**
     * Asks to be told ({@code ibv_modify_srq}) when fewer receives are left than a limit: by an event of type
     * {@link AsyncEventType#SRQ_LIMIT_REACHED} in {@link AsyncEvents}. The device tells once; ask again then.
     *
     * @param receives the limit, 0 to {@link #depth}; 0 not to be told
     * @throws IllegalArgumentException if it is out of range
     * @throws UnsupportedCapabilityException if the device has no such limit
     * @throws VerbsException if the device refuses
     */
    public void armLimit(int receives) {
        lifetime().whileOpen("armLimit", () -> {
            synchronized (this) {
                if (receives < 0 || receives > depth) {
                    throw new IllegalArgumentException(
                            "receives=" + receives + " is not in 0.." + depth + " of " + this);
                }
                modify(verbs4j_h.IBV_SRQ_LIMIT(), 0, receives);
                return null;
            }
        });
    }

    /**
     * Changes how many receives may be outstanding ({@code ibv_modify_srq}); what is outstanding stays. A
     * {@link ReceiveQueue} that is open already still stages no more at a time than before.
     *
     * @param receives that it must hold, 1 to {@link DeviceAttributes#maxSharedReceiveRequests}, and not fewer than are
     *     outstanding
     * @throws IllegalArgumentException if it is less than 1 or than what is outstanding, as far as completions were polled, or if
     *     a completion queue could overrun (see {@link QueuePairOptions#allowOverrun})
     * @throws UnsupportedCapabilityException if the device cannot
     * @throws VerbsException if the device refuses
     */
    public void resize(int receives) {
        if (receives < 1) {
            throw new IllegalArgumentException(
                    "receives=" + receives + ": a shared receive queue holds at least 1 receive");
        }
        if ((domain.context().attributes().capabilityFlags() & verbs4j_h.IBV_DEVICE_SRQ_RESIZE()) == 0) {
            throw unsupported(verbs4j_h.IBV_SRQ_MAX_WR(), "device_cap_flags has no SRQ_RESIZE");
        }
        lifetime().whileOpen("resize", () -> {
            synchronized (this) {
                requireFits(receives);
                room.grow(Math.max(depth, receives));
                try {
                    modify(verbs4j_h.IBV_SRQ_MAX_WR(), receives, 0);
                    depth = receives;
                } finally {
                    room.shrink(depth);
                }
                slots.resize(receives);
                return null;
            }
        });
    }

    /** Not left to the device: where Soft-RoCE of Linux 6.1.176 refuses, the queue is gone, and the next message ends the process. */
    private void requireFits(int receives) {
        int outstanding = slots.inUse();
        if (receives < outstanding) {
            throw new IllegalArgumentException("receives=" + receives + ": " + outstanding + " are outstanding in "
                    + this + "; let messages take them and poll their completions first, or ask for " + outstanding
                    + " or more");
        }
    }

    private void modify(int mask, int receives, int limit) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(arena);
            ibv_srq_attr.max_wr(attributes, receives);
            ibv_srq_attr.srq_limit(attributes, limit);
            Call.on(this, () -> modification(mask, receives, limit))
                    .explained((failure, errno) -> explain(failure, errno, mask))
                    .returned(() -> verbs_h.ibv_modify_srq(handle, attributes, mask));
        }
    }

    private VerbsException.Builder modification(int mask, int receives, int limit) {
        VerbsException.Builder asked =
                VerbsException.of("ibv_modify_srq").device(device()).argument("queue", this);
        DeviceAttributes limits = domain.context().attributes();
        return mask == verbs4j_h.IBV_SRQ_LIMIT()
                ? asked.argument("srq_limit", limit)
                : asked.limit("max_wr", receives, limits.maxSharedReceiveRequests(), "max_srq_wr");
    }

    private void explain(VerbsException.Builder failure, int errno, int mask) {
        if (errno == EOPNOTSUPP) {
            throw unsupported(mask, "");
        }
        failure.explain(domain.context().creation(errno));
    }

    private UnsupportedCapabilityException unsupported(int mask, String reason) {
        return UnsupportedCapabilityException.of(
                "ibv_modify_srq",
                mask == verbs4j_h.IBV_SRQ_LIMIT()
                        ? "a limit of shared receive queues"
                        : "resizing shared receive queues",
                device(),
                domain.context().provider(),
                reason);
    }

    /**
     * {@return {@code struct ibv_srq *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /**
     * Destroys it ({@code ibv_destroy_srq}). Closing twice is harmless. What was posted and not taken by a message is gone
     * without a completion.
     *
     * @throws IllegalStateException if queue pairs or a {@link ReceiveQueue} on it are still open
     * @throws VerbsException if the device refuses
     */
    @Override
    public void close() {
        lifetime().close(() -> {
            destroying(this, domain.context().device()).returned(() -> verbs_h.ibv_destroy_srq(handle));
            domain.context().events().sources().remove(handle, this);
        });
    }

    private String device() {
        return domain.context().device().name();
    }

    MemorySegment post() {
        return post;
    }

    SharedSlots slots() {
        return slots;
    }

    /** What it may need in the completion queues of its queue pairs. */
    SharedReceiveRoom room() {
        return room;
    }

    /** The one work object that posts to it, or null. */
    AtomicReference<Object> receiver() {
        return receiver;
    }
}
