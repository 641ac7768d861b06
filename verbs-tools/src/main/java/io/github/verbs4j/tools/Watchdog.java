package io.github.verbs4j.tools;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How a loop waits that polls: it spins, lets others run now and then, dozes when nothing comes for long, and gives up when
 * nothing has come for too long.
 *
 * <p>On a software device the kernel moves the data on the same processors that we poll on, so yielding is what lets it; and
 * on a machine that is short of processors, dozing is what lets the peer.
 */
final class Watchdog {
    private static final int SPINS = 16;
    private static final int SPINS_PER_LOOK = 64;
    private static final long AWAKE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long DOZE = TimeUnit.MICROSECONDS.toNanos(50);

    private final long patience;
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
        this.patience = patience.toNanos();
        this.reason = reason;
    }

    /** Something came. */
    void calm() {
        empty = 0;
        since = 0;
    }

    /** Nothing came. */
    void idle() {
        if (++empty < SPINS_PER_LOOK) {
            if (empty % SPINS == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        } else {
            empty = 0;
            look();
        }
    }

    private void look() {
        long now = System.nanoTime();
        if (since == 0) {
            since = now;
            return;
        }
        long waited = now - since;
        if (waited > patience) {
            throw new CommandFailure(reason.get());
        }
        if (waited > AWAKE) {
            // look again at once after the doze
            empty = SPINS_PER_LOOK - 1;
            LockSupport.parkNanos(DOZE);
        }
    }
}
