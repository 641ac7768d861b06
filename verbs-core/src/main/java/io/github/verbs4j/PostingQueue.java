package io.github.verbs4j;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.internal.RequestChain;
import io.github.verbs4j.internal.Slots;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;

/** What all queues for posting have in common: requests are staged, posted as far as there is room, and counted. */
abstract class PostingQueue extends WorkObject {
    final PostingTarget target;
    final ProtectionDomain domain;
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
            PostingTarget target,
            AtomicReference<Object> seat,
            Slots slots,
            RequestChain chain,
            MemorySegment function) {
        super(kind, target.resource(), seat);
        this.target = target;
        this.domain = target.domain();
        this.slots = slots;
        this.queue = target.handle().address();
        this.chain = chain;
        this.capacity = chain.capacity();
        this.function = function;
        this.critical = domain.context().linkage().criticalPost() && !target.isLockedBySections();
    }

    /** One call of C for the first staged requests; returns 0 or an errno. */
    final int call(int count) {
        if (!critical) {
            return callPlainly(count);
        }
        long last = chain.cut(count);
        int result = DataPath.postCritical(function, queue, chain.address(), chain.badAddress());
        Reference.reachabilityFence(chain);
        chain.join(last);
        return result;
    }

    /** The same where the call may block, or is not one call. */
    int callPlainly(int count) {
        long last = chain.cut(count);
        int result = DataPath.post(function, queue, chain.address(), chain.badAddress());
        Reference.reachabilityFence(chain);
        chain.join(last);
        return result;
    }

    final boolean isCritical() {
        return critical;
    }

    final IllegalStateException full(String requests) {
        if (capacity == 0) {
            return new IllegalStateException(this + " has a depth of 0, so it takes no " + requests
                    + ": ask for more with QueuePairOptions.depth");
        }
        return new IllegalStateException(
                this + ": " + capacity + " " + requests + " are staged, all it has; post() first");
    }

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
        return Math.max(0, slots.room(slots.depth()));
    }

    /** After a reset of the queue pair the count begins anew, after a resize it goes on with another depth. */
    private void enterLife() {
        int gate = slots.gate();
        if (gate != Slots.CLOSED && gate != slots.life()) {
            slots.begin(gate);
        }
    }

    final void requireOpenGate() {
        if (slots.gate() == Slots.CLOSED) {
            throw target.closed(need());
        }
        enterLife();
    }

    /** How many of the requests given C took; their slots are taken then, the others stay staged. */
    final int accepted(int count) {
        int accepted = chain.acceptedOf(count);
        if (accepted > 0) {
            settle(accepted);
        }
        return accepted;
    }

    final VerbsException refused(String operation, int result, int count) {
        return refused(operation, result, count, accepted(count));
    }

    final VerbsException refused(String operation, int result, int count, int accepted) {
        VerbsException.Builder failure = target.describe(VerbsException.of(operation)
                        .errno(result)
                        .device(domain.context().device().name()))
                .argument("posted", count)
                .argument("accepted", accepted);
        if (Math.abs(result) == Errno.ENOMEM.number()) {
            failure.cause("the provider's queue is full although not all granted slots are in use, or a request has"
                            + " more scatter/gather entries than granted")
                    .next("poll completions, then post() again: what was not accepted is still staged");
        } else {
            failure.cause("the request behind the accepted ones is not valid for this queue and device")
                    .next("discard() what is staged, or query() the queue pair's state");
        }
        return failure.build();
    }
}
