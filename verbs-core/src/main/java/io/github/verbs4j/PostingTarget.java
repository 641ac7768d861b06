package io.github.verbs4j;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.internal.QueuePairAccount;
import java.lang.foreign.MemorySegment;

/** What requests are posted to, and what is to be said of it when they cannot be. */
abstract sealed class PostingTarget {
    private final Resource resource;
    private final ProtectionDomain domain;

    private PostingTarget(Resource resource, ProtectionDomain domain) {
        this.resource = resource;
        this.domain = domain;
    }

    static PostingTarget of(QueuePair queuePair) {
        return new OfQueuePair(queuePair);
    }

    static PostingTarget of(SharedReceiveQueue queue) {
        return new OfSharedQueue(queue);
    }

    final ProtectionDomain domain() {
        return domain;
    }

    final Resource resource() {
        return resource;
    }

    /** The pointer of C, while it is open. */
    abstract MemorySegment handle();

    /**
     * Whether somebody may hold its lock over several calls, and be stopped for a collection in between: a critical call
     * would wait for the lock and let no collection begin, for ever.
     */
    abstract boolean isLockedBySections();

    /** Its present state allows no posting; the need tells which state does. */
    abstract IllegalStateException closed(String need);

    /** Adds it to the arguments of a call. */
    abstract VerbsException.Builder describe(VerbsException.Builder failure);

    /** Where more pieces of memory in one request are asked for. */
    abstract String whereToAskForSegments();

    @Override
    public final String toString() {
        return resource.toString();
    }

    private static final class OfQueuePair extends PostingTarget {
        private final QueuePair queuePair;

        private OfQueuePair(QueuePair queuePair) {
            super(queuePair, queuePair.domain());
            this.queuePair = queuePair;
        }

        @Override
        MemorySegment handle() {
            return queuePair.handle();
        }

        @Override
        boolean isLockedBySections() {
            return !queuePair.operations().isEmpty();
        }

        @Override
        IllegalStateException closed(String need) {
            QueuePairAccount account = queuePair.account();
            QueuePairState state = queuePair.state();
            WorkFailedException failure = account.firstFailure(); // once: a reset forgets it
            String hint;
            if (failure != null) {
                hint = ": it failed earlier, see the cause; reset() it and connect again";
            } else if (state == QueuePairState.ERR) {
                String reason = account.reason();
                hint = (reason == null ? ": " : ": " + reason + ", ")
                        + "its work was flushed; reset() it, poll until its completion queue is empty, and connect again";
            } else {
                hint = "; lead it there with initialize and connect";
            }
            return new IllegalStateException(need + ", " + queuePair + " is in " + state + hint, failure);
        }

        @Override
        VerbsException.Builder describe(VerbsException.Builder failure) {
            return failure.argument("queue pair", queuePair).argument("state", queuePair.state());
        }

        @Override
        String whereToAskForSegments() {
            return "QueuePairOptions.segments";
        }
    }

    /** It has no states. */
    private static final class OfSharedQueue extends PostingTarget {
        private final SharedReceiveQueue queue;

        private OfSharedQueue(SharedReceiveQueue queue) {
            super(queue, queue.domain());
            this.queue = queue;
        }

        @Override
        MemorySegment handle() {
            return queue.handle();
        }

        @Override
        boolean isLockedBySections() {
            return false;
        }

        @Override
        IllegalStateException closed(String need) {
            throw new AssertionError(this + " can always be posted to");
        }

        @Override
        VerbsException.Builder describe(VerbsException.Builder failure) {
            return failure.argument("queue", this);
        }

        @Override
        String whereToAskForSegments() {
            return "createSharedReceiveQueue";
        }
    }
}
