package io.github.verbs4j;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.ReceiveRequests;
import io.github.verbs4j.internal.SharedSlots;
import java.util.Objects;

/**
 * {@code ibv_post_recv}, {@code ibv_post_srq_recv}: stages receives and posts them as one batch. The peer's messages take them in the order of
 * posting; each ends with a completion. Nothing is allocated after {@link #over}.
 *
 * <p>Post receives before the peer sends: from INIT on they may be. Memory that a receive names belongs to the device
 * until the receive has completed.
 *
 * <p>Belongs to one thread at a time: the one that made it, until {@link #release} and {@link #acquire}.
 */
public final class ReceiveQueue extends PostingQueue {
    private final ReceiveRequests requests;

    /** The count, if the queue is a shared one, else null. */
    private final SharedSlots shared;

    private ReceiveQueue(QueuePair queuePair) {
        // what can fail comes before the seat is taken
        requireOwnReceives(queuePair);
        QueuePairAccount account = queuePair.account();
        ReceiveRequests requests = new ReceiveRequests(
                account.receives().depth(), queuePair.capacity().receiveSegments());
        super(
                "ReceiveQueue",
                PostingTarget.of(queuePair),
                account.receiver(),
                account.receives(),
                requests,
                queuePair.domain().context().postReceive());
        this.requests = requests;
        this.shared = null;
    }

    private ReceiveQueue(SharedReceiveQueue queue) {
        ReceiveRequests requests = new ReceiveRequests(queue.depth(), queue.segments());
        super("ReceiveQueue", PostingTarget.of(queue), queue.receiver(), queue.slots(), requests, queue.post());
        this.requests = requests;
        this.shared = queue.slots();
    }

    private static void requireOwnReceives(QueuePair queuePair) {
        queuePair.sharedReceives().ifPresent(queue -> {
            throw new IllegalStateException(queuePair + " takes its receives from " + queue
                    + ": post them there, through a ReceiveQueue over it");
        });
    }

    /**
     * {@return the receive queue of a queue pair, owned by the calling thread}
     *
     * @param queuePair an open queue pair
     * @throws IllegalStateException if it is closed, has a receive queue already, or takes its receives from a shared
     *     receive queue; names the owner, or that queue
     */
    public static ReceiveQueue over(QueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        return new ReceiveQueue(queuePair);
    }

    /**
     * {@return what posts to a shared receive queue, owned by the calling thread} It may be used whatever the state of the
     * queue pairs.
     *
     * @param queue an open shared receive queue
     * @throws IllegalStateException if it is closed or has a receive queue already; names the owner
     */
    public static ReceiveQueue over(SharedReceiveQueue queue) {
        Objects.requireNonNull(queue, "queue");
        return new ReceiveQueue(queue);
    }

    /**
     * Stages a receive.
     *
     * @param id given back with the completion, all 64 bits
     * @param memory where the message goes; registered with LOCAL_WRITE
     * @param offset where to, bytes from its start
     * @param length room for the message, bytes; a longer message fails with LOC_LEN_ERR (LOC_QP_OP_ERR on
     *     Soft-RoCE)
     * @return this
     * @throws IndexOutOfBoundsException if the part is not inside the memory
     * @throws IllegalStateException if all receives are staged already, or the memory or this is closed
     * @throws IllegalArgumentException if the memory is of another protection domain, has no LOCAL_WRITE, or the part is
     *     over 4 GiB - 1 bytes
     */
    public ReceiveQueue receive(long id, MemoryRegion memory, long offset, long length) {
        checkOwner();
        int slot = staged;
        if (slot == capacity) {
            throw full("receives");
        }
        if (memory != lastMemory) {
            Objects.requireNonNull(memory, "memory").requireDomain(domain);
            memory.requireWritable();
            lastMemory = memory;
        }
        check(memory, offset, length);
        requests.write(slot, id, memory.address() + offset, (int) length, memory.localKeyValue());
        staged = slot + 1;
        return this;
    }

    private void check(MemoryRegion memory, long offset, long length) {
        Objects.requireNonNull(memory, "memory")
                .check(offset, length); // before the first receive, lastMemory is null too
        if (length > 0 && requests.entries() == 0) {
            throw new IllegalArgumentException("length=" + length + ": " + target
                    + " was created for receives of 0 pieces; ask for more with " + target.whereToAskForSegments());
        }
        if (length > 0xffff_ffffL) {
            throw new IllegalArgumentException(
                    "length=" + length + ": a piece of memory in a receive has at most 4294967295 bytes");
        }
    }

    /**
     * Adds another piece of memory to the receive staged last: the message is scattered over the pieces in order.
     *
     * @param memory the piece's memory; registered with LOCAL_WRITE
     * @param offset where to, bytes from its start
     * @param length how much, bytes
     * @return this
     * @throws IllegalStateException if nothing is staged
     * @throws IllegalArgumentException if it has as many pieces already as the queue was created for; and as
     *     {@link #receive}
     */
    public ReceiveQueue and(MemoryRegion memory, long offset, long length) {
        checkOwner();
        if (staged == 0) {
            throw new IllegalStateException("and() adds to a staged receive, and none is: " + this);
        }
        Objects.requireNonNull(memory, "memory").requireDomain(domain);
        memory.requireWritable();
        check(memory, offset, length);
        int slot = staged - 1;
        if (length > 0) {
            if (requests.entryCount(slot) == requests.entries()) {
                throw new IllegalArgumentException(target + " was created for receives of " + requests.entries()
                        + " pieces; ask for more with " + target.whereToAskForSegments());
            }
            requests.append(slot, memory.address() + offset, (int) length, memory.localKeyValue());
        }
        return this;
    }

    /** Forgets what is staged and not posted. */
    public void discard() {
        checkOwner();
        staged = 0;
    }

    /**
     * Posts what is staged, in one call ({@code ibv_post_recv}, {@code ibv_post_srq_recv}).
     *
     * @return how many receives went; fewer than were staged, maybe 0, when the queue has no room. The rest stays staged
     *     and goes first next time, once completions have been polled.
     * @throws IllegalStateException if the queue pair is in RESET or ERR; says why
     * @throws VerbsException if the device refuses; says how many it took, the rest stays staged
     */
    public int post() {
        checkOwner();
        int count = staged;
        if (count == 0) {
            return 0;
        }
        if (slots.gate() != slots.life()) {
            requireOpenGate();
        }
        count = Math.min(count, slots.room(count));
        if (count <= 0) {
            return 0;
        }
        int result = call(count);
        if (result != 0) {
            return postedOf(count, result);
        }
        settle(count);
        return count;
    }

    @Override
    void settle(int count) {
        slots.takeAll(count);
        staged -= count;
        if (staged != 0) {
            requests.moveToFront(count, staged);
        }
    }

    /** How many went of those that C did not all take. */
    private int postedOf(int count, int result) {
        if (shared == null) {
            throw refused("ibv_post_recv", result, count);
        }
        int accepted = accepted(count);
        boolean full = Math.abs(result) == Errno.ENOMEM.number() && shared.takeBack();
        if (!full) {
            throw refused("ibv_post_srq_recv", result, count, accepted);
        }
        return accepted;
    }

    @Override
    String need() {
        return "receives need INIT, RTR or RTS";
    }
}
