package io.github.verbs4j.cm;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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

    /** As {@link #await}; what is made when nobody waits for it any more is closed. */
    static <T> T await(CompletableFuture<T> future, Consumer<T> closing) throws InterruptedException {
        try {
            return await(future);
        } catch (InterruptedException e) {
            future.thenAccept(closing);
            throw e;
        }
    }

    static Duration require(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is not more than 0");
        }
        return timeout;
    }

    /** The kernel's deadline for a step, after ours: what it would tell then is less. */
    static int kernelMillis(Duration timeout) {
        return (int) Math.min(TimeUnit.MILLISECONDS.convert(timeout), Integer.MAX_VALUE - GRACE_MILLIS) + GRACE_MILLIS;
    }
}
