package io.github.verbs4j;

import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.internal.Bell;
import io.github.verbs4j.internal.Rhythm;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The loops behind {@link CompletionCursor#await}. Each polls, looks at the clock only after a poll that found nothing, and
 * polls again after every sleep, so that what came at the last moment is taken. Nothing is allocated.
 */
final class Waiting {
    private static final int IDLE = 0;
    private static final int WAITING = 1;
    private static final int CANCELLED = 2;

    private static final int POLLS_PER_LOOK = 32;
    private static final long SPIN_BEFORE_YIELD = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long SPIN_BEFORE_DOZE = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long DOZE = TimeUnit.MICROSECONDS.toNanos(50);

    private final CompletionCursor completions;
    private final CompletionQueue queue;
    private final Bell bell;
    private final Rhythm rhythm = new Rhythm();
    private final AtomicInteger phase = new AtomicInteger(IDLE);
    private final CountDownLatch ended = new CountDownLatch(1);

    // of the present wait, nanoseconds
    private long begin;
    private long timeout;

    Waiting(CompletionCursor completions, CompletionQueue queue) {
        this.completions = completions;
        this.queue = queue;
        this.bell = queue.bell();
    }

    /** Waits, after a poll that found nothing; returns what a poll returned, 0 when the time is over. */
    int await(WaitStrategy strategy, long nanoseconds) throws InterruptedException {
        begin = System.nanoTime();
        timeout = nanoseconds;
        phase.set(WAITING);
        int count;
        try {
            count = isOver(timeout) ? 0 : pass(strategy);
        } finally {
            leave();
        }
        if (!completions.isOpen()) {
            throw new CancellationException(completions + " was closed by another thread while this one waited in it");
        }
        return count;
    }

    private int pass(WaitStrategy strategy) throws InterruptedException {
        return switch (strategy) {
            case SPIN -> spin(timeout);
            case SPIN_THEN_YIELD -> spinThenYield();
            case ADAPTIVE -> adapt();
            case EVENT -> sleep(false);
        };
    }

    /** Whoever cancelled the wait waits for the owner to close. */
    private void leave() {
        if (!phase.compareAndSet(WAITING, IDLE)) {
            try {
                completions.closeByOwner();
            } finally {
                ended.countDown();
            }
        }
    }

    /** Ends the wait, and returns when the owner has closed; false if nobody waits. */
    boolean cancel() {
        if (!phase.compareAndSet(WAITING, CANCELLED) && phase.get() != CANCELLED) {
            return false;
        }
        bell.ring();
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private boolean isCancelled() {
        return phase.get() == CANCELLED;
    }

    private long waited() {
        return System.nanoTime() - begin;
    }

    private boolean isOver(long limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting in " + completions);
        }
        return isCancelled() || waited() >= limit;
    }

    /** Until the wait has lasted so long. */
    private int spin(long limit) throws InterruptedException {
        boolean virtual = Thread.currentThread().isVirtual();
        do {
            for (int i = 0; i < POLLS_PER_LOOK; i++) {
                Thread.onSpinWait();
                int count = completions.poll();
                if (count != 0) {
                    return count;
                }
            }
            if (virtual) {
                Thread.yield();
            }
        } while (!isOver(limit));
        return 0;
    }

    private int spinThenYield() throws InterruptedException {
        int count = spin(Math.min(SPIN_BEFORE_YIELD, timeout));
        while (count == 0 && !isOver(timeout)) {
            Thread.yield();
            count = completions.poll();
        }
        return count;
    }

    private int adapt() throws InterruptedException {
        int count = 0;
        if (rhythm.isQuick()) {
            count = spin(Math.min(SPIN_BEFORE_DOZE, timeout));
            if (count == 0) {
                count = doze(Math.min(Rhythm.SHORT, timeout));
            }
        }
        if (count == 0 && !isOver(timeout)) {
            count = sleep(true);
        }
        rhythm.learn(count == 0 ? Long.MAX_VALUE : waited());
        return count;
    }

    /** Polls now and then, until the wait has lasted so long. */
    private int doze(long limit) throws InterruptedException {
        int count = 0;
        while (count == 0 && !isOver(limit)) {
            LockSupport.parkNanos(this, DOZE);
            count = completions.poll();
        }
        return count;
    }

    /** Until an event comes, or for a moment, again and again; without events only if it may doze. */
    private int sleep(boolean mayDoze) throws InterruptedException {
        bell.listen();
        try {
            do {
                boolean told = queue.requestEvent();
                if (!told && !mayDoze) {
                    throw noEvents();
                }
                // what completed before the request raises no event
                int count = completions.poll();
                if (count != 0 || isCancelled()) { // and neither does who cancelled before it
                    return count;
                }
                pause(told, timeout - waited());
                count = completions.poll();
                if (count != 0) {
                    return count;
                }
            } while (!isOver(timeout));
            return 0;
        } finally {
            bell.leave();
        }
    }

    private void pause(boolean told, long left) {
        if (told) {
            bell.sleep(left);
        } else {
            LockSupport.parkNanos(this, Math.min(DOZE, left));
        }
    }

    private UnsupportedCapabilityException noEvents() {
        return UnsupportedCapabilityException.of(
                "ibv_req_notify_cq",
                "completion events",
                queue.context().device().name(),
                queue.context().provider(),
                "the provider has no completion channel or does not answer requests for events; every other wait strategy"
                        + " works");
    }
}
