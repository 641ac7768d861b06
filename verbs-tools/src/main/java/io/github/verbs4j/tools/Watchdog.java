package io.github.verbs4j.tools;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How a loop waits that polls: it spins, then dozes between polls, and gives up when nothing has come for too long.
 *
 * <p>An answer of a network adapter comes while it spins. Where the machine is short of processors, and the peer or a
 * software device wants to run on the one that we spin on, dozing is what lets them; yielding proved worse than either.
 */
final class Watchdog {
    private static final int SPINS_PER_LOOK = 32;
    private static final long AWAKE = TimeUnit.MICROSECONDS.toNanos(300);
    private static final long DOZE = TimeUnit.MICROSECONDS.toNanos(50);

    private final long patience;
    private final Supplier<String> reason;
    private int spins;
    private long since;
    private boolean dozing;

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
        dozing = false;
    }

    /** Nothing came. */
    void idle() {
        if (dozing || ++spins % SPINS_PER_LOOK == 0) {
            look();
        } else {
            Thread.onSpinWait();
        }
    }

    private void look() {
        long now = System.nanoTime();
        if (spins == SPINS_PER_LOOK) {
            since = now;
        }
        long waited = now - since;
        if (waited > patience) {
            throw new CommandFailure(reason.get());
        }
        dozing = waited > AWAKE;
        if (dozing) {
            // the count must not stand where the wait begins
            spins = 0;
            LockSupport.parkNanos(DOZE);
        }
    }
}
