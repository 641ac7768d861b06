package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What all strategies have in common. */
@Timeout(60)
class AwaitTest extends FakeDevice {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(30);

    private Completions completions;
    private volatile int taken;

    @BeforeEach
    void read() {
        completions = completions();
    }

    private void push() {
        FakeVerbs.pushCompletion(queue.handle(), FakeCompletion.success(1, 0, 17));
    }

    /** Once this thread has waited for a while. */
    private static Thread soon(Runnable task) {
        return Thread.ofPlatform().start(() -> {
            LockSupport.parkNanos(SHORT.toNanos());
            task.run();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldCostOnePollIfSomethingIsThere(WaitStrategy strategy) throws Exception {
        push();
        push();
        FakeVerbs.clearRecords();

        assertEquals(2, completions.await(strategy, LONG));
        assertTrue(completions.next() && completions.next() && !completions.next());
        assertEquals(1, FakeVerbs.calls("ibv_poll_cq"));
        assertEquals(0, FakeVerbs.calls("ibv_req_notify_cq"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeWhatComesLater(WaitStrategy strategy) throws Exception {
        for (int round = 0; round < 5; round++) {
            Thread pusher = soon(this::push);
            assertEquals(1, completions.await(strategy, LONG));
            assertTrue(completions.next());
            assertEquals(1, completions.id());
            pusher.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeWhatComesNow(WaitStrategy strategy) throws Exception {
        int rounds = 2000;
        Thread pusher = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < rounds; i++) {
                push();
                if (i % 10 == 0) {
                    LockSupport.parkNanos(i * 100L);
                }
                while (i - taken >= 500) { // the queue must not overflow
                    Thread.onSpinWait();
                }
            }
        });
        while (taken < rounds) {
            int count = completions.await(strategy, LONG);
            assertTrue(count > 0, "nothing came");
            taken = taken + count;
        }
        pusher.join();
        assertEquals(rounds, taken);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotReturnBeforeTheDeadline(WaitStrategy strategy) throws Exception {
        for (int round = 0; round < 3; round++) {
            long begin = System.nanoTime();
            assertEquals(0, completions.await(strategy, SHORT));
            assertTrue(System.nanoTime() - begin >= SHORT.toNanos());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldPollOnceForNoTime(WaitStrategy strategy) throws Exception {
        FakeVerbs.clearRecords();
        assertEquals(0, completions.await(strategy, Duration.ZERO));
        assertEquals(1, FakeVerbs.calls("ibv_poll_cq"));
        assertEquals(0, FakeVerbs.calls("ibv_req_notify_cq"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldWaitForEver(WaitStrategy strategy) throws Exception {
        soon(this::push);
        assertEquals(1, completions.await(strategy, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseANegativeTimeout(WaitStrategy strategy) {
        for (Duration timeout : new Duration[] {Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE)}) {
            assertEquals(
                    "timeout=" + timeout + " is negative; Duration.ZERO polls once",
                    assertThrows(IllegalArgumentException.class, () -> completions.await(strategy, timeout))
                            .getMessage());
        }
        assertEquals(0, FakeVerbs.calls("ibv_poll_cq"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeInterruptedBefore(WaitStrategy strategy) {
        for (Duration timeout : new Duration[] {Duration.ZERO, LONG}) {
            Thread.currentThread().interrupt();
            InterruptedException thrown =
                    assertThrows(InterruptedException.class, () -> completions.await(strategy, timeout));
            assertEquals("interrupted while waiting in " + completions, thrown.getMessage());
            assertFalse(Thread.interrupted(), "the flag is cleared");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeInterruptedMeanwhile(WaitStrategy strategy) {
        Thread waiter = Thread.currentThread();
        soon(waiter::interrupt);
        assertThrows(InterruptedException.class, () -> completions.await(strategy, LONG));
        assertFalse(Thread.interrupted(), "the flag is cleared");
        assertTrue(completions.isOpen());
        assertEquals(0, completions.poll());
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeWhatIsThereAlthoughInterrupted(WaitStrategy strategy) throws Exception {
        push();
        Thread.currentThread().interrupt();
        assertEquals(1, completions.await(strategy, LONG));
        assertTrue(Thread.interrupted(), "the flag is kept");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotMindBeingWokenForNothing(WaitStrategy strategy) throws Exception {
        Thread waiter = Thread.currentThread();
        Thread disturber = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.unpark(waiter);
                LockSupport.parkNanos(100_000);
            }
        });
        try {
            long begin = System.nanoTime();
            assertEquals(0, completions.await(strategy, SHORT));
            assertTrue(System.nanoTime() - begin >= SHORT.toNanos());
            soon(this::push);
            assertEquals(1, completions.await(strategy, LONG));
        } finally {
            disturber.interrupt();
            disturber.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndTheWaitWhenAnotherThreadCloses(WaitStrategy strategy) throws Exception {
        CompletionQueue other = keep(context.createCompletionQueue(16));
        for (int round = 0; round < 100; round++) {
            long delay = TimeUnit.MICROSECONDS.toNanos(5L * round);
            try (Completions waited = Completions.over(other, 16)) {
                AtomicBoolean begun = new AtomicBoolean();
                FutureTask<Void> closer = new FutureTask<>(
                        () -> {
                            while (!begun.get()) {
                                Thread.onSpinWait();
                            }
                            LockSupport.parkNanos(delay);
                            while (waited.isOpen()) {
                                closeUnlessBusy(waited);
                            }
                        },
                        null);
                Thread.ofPlatform().start(closer);
                begun.set(true);
                assertThrows(CancellationException.class, () -> waited.await(strategy, LONG));
                assertFalse(waited.isOpen());
                closer.get(50, TimeUnit.SECONDS);
                assertThrows(IllegalStateException.class, waited::poll);
            }
        }
    }

    /** The owner may not wait yet. */
    private static void closeUnlessBusy(Completions completions) {
        try {
            completions.close();
        } catch (WrongThreadException busy) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldCloseInAnInterruptedThread() throws Exception {
        Thread waiter = Thread.currentThread();
        FutureTask<Boolean> closer = new FutureTask<>(() -> {
            while (waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            Thread.currentThread().interrupt();
            completions.close();
            completions.close();
            return Thread.interrupted();
        });
        Thread.ofPlatform().start(closer);
        assertThrows(CancellationException.class, () -> completions.await(WaitStrategy.EVENT, LONG));
        assertTrue(closer.get(50, TimeUnit.SECONDS), "the flag is kept");
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayWithItsOwner(WaitStrategy strategy) throws Exception {
        boolean sleeps = strategy == WaitStrategy.EVENT || strategy == WaitStrategy.ADAPTIVE;
        Thread waiter = Thread.currentThread();
        Thread other = soon(() -> {
            while (sleeps && waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            for (Runnable use : new Runnable[] {completions::acquire, completions::release}) {
                assertThrows(WrongThreadException.class, use::run);
            }
            assertThrows(WrongThreadException.class, () -> completions.await(strategy, LONG));
            assertThrows(IllegalStateException.class, queue::close);
            assertThrows(IllegalStateException.class, context::close);
            push();
        });
        assertEquals(1, completions.await(strategy, LONG));
        other.join();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellOfABrokenQueue(WaitStrategy strategy) {
        soon(() -> FakeVerbs.nextPollReturns(-5));
        assertThrows(VerbsException.class, () -> {
            while (true) {
                completions.await(strategy, SHORT);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldWaitInAVirtualThread(WaitStrategy strategy) throws Exception {
        completions.release();
        Throwable[] failure = {null};
        Thread waiter = Thread.ofVirtual().unstarted(() -> {
            completions.acquire();
            try {
                assertEquals(0, completions.await(strategy, SHORT));
                soon(this::push);
                assertEquals(1, completions.await(strategy, LONG));
                Thread.currentThread().interrupt();
                assertThrows(InterruptedException.class, () -> completions.await(strategy, LONG));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                completions.release();
            }
        });
        waiter.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        waiter.start();
        waiter.join();
        completions.acquire();
        assertEquals(null, failure[0]);
    }
}
