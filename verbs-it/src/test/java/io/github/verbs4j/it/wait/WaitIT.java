package io.github.verbs4j.it.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Completions;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Link;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to wait, on a real device. */
class WaitIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** One end of a ping-pong, which takes what it sent and what it received by one strategy. */
    private record Player(End end, boolean begins, WaitStrategy strategy, int rounds) implements Callable<Void> {
        @Override
        public Void call() throws InterruptedException {
            Completions completions = end.completions();
            completions.acquire();
            end.sends().acquire();
            end.receives().acquire();
            int sent = 0;
            int received = 0;
            if (begins) {
                send(sent++);
            }
            while (received < rounds) {
                int took = await(completions);
                for (; took > 0; took--) {
                    assertTrue(completions.next());
                    completions.requireSuccess();
                    if (completions.isReceive()) {
                        assertEquals(received, completions.id());
                        received++;
                        end.receive(received, 0, 64);
                        if (sent < rounds) {
                            send(sent++);
                        }
                    }
                }
            }
            completions.release();
            end.sends().release();
            end.receives().release();
            return null;
        }

        private int await(Completions completions) throws InterruptedException {
            int took = completions.await(strategy, PATIENCE);
            assertTrue(took > 0, () -> "nothing came in " + PATIENCE.toSeconds() + " s by " + strategy);
            return took;
        }

        private void send(int id) {
            end.sends().send(id, end.memory(), 128, 64).signaled();
            end.post();
        }

        /** Leaves the end to a thread that plays. */
        FutureTask<Void> playIn(ThreadFactory threads) {
            end.receive(0, 0, 64);
            end.completions().release();
            end.sends().release();
            end.receives().release();
            FutureTask<Void> game = new FutureTask<>(this);
            threads.newThread(game).start();
            return game;
        }
    }

    private static void play(WaitStrategy strategy, int rounds, ThreadFactory threads) throws Exception {
        try (Link link = Link.connected()) {
            FutureTask<Void> server = new Player(link.server(), false, strategy, rounds).playIn(threads);
            FutureTask<Void> client = new Player(link.client(), true, strategy, rounds).playIn(threads);
            client.get(10, TimeUnit.MINUTES);
            server.get(1, TimeUnit.MINUTES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldPlayPingPong(WaitStrategy strategy) throws Exception {
        play(strategy, 500, Thread.ofPlatform().factory());
    }

    @ParameterizedTest
    @EnumSource
    void shouldPlayPingPongInVirtualThreads(WaitStrategy strategy) throws Exception {
        play(strategy, 200, Thread.ofVirtual().factory());
    }

    @Test
    void shouldNotMissAnEventInTenThousandRounds() throws Exception {
        play(WaitStrategy.EVENT, 10_000, Thread.ofPlatform().factory());
    }

    @Test
    void shouldBeInterruptedWhileSleeping() {
        try (Link link = Link.connected()) {
            Thread waiter = Thread.currentThread();
            Thread.ofPlatform().start(() -> {
                while (waiter.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                waiter.interrupt();
            });
            assertThrows(
                    InterruptedException.class,
                    () -> link.client().completions().await(WaitStrategy.EVENT, PATIENCE));
            link.client().requireNothingCompleted();
        }
    }

    @Test
    void shouldCostNoProcessorWhileNothingCompletes() throws Exception {
        try (Link link = Link.connected()) {
            Completions completions = link.client().completions();
            idle(completions, WaitStrategy.EVENT, Duration.ofMillis(100)); // starts what is started once
            long spinning = idle(completions, WaitStrategy.SPIN, Duration.ofSeconds(2));
            for (WaitStrategy sleeping : new WaitStrategy[] {WaitStrategy.EVENT, WaitStrategy.ADAPTIVE}) {
                long asleep = idle(completions, sleeping, Duration.ofSeconds(2));
                assertTrue(asleep < spinning / 10, () -> sleeping + " " + asleep + " ns, spinning " + spinning + " ns");
            }
        }
    }

    /** The processor time of this thread, nanoseconds. */
    private static long idle(Completions completions, WaitStrategy strategy, Duration time)
            throws InterruptedException {
        long begin = THREADS.getCurrentThreadCpuTime();
        assertEquals(0, completions.await(strategy, time));
        return THREADS.getCurrentThreadCpuTime() - begin;
    }
}
