package io.github.verbs4j;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.QueuePairAccount;

/** What to say when posting is not possible. */
final class PostFailures {
    private PostFailures() {}

    static IllegalStateException wrongState(String need, QueuePair queuePair, QueuePairAccount account) {
        String hint;
        if (account.firstFailure() != null) {
            hint = ": it failed earlier, see the cause; reset() it and connect again";
        } else if (account.hasFailed()) {
            hint = ": its work was flushed; reset() it, poll until its completion queue is empty, and connect again";
        } else {
            hint = "; lead it there with initialize and connect";
        }
        return new IllegalStateException(
                need + ", " + queuePair + " is in " + queuePair.state() + hint, account.firstFailure());
    }

    static VerbsException refused(String operation, Errno errno, QueuePair queuePair, int accepted, int count) {
        VerbsException.Builder failure = VerbsException.of(operation)
                .errno(errno.number())
                .device(queuePair.domain().context().device().name())
                .argument("queue pair", queuePair)
                .argument("state", queuePair.state())
                .argument("posted", count)
                .argument("accepted", accepted);
        if (errno.equals(Errno.ENOMEM)) {
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
