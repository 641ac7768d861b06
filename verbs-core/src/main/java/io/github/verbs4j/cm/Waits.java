package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The synchronous way is the other one, waited for. */
final class Waits {
    private static final int GRACE_MILLIS = 1000;

    private Waits() {}

    static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get(); // it has a deadline of its own
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException failed) {
                throw failed;
            }
            throw new AssertionError("a connection failed with something unknown", cause);
        }
    }

    /**
     * As {@link #await}; an interrupt ends what is under way, and what was made just then is closed: nobody else could, and whoever
     * closes the queue pair next must find it free.
     */
    static <T> T await(CompletableFuture<T> future, Runnable ending, Consumer<T> closing) throws InterruptedException {
        try {
            return await(future);
        } catch (InterruptedException e) {
            CompletableFuture<Void> over = future.handle((made, thrown) -> {
                if (made != null) {
                    closing.accept(made);
                }
                return null;
            });
            try {
                ending.run();
                over.join(); // soon
            } catch (VerbsException | CompletionException refused) {
                e.addSuppressed(refused);
            }
            throw e;
        }
    }

    static Duration require(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is not more than 0");
        }
        return timeout;
    }

    static Deadline deadline(Duration timeout) {
        return Deadline.in(require(timeout));
    }

    /** The kernel's deadline for a step, after ours: what it would tell then is less. */
    static int kernelMillis(Duration timeout) {
        return (int) Math.min(TimeUnit.MILLISECONDS.convert(timeout), Integer.MAX_VALUE - GRACE_MILLIS) + GRACE_MILLIS;
    }
}
