package io.github.verbs4j.it.rdma;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** No test waits for ever. */
public final class Watchdog {
    /** Far longer than anything takes in an emulated machine with busy processors. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long deadline = System.nanoTime() + PATIENCE.toNanos();
    private final String awaited;

    private Watchdog(String awaited) {
        this.awaited = awaited;
    }

    /**
     * {@return a watchdog that barks in a minute}
     *
     * @param awaited what is waited for
     */
    public static Watchdog over(String awaited) {
        return new Watchdog(awaited);
    }

    /**
     * Waits until something is so.
     *
     * @param awaited what is waited for
     * @param condition asked again and again
     */
    public static void await(String awaited, BooleanSupplier condition) {
        Watchdog watchdog = over(awaited);
        while (!condition.getAsBoolean()) {
            watchdog.check();
            Thread.yield();
        }
    }

    /** Fails when the time is over, or the thread is interrupted. */
    public void check() {
        if (System.nanoTime() > deadline) {
            throw new AssertionError("waited " + PATIENCE.toSeconds() + " s in vain for " + awaited);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new AssertionError("interrupted while waiting for " + awaited);
        }
    }
}
