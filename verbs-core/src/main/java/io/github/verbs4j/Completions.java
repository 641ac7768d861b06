package io.github.verbs4j;

import static java.lang.ref.Reference.reachabilityFence;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.ffi.ibv_wc;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * {@code ibv_poll_cq}: a cursor over the completions of a completion queue. Nothing is allocated after {@link #over}.
 *
 * <pre>{@code
 * completions.poll();
 * while (completions.next()) {
 *     completions.requireSuccess();
 *     handle(completions.id(), completions.byteLength());
 * }
 * }</pre>
 *
 * <p>{@link #poll} never waits, {@link #await} does. It also frees the slots of the queue pairs that completed, so poll even if nothing is
 * interesting. Of a failed completion only {@link #id}, {@link #status}, {@link #vendorError} and
 * {@link #queuePairNumber} exist: the device leaves the rest undefined.
 *
 * <p>Belongs to one thread at a time: the one that made it, until {@link #release} and {@link #acquire}.
 */
public final class Completions extends CompletionCursor {
    private static final long BYTE_LENGTH = ibv_wc.byte_len$offset();
    private static final long IMMEDIATE = ibv_wc.imm_data$offset();
    private static final long INVALIDATED = ibv_wc.invalidated_rkey$offset();
    private static final long SOURCE = ibv_wc.src_qp$offset();

    private final CompletionQueue completionQueue;
    private final MemorySegment function;
    private final boolean critical;
    private final long queue;

    private Completions(CompletionQueue completionQueue, int capacity) {
        super("Completions", completionQueue, capacity);
        this.completionQueue = completionQueue;
        this.function = completionQueue.context().poll();
        this.critical = completionQueue.context().linkage().criticalPoll();
        this.queue = completionQueue.handle().address();
    }

    /**
     * {@return a cursor over a completion queue, owned by the calling thread}
     *
     * @param completionQueue an open completion queue, not an extended one
     * @param capacity completions to take in one poll, 1 to 65,536; 16 to 64 is usual
     * @throws IllegalArgumentException if the capacity is out of range, or the queue an extended one
     * @throws IllegalStateException if the queue is closed or has a cursor already; names the owner
     */
    public static Completions over(CompletionQueue completionQueue, int capacity) {
        Objects.requireNonNull(completionQueue, "completionQueue");
        if (completionQueue.extended() != null) {
            throw new IllegalArgumentException(
                    completionQueue + " is an extended queue: ExtendedCompletions.over reads it");
        }
        return new Completions(completionQueue, capacity);
    }

    @Override
    public int poll() {
        checkOwner();
        rewind();
        int count = critical
                ? DataPath.pollCritical(function, queue, capacity, address)
                : DataPath.poll(function, queue, capacity, address);
        if (count != 0) {
            if (count < 0 || count > capacity) {
                throw broken(count);
            }
            take(count);
        }
        reachabilityFence(memory);
        return count;
    }

    private VerbsException broken(int result) {
        return VerbsException.of("ibv_poll_cq")
                .device(completionQueue.context().device().name())
                .argument("queue", completionQueue)
                .argument("result", result)
                .cause(
                        result < 0
                                ? "the completion queue is in error: it overflowed, or the device is gone"
                                : "the provider answered with an error number instead of a count: it cannot poll this"
                                        + " queue")
                .next("close its queue pairs and it, and make a larger one")
                .build();
    }

    @Override
    public long byteLength() {
        return Integer.toUnsignedLong(int32(successful(), BYTE_LENGTH));
    }

    @Override
    public int immediate() {
        requireImmediate();
        return Integer.reverseBytes(int32(present(), IMMEDIATE));
    }

    @Override
    public int invalidatedKey() {
        requireInvalidatedKey();
        return int32(present(), INVALIDATED);
    }

    @Override
    public int sourceQueuePairNumber() {
        return int32(successful(), SOURCE);
    }

    /** The {@code struct ibv_wc} of the present completion, a successful receive. */
    MemorySegment received() {
        if (!isReceive()) {
            throw new IllegalStateException("completion of request " + id() + " is that of a send, not of a receive");
        }
        return memory.asSlice(present() - address, BYTES);
    }
}
