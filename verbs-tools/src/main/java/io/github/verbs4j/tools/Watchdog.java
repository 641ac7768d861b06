package io.github.verbs4j.tools;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How a loop waits that polls: it spins, then lets others run, then dozes, and gives up when nothing has come for too long.
 *
 * <p>An answer of a network adapter comes while it spins. A software device moves the data on the same processors that we
 * poll on, so yielding is what lets it; and on a machine that is short of processors, dozing is what lets the peer.
 */
final class Watchdog {
    /** Some ten microseconds of polling. */
    private static final int SPINS = 128;

    private static final long AWAKE = TimeUnit.MICROSECONDS.toNanos(250);
    private static final long DOZE = TimeUnit.MICROSECONDS.toNanos(50);

    private final long patience;
    private final Supplier<String> reason;
    private int spins;
    private long since;

    /**
     * Makes one.
     *
     * @param patience how long nothing may come
     * @param reason what to say then
     */
    Watchdog(Duration patience, Supplier<String> reason) {
        this.patience = patience.toNanos();
        this.reason = reason;
    }

    /** Something came. */
    void calm() {
        spins = 0;
    }

    /** Nothing came. */
    void idle() {
        if (spins < SPINS) {
            spins++;
            Thread.onSpinWait();
            since = spins == SPINS ? System.nanoTime() : 0;
            return;
        }
        long waited = System.nanoTime() - since;
        if (waited > patience) {
            throw new CommandFailure(reason.get());
        }
        if (waited > AWAKE) {
            LockSupport.parkNanos(DOZE);
        } else {
            Thread.yield();
        }
    }
}
