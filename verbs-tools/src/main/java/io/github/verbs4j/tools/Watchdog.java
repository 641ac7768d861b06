package io.github.verbs4j.tools;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How a loop waits that polls: it spins, lets others run now and then, and gives up when nothing has come for too long.
 *
 * <p>On a software device the kernel moves the data on the same processors that we poll on, so yielding is what lets it.
 */
final class Watchdog {
    private static final int SPINS = 16;
    private static final int SPINS_PER_LOOK = 1024;

    private final Duration patience;
    private final Supplier<String> reason;
    private int empty;
    private long since;

    /**
     * Makes one.
     *
     * @param patience how long nothing may come
     * @param reason what to say then
     */
    Watchdog(Duration patience, Supplier<String> reason) {
        this.patience = patience;
        this.reason = reason;
    }

    /** Something came. */
    void calm() {
        empty = 0;
    }

    /** Nothing came. */
    void idle() {
        empty++;
        if (empty % SPINS == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
        if (empty % SPINS_PER_LOOK == 0) {
            look();
        }
    }

    private void look() {
        long now = System.nanoTime();
        if (empty == SPINS_PER_LOOK) {
            since = now;
        } else if (now - since > patience.toNanos()) {
            throw new CommandFailure(reason.get());
        }
        if (empty == Integer.MAX_VALUE - SPINS_PER_LOOK + 1) {
            empty = 2 * SPINS_PER_LOOK;
        }
    }
}
