package io.github.verbs4j.it.rdma;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** No test waits for ever. */
public final class Watchdog {
    /** Far longer than anything takes in an emulated machine with busy processors. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Then it dozes, which lets a software device have the processor; yielding does not when several threads wait. */
    private static final int TRIES_AWAKE = 64;

    private static final long DOZE_NANOS = 100_000;

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
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            watchdog.check();
            if (tries >= TRIES_AWAKE) {
                LockSupport.parkNanos(DOZE_NANOS);
            }
        }
    }

    /**
     * Gives the kernel time for what it tells nobody of: a message that is dropped. Soft-RoCE of Linux 6.12 takes messages in a
     * thread of its own, after the sender has had its completion.
     */
    public static void letPass() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
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
