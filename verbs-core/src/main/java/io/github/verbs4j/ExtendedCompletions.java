package io.github.verbs4j;

import static io.github.verbs4j.ffi.RawMemory.getLong;
import static java.lang.ref.Reference.reachabilityFence;

import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.ExtendedReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/**
 * {@code ibv_start_poll}, {@code ibv_next_poll}, {@code ibv_end_poll}: a cursor over the completions of an extended
 * completion queue, as {@link Completions} is over those of a plain one. It tells what the queue was asked for by {@link
 * CompletionQueueOptions#extended}; the rest throws.
 *
 * <p>Each {@link #poll} is a section of its own: it copies what has completed and leaves the queue's lock before it returns. So
 * it may be mixed with anything, and a virtual thread may read it. Nothing is allocated after {@link #over}. A plain queue
 * is faster.
 *
 * <p>Belongs to one thread at a time: the one that made it, until {@link #release} and {@link #acquire}.
 */
public final class ExtendedCompletions extends CompletionCursor {
    private final CompletionQueue completionQueue;
    private final ExtendedReader reader;
    private final Set<CompletionField> fields;
    private final MemorySegment rows;

    private ExtendedCompletions(CompletionQueue completionQueue, int capacity) {
        super("ExtendedCompletions", completionQueue, capacity);
        this.completionQueue = completionQueue;
        this.reader = completionQueue.extended();
        this.fields = completionQueue.options().fields();
        this.rows = Arena.ofAuto().allocate(capacity * ExtendedReader.ROW_BYTES, 64);
    }

    /**
     * {@return a cursor over an extended completion queue, owned by the calling thread}
     *
     * @param completionQueue an open extended completion queue
     * @param capacity completions to take in one poll, 1 to 65,536; 16 to 64 is usual
     * @throws IllegalArgumentException if the capacity is out of range, or the queue a plain one
     * @throws IllegalStateException if the queue is closed or has a cursor already; names the owner
     */
    public static ExtendedCompletions over(CompletionQueue completionQueue, int capacity) {
        Objects.requireNonNull(completionQueue, "completionQueue");
        if (completionQueue.extended() == null) {
            throw new IllegalArgumentException(completionQueue
                    + " is a plain queue: Completions.over reads it, or create it with options that are extended(...)");
        }
        return new ExtendedCompletions(completionQueue, capacity);
    }

    @Override
    public int poll() {
        checkOwner();
        rewind();
        int count = reader.poll(capacity, address, rows.address());
        if (count < 0) {
            throw VerbsException.of("ibv_start_poll")
                    .errno(-count)
                    .device(completionQueue.context().device().name())
                    .argument("queue", completionQueue)
                    .cause("the completion queue is in error: it overflowed, or the device is gone")
                    .next("close its queue pairs and it, and make a larger one")
                    .build();
        }
        take(count);
        reachabilityFence(memory);
        reachabilityFence(rows);
        return count;
    }

    /** {@return what the queue was asked to tell} */
    public Set<CompletionField> fields() {
        return fields;
    }

    @Override
    public long byteLength() {
        return value(CompletionField.BYTE_LENGTH);
    }

    @Override
    public int immediate() {
        requireImmediate();
        return Integer.reverseBytes((int) value(CompletionField.IMMEDIATE));
    }

    @Override
    public int invalidatedKey() {
        requireInvalidatedKey();
        return (int) value(CompletionField.IMMEDIATE);
    }

    @Override
    public int sourceQueuePairNumber() {
        return (int) value(CompletionField.SOURCE_QUEUE_PAIR);
    }

    /**
     * {@return the local identifier that sent the datagram ({@code ibv_wc_read_slid}), 16 bits or more}
     *
     * @throws IllegalStateException if SOURCE_LID was not asked for, or the work failed
     */
    public int sourceLid() {
        return (int) value(CompletionField.SOURCE_LID);
    }

    /**
     * {@return the service level of the datagram ({@code ibv_wc_read_sl}), 4 bits}
     *
     * @throws IllegalStateException if SERVICE_LEVEL was not asked for, or the work failed
     */
    public int serviceLevel() {
        return (int) value(CompletionField.SERVICE_LEVEL);
    }

    /**
     * {@return the low bits of the local identifier that the datagram was sent to ({@code ibv_wc_read_dlid_path_bits})}
     *
     * @throws IllegalStateException if PATH_BITS was not asked for, or the work failed
     */
    public int pathBits() {
        return (int) value(CompletionField.PATH_BITS);
    }

    /**
     * {@return when it completed, in ticks of the device's clock ({@code ibv_wc_read_completion_ts}), 64 bits unsigned}
     *
     * @throws IllegalStateException if TIMESTAMP was not asked for, or the work failed
     */
    public long timestamp() {
        return value(CompletionField.TIMESTAMP);
    }

    /**
     * {@return when it completed, in nanoseconds since 1970 ({@code ibv_wc_read_completion_wallclock_ns}); {@link
     * Instant#ofEpochSecond(long, long)} with 0 seconds makes an instant of it}
     *
     * @throws IllegalStateException if WALL_CLOCK was not asked for, or the work failed
     */
    public long wallClock() {
        return value(CompletionField.WALL_CLOCK);
    }

    /**
     * {@return the VLAN tag of the packet ({@code ibv_wc_read_cvlan}), 16 bits}
     *
     * @throws IllegalStateException if VLAN was not asked for, or the work failed
     */
    public int vlan() {
        return (int) value(CompletionField.VLAN);
    }

    /**
     * {@return the tag of the flow rule that the packet met ({@code ibv_wc_read_flow_tag})}
     *
     * @throws IllegalStateException if FLOW_TAG was not asked for, or the work failed
     */
    public int flowTag() {
        return (int) value(CompletionField.FLOW_TAG);
    }

    private long value(CompletionField field) {
        long row = (successful() - address) / BYTES * ExtendedReader.ROW_BYTES;
        if (!fields.contains(field)) {
            throw new IllegalStateException(field + " was not asked for when " + completionQueue + " was created, but "
                    + fields + ": name it in CompletionQueueOptions.extended(...)");
        }
        long value = getLong(rows.address() + row, field.ordinal() * 8L);
        reachabilityFence(rows);
        return value;
    }
}
