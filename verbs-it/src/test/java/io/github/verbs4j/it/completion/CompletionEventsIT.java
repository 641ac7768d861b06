package io.github.verbs4j.it.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Completions;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Sleeping until a completion event comes, and what ends the sleep: the cases of pyverbs' {@code test_cq_events.py}, and
 * the race between asking for an event and the completion.
 */
class CompletionEventsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 100_000;
    private static final int WRITERS = 4;

    /**
     * Writes, and sleeps until the write has completed, again and again. How long it does something else between the two is
     * left to chance, so that the completion comes before, while and after the event is asked for.
     */
    private record Writer(Link link, int rounds) implements Callable<Void> {
        @Override
        public Void call() throws InterruptedException {
            End end = link.client();
            end.sends().acquire();
            end.completions().acquire();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int round = 0; round < rounds; round++) {
                end.sends()
                        .write(round, end.memory(), 0, 8, link.server().memory().remote(), 0)
                        .signaled();
                end.post();
                for (int spins = random.nextInt(200); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                long begin = System.nanoTime();
                assertEquals(1, end.completions().await(WaitStrategy.EVENT, PATIENCE));
                boolean woken = System.nanoTime() - begin < PATIENCE.toNanos(); // else it was the deadline's last poll
                assertTrue(woken, "a wake-up was lost in round " + round);
                assertTrue(end.completions().next());
                assertEquals(round, end.completions().id());
            }
            end.sends().release();
            end.completions().release();
            return null;
        }

        FutureTask<Void> start() {
            link.client().sends().release();
            link.client().completions().release();
            FutureTask<Void> task = new FutureTask<>(this);
            Thread.ofPlatform().start(task);
            return task;
        }
    }

    @Test
    void shouldLoseNoWakeUpInAHundredThousandRounds() throws Exception {
        List<Link> links = new ArrayList<>();
        try {
            List<FutureTask<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                links.add(Link.connected());
                tasks.add(new Writer(links.get(i), ROUNDS / WRITERS).start());
            }
            for (FutureTask<Void> task : tasks) {
                task.get(10, TimeUnit.MINUTES);
            }
        } finally {
            links.forEach(Link::close);
        }
    }

    @Test
    void shouldKeepTheDeadline() throws Exception {
        try (Link link = Link.connected()) {
            Duration timeout = Duration.ofMillis(200);
            long begin = System.nanoTime();
            assertEquals(0, link.client().completions().await(WaitStrategy.EVENT, timeout));
            long waited = System.nanoTime() - begin;
            assertTrue(waited >= timeout.toNanos(), () -> "returned after " + waited + " ns");
        }
    }

    @Test
    void shouldEndTheWaitWhenAnotherThreadCloses() throws Exception {
        try (Link link = Link.connected()) {
            Completions completions = link.client().completions();
            Thread waiter = Thread.currentThread();
            FutureTask<Void> closer = new FutureTask<>(
                    () -> {
                        while (waiter.getState() != Thread.State.TIMED_WAITING) {
                            Thread.onSpinWait();
                        }
                        completions.close();
                    },
                    null);
            Thread.ofPlatform().start(closer);
            assertThrows(CancellationException.class, () -> completions.await(WaitStrategy.EVENT, PATIENCE));
            closer.get(60, TimeUnit.SECONDS);
        }
    }
}
