package io.github.verbs4j;

import static io.github.verbs4j.ffi.RawMemory.getInt;
import static io.github.verbs4j.ffi.RawMemory.getLong;
import static java.lang.ref.Reference.reachabilityFence;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.event.CompletionEvent;
import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.AccountTable;
import io.github.verbs4j.internal.QueuePairAccount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * {@code ibv_wc}: a cursor over completions: {@link Completions} of a plain completion queue, {@link ExtendedCompletions} of
 * an extended one.
 *
 * <p>Belongs to one thread at a time: the one that made it, until {@link #release} and {@link #acquire}.
 */
public abstract sealed class CompletionCursor extends WorkObject permits Completions, ExtendedCompletions {
    static final long BYTES = ibv_wc.sizeof();
    private static final long ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final long OPCODE = ibv_wc.opcode$offset();
    private static final long VENDOR_ERROR = ibv_wc.vendor_err$offset();
    private static final long NUMBER = ibv_wc.qp_num$offset();
    private static final long FLAGS = ibv_wc.wc_flags$offset();
    /** Asked whether anyone wants to know: a new event each time would be garbage. */
    private static final CompletionEvent RECORDING = new CompletionEvent();

    private static final int RECEIVE_BIT = verbs4j_h.IBV_WC_RECV();
    private static final int ROUTING_HEADER = verbs4j_h.IBV_WC_GRH();
    private static final int WITH_IMMEDIATE = verbs4j_h.IBV_WC_WITH_IMM();
    private static final int WITH_INVALIDATION = verbs4j_h.IBV_WC_WITH_INV();

    private final CompletionQueue completionQueue;
    private final AccountTable accounts;
    final int capacity;
    final MemorySegment memory;
    final long address;
    private final int invalidationFlags;
    private final Waiting waiting;
    /** End of what was polled, and the present completion, both as addresses in the memory, which are certain. */
    private long end;

    private long at;

    CompletionCursor(String kind, CompletionQueue completionQueue, int capacity) {
        if (capacity < 1 || capacity > 1 << 16) {
            throw new IllegalArgumentException("capacity=" + capacity + " is not in 1..65536");
        }
        // what can fail comes before the seat is taken
        MemorySegment memory = Arena.ofAuto().allocate(capacity * BYTES, 64);
        super(kind, completionQueue, completionQueue.reader());
        this.completionQueue = completionQueue;
        this.accounts = completionQueue.accounts();
        this.capacity = capacity;
        this.memory = memory;
        this.address = memory.address();
        this.invalidationFlags = invalidationFlags(completionQueue.context().provider());
        this.waiting = new Waiting(this, completionQueue);
        this.at = address - BYTES;
    }

    /** Soft-RoCE hands on the kernel's own number of the flag, which is that of another one here, which it never sets. */
    private static int invalidationFlags(String provider) {
        return provider.equals("rxe") ? WITH_INVALIDATION | verbs4j_h.IBV_WC_IP_CSUM_OK() : WITH_INVALIDATION;
    }

    /**
     * Takes what has completed, without waiting, and stands before the first. What was left of the last poll is gone.
     *
     * @return how many completions there are, 0 when none
     * @throws VerbsException if the completion queue is broken
     */
    public abstract int poll();

    /**
     * Takes what has completed, as {@link #poll} does, and waits for it if nothing has. What is there already costs a poll.
     *
     * <p>The owner waits, and stays the owner: no other thread can release or acquire this meanwhile, nor close what it
     * stands on. An interrupt ends the wait. Data comes first: an interrupted thread still gets what is there, and keeps
     * its flag then. {@link #close} by another thread ends the wait too, and returns when it has ended; what came at that
     * moment is gone.
     *
     * @param strategy what to do meanwhile, and so what the wait costs
     * @param timeout how long to wait at most, as a constant where garbage matters; zero polls once, and more than 292
     *     years is for ever
     * @return how many completions there are, 0 when the time is over
     * @throws InterruptedException if the thread is interrupted, before or meanwhile, and nothing has completed; its flag
     *     is cleared then
     * @throws CancellationException if another thread closes this meanwhile
     * @throws IllegalArgumentException if the timeout is negative
     * @throws UnsupportedCapabilityException of {@link WaitStrategy#EVENT}, if the device has no completion events
     * @throws VerbsException if the completion queue is broken, or events come no more
     */
    public final int await(WaitStrategy strategy, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(strategy, "strategy");
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative; Duration.ZERO polls once");
        }
        int count = poll();
        return count != 0 ? count : waiting.await(strategy, TimeUnit.NANOSECONDS.convert(timeout));
    }

    @Override
    final boolean closeByWaitingOwner() {
        return waiting.cancel();
    }

    /** Stands before what the next poll brings. */
    final void rewind() {
        at = address - BYTES;
        end = address;
    }

    /** Takes as many as a poll brought. */
    final void take(int count) {
        end = address + count * BYTES;
        for (long first = address; first < end; ) {
            first = credit(first);
        }
    }

    /** Counts a run of completions of one queue pair to its account; returns the first one behind the run. */
    private long credit(long first) {
        int number = getInt(first, NUMBER);
        QueuePairAccount account = accounts.find(number);
        int sends = 0;
        int receives = 0;
        long next = first;
        do {
            if (getInt(next, STATUS) != 0) {
                fail(account, next);
            } else if ((getInt(next, OPCODE) & RECEIVE_BIT) == 0) {
                sends++;
            } else {
                receives++;
            }
            next += BYTES;
        } while (next < end && getInt(next, NUMBER) == number);
        if (account != null) {
            account.complete(sends, receives);
        }
        return next;
    }

    private void fail(QueuePairAccount account, long failed) {
        if (RECORDING.isEnabled()) {
            tell(failed);
        }
        if (account != null) {
            account.fail(getLong(failed, ID), getInt(failed, STATUS), getInt(failed, VENDOR_ERROR));
        }
    }

    private void tell(long failed) {
        int status = getInt(failed, STATUS);
        WorkStatus named = WorkStatus.ofCode(status);
        new CompletionEvent()
                .tell(
                        getInt(failed, NUMBER),
                        getLong(failed, ID),
                        named == WorkStatus.UNKNOWN ? "status " + status : named.name(),
                        getInt(failed, VENDOR_ERROR),
                        completionQueue.toString());
    }

    /**
     * Moves to the next completion of the last poll.
     *
     * @return whether there is one
     */
    public final boolean next() {
        checkOwner();
        long next = at + BYTES;
        if (next >= end) {
            return false;
        }
        at = next;
        return true;
    }

    /** {@return the id that the request was staged with} */
    public final long id() {
        long id = getLong(present(), ID);
        reachabilityFence(memory);
        return id;
    }

    /** {@return whether the work succeeded} */
    public final boolean isSuccess() {
        return statusCode() == 0;
    }

    /** {@return how the work ended} */
    public final WorkStatus status() {
        return WorkStatus.ofCode(statusCode());
    }

    /** {@return how the work ended, as the number of {@code ibv_wc_status}} */
    public final int statusCode() {
        return int32(present(), STATUS);
    }

    /** {@return the vendor's own error code; 0 on success} */
    public final int vendorError() {
        return statusCode() == 0 ? 0 : int32(present(), VENDOR_ERROR);
    }

    /** {@return the number of the queue pair that the request was posted to} */
    public final int queuePairNumber() {
        return int32(present(), NUMBER);
    }

    /**
     * {@return what the work was}
     *
     * @throws IllegalStateException if it failed: the device then does not say
     */
    public final WorkOpcode opcode() {
        return WorkOpcode.ofCode(int32(successful(), OPCODE));
    }

    /**
     * {@return whether a receive completed, rather than a send}
     *
     * @throws IllegalStateException if the work failed: the device then does not say
     */
    public final boolean isReceive() {
        return (int32(successful(), OPCODE) & RECEIVE_BIT) != 0;
    }

    /**
     * {@return the length of the message, bytes, unsigned 32 bits; meaningful for receives and reads}
     *
     * @throws IllegalStateException if the work failed: the device then does not say
     */
    public abstract long byteLength();

    /**
     * {@return whether the message carried immediate data}
     *
     * @throws IllegalStateException if the work failed: the device then does not say
     */
    public final boolean hasImmediate() {
        return (int32(successful(), FLAGS) & WITH_IMMEDIATE) != 0;
    }

    /**
     * {@return the immediate data of the message, in host order}
     *
     * @throws IllegalStateException if it carried none, or the work failed
     */
    public abstract int immediate();

    /**
     * {@return whether the message took back a key of this end ({@code IBV_WC_WITH_INV})}
     *
     * @throws IllegalStateException if the work failed: the device then does not say
     */
    public final boolean hasInvalidatedKey() {
        return (int32(successful(), FLAGS) & invalidationFlags) != 0;
    }

    /**
     * {@return the key of this end that the message took back, as in {@code RemoteKey.value()}}
     *
     * @throws IllegalStateException if it took none, or the work failed
     */
    public abstract int invalidatedKey();

    /**
     * {@return the number of the queue pair that sent the message; meaningful for datagrams}
     *
     * @throws IllegalStateException if the work failed: the device then does not say
     */
    public abstract int sourceQueuePairNumber();

    /**
     * {@return whether a datagram came with a routing header, which is in front of it in its receive; see
     * {@link io.github.verbs4j.attr.RoutingHeader}}
     *
     * @throws IllegalStateException if the work failed: the device then does not say
     */
    public final boolean hasRoutingHeader() {
        return (int32(successful(), FLAGS) & ROUTING_HEADER) != 0;
    }

    /**
     * Does nothing if the work succeeded.
     *
     * @throws WorkFailedException if it failed; if this is only the echo of an earlier failure of the queue pair, that is
     *     the cause
     */
    public final void requireSuccess() {
        if (statusCode() != 0) {
            throw failure();
        }
    }

    /**
     * {@return the exception that {@link #requireSuccess} throws}
     *
     * @throws IllegalStateException if the work succeeded
     */
    public final WorkFailedException failure() {
        int status = statusCode();
        if (status == 0) {
            throw new IllegalStateException("request " + id() + " succeeded");
        }
        QueuePairAccount account = accounts.find(queuePairNumber());
        return QueuePairAccount.failure(
                id(),
                status,
                vendorError(),
                queuePairNumber(),
                completionQueue.context().device().name(),
                account == null ? null : account.firstFailure());
    }

    final void requireImmediate() {
        if (!hasImmediate()) {
            throw new IllegalStateException("completion of request " + id() + " carries no immediate data");
        }
    }

    final void requireInvalidatedKey() {
        if (!hasInvalidatedKey()) {
            throw new IllegalStateException("completion of request " + id() + " took no key back");
        }
    }

    final int int32(long completion, long field) {
        int value = getInt(completion, field);
        reachabilityFence(memory);
        return value;
    }

    final long present() {
        checkOwner();
        if (at < address) {
            throw new IllegalStateException("no completion: call poll() and next() first, and next() must be true");
        }
        return at;
    }

    final long successful() {
        long present = present();
        if (int32(present, STATUS) != 0) {
            throw new IllegalStateException("request " + id() + " failed with " + status()
                    + ": only id, status, vendorError and queuePairNumber exist then");
        }
        return present;
    }
}
