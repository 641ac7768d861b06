package io.github.verbs4j.cm;

import io.github.verbs4j.QueuePair;
import io.github.verbs4j.internal.Lifetime;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What needs a queue pair while it is under way: nobody closes the queue pair meanwhile. What it comes to needs it as its parent.
 *
 * <p>Thread-safe; one at a time.
 */
final class Attempt {
    private final AutoCloseable holder;
    private final String what;
    private Lifetime queuePair;

    /** By what messages name, and what is said of that meanwhile: "is connecting". */
    Attempt(AutoCloseable holder, String what) {
        this.holder = holder;
        this.what = what;
    }

    /** Refuses what cannot be done meanwhile. */
    synchronized void requireNone(String operation) {
        if (queuePair != null) {
            throw new IllegalStateException(operation + ": " + holder + " " + what + "; close() ends that");
        }
    }

    /** Begins; while the holder cannot be closed. */
    synchronized void begin(String operation, QueuePair needed) {
        requireNone(operation);
        Lifetime found = Lifetime.of(needed);
        found.hold(operation, holder);
        queuePair = found;
    }

    /** It ends with this future, or with what is thrown, and has ended before anyone learns of that. */
    <T> CompletableFuture<T> until(Supplier<CompletableFuture<T>> body) {
        CompletableFuture<T> outcome;
        try {
            outcome = body.get();
        } catch (Throwable failed) {
            end();
            throw failed;
        }
        return outcome.whenComplete((made, thrown) -> end());
    }

    /** Twice is harmless. */
    synchronized void end() {
        if (queuePair != null) {
            queuePair.remove(holder);
            queuePair = null;
        }
    }
}
