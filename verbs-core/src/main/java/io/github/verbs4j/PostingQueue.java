package io.github.verbs4j;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.RequestChain;
import io.github.verbs4j.internal.Slots;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;

/** What the two queues of a queue pair have in common: requests are staged, posted as far as there is room, and counted. */
abstract class PostingQueue extends WorkObject {
    final QueuePair queuePair;
    final ProtectionDomain domain;
    final QueuePairAccount account;
    final Slots slots;
    final int capacity;
    int staged;
    /** The region of the first piece of the request staged last: most often it is that of the next one too. */
    MemoryRegion lastMemory;

    private final RequestChain chain;
    private final long queue;
    private final MemorySegment function;
    private final boolean critical;

    PostingQueue(
            String kind,
            QueuePair queuePair,
            AtomicReference<Object> seat,
            Slots slots,
            RequestChain chain,
            MemorySegment function) {
        super(kind, queuePair, queuePair.lifetime(), seat);
        this.queuePair = queuePair;
        this.domain = queuePair.domain();
        this.account = queuePair.account();
        this.slots = slots;
        this.queue = queuePair.handle().address();
        this.chain = chain;
        this.capacity = chain.capacity();
        this.function = function;
        this.critical = domain.context().linkage().criticalPost();
    }

    /** One call of C for the first staged requests; returns 0 or an errno. */
    final int call(int count) {
        long last = chain.cut(count);
        int result = critical
                ? DataPath.postCritical(function, queue, chain.address(), chain.badAddress())
                : DataPath.post(function, queue, chain.address(), chain.badAddress());
        Reference.reachabilityFence(chain);
        chain.join(last);
        return result;
    }

    final IllegalStateException full(String requests) {
        return new IllegalStateException(
                this + ": " + capacity + " " + requests + " are staged, all it has; post() first");
    }

    /** The present life while posting is allowed, else {@link QueuePairAccount#CLOSED}. */
    abstract int gate();

    /** What posting needs, for a message. */
    abstract String need();

    /** Takes the slots of the first requests, which went, and moves up the rest. */
    abstract void settle(int count);

    /**
     * {@return how many requests are staged and not posted}
     *
     * @throws WrongThreadException if another thread owns this
     */
    public final int staged() {
        checkOwner();
        return staged;
    }

    /**
     * {@return how many requests can be posted now}
     *
     * @throws WrongThreadException if another thread owns this
     */
    public final int available() {
        checkOwner();
        enterLife();
        return slots.room(slots.depth());
    }

    /** After a reset of the queue pair the count begins anew. */
    private void enterLife() {
        int gate = gate();
        if (gate != QueuePairAccount.CLOSED && gate != slots.life()) {
            slots.begin(gate);
        }
    }

    final void requireOpenGate() {
        if (gate() == QueuePairAccount.CLOSED) {
            throw wrongState();
        }
        enterLife();
    }

    private IllegalStateException wrongState() {
        String hint;
        if (account.firstFailure() != null) {
            hint = ": it failed earlier, see the cause; reset() it and connect again";
        } else if (queuePair.state() == QueuePairState.ERR) {
            hint = ": its work was flushed; reset() it, poll until its completion queue is empty, and connect again";
        } else {
            hint = "; lead it there with initialize and connect";
        }
        return new IllegalStateException(
                need() + ", " + queuePair + " is in " + queuePair.state() + hint, account.firstFailure());
    }

    final VerbsException refused(String operation, int result, int count) {
        int accepted = chain.acceptedOf(count);
        if (accepted > 0) {
            settle(accepted);
        }
        VerbsException.Builder failure = VerbsException.of(operation)
                .errno(result)
                .device(domain.context().device().name())
                .argument("queue pair", queuePair)
                .argument("state", queuePair.state())
                .argument("posted", count)
                .argument("accepted", accepted);
        if (Math.abs(result) == Errno.ENOMEM.number()) {
            failure.cause("the provider's queue is full although not all granted slots are in use, or a request has"
                            + " more scatter/gather entries than granted")
                    .next("poll completions, then post() again: what was not accepted is still staged");
        } else {
            failure.cause("the request behind the accepted ones is not valid for this queue pair and device")
                    .next("discard() what is staged, or query() the queue pair's state");
        }
        return failure.build();
    }
}
