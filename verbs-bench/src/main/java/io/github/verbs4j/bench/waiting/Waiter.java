package io.github.verbs4j.bench.waiting;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.github.verbs4j.Completions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.bench.BenchFailure;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Waits for messages of another thread by one strategy. The waiting is done by the thread that makes it. */
final class Waiter {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Not measured: classes are loaded, the first event starts a thread, code is compiled. */
    private static final int WARM_UP = 100;

    private final Ends ends;
    private final WaitStrategy strategy;

    // what the two threads tell each other
    private volatile int seen;
    private volatile long posted;
    private volatile long senderNanos;

    Waiter(Ends ends, WaitStrategy strategy) {
        this.ends = ends;
        this.strategy = strategy;
    }

    String measure(Duration idle, int rounds, long pauseNanos) {
        try (Completions completions = Completions.over(ends.waitedFor, 1);
                ReceiveQueue receives = ReceiveQueue.over(ends.receiver)) {
            long[] late = new long[rounds];
            takeTurns(completions, receives, new long[WARM_UP], pauseNanos);
            double processor = takeTurns(completions, receives, late, pauseNanos);
            double idleProcessor = idle(completions, idle);
            Arrays.sort(late);
            return String.format(
                    Locale.ROOT,
                    "wait strategy=%s idle_processor=%.2f seen_us=%.1f p99_us=%.1f processor=%.2f",
                    strategy,
                    idleProcessor,
                    late[rounds / 2] / 1e3,
                    late[rounds * 99 / 100] / 1e3,
                    processor);
        } catch (InterruptedException e) {
            throw new BenchFailure("interrupted", e);
        }
    }

    /** The share of a processor that the whole process takes, for another thread may wait for the events. */
    private double idle(Completions completions, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        long before = PROCESS.getProcessCpuTime();
        if (completions.await(strategy, time) != 0) {
            throw new BenchFailure("a completion came that nobody asked for");
        }
        return (double) (PROCESS.getProcessCpuTime() - before) / (System.nanoTime() - start);
    }

    /** The same without the sender. */
    private double takeTurns(Completions completions, ReceiveQueue receives, long[] late, long pauseNanos)
            throws InterruptedException {
        seen = 0;
        receives.receive(0, ends.memory, 0, Ends.BYTES);
        receives.post();
        Thread sender = Thread.ofPlatform().name("sender").start(() -> send(late.length, pauseNanos));
        long start = System.nanoTime();
        long before = PROCESS.getProcessCpuTime();
        for (int round = 0; round < late.length; round++) {
            if (completions.await(strategy, PATIENCE) == 0) {
                throw new BenchFailure("no message came in " + PATIENCE.toSeconds() + " s");
            }
            late[round] = System.nanoTime() - posted;
            completions.next();
            completions.requireSuccess();
            if (round + 1 < late.length) {
                receives.receive(round + 1, ends.memory, 0, Ends.BYTES);
                receives.post();
            }
            seen = round + 1;
        }
        long taken = PROCESS.getProcessCpuTime() - before;
        long lasted = System.nanoTime() - start;
        sender.join();
        return (double) Math.max(0, taken - senderNanos) / lasted;
    }

    private void send(int count, long pauseNanos) {
        try (SendQueue sends = SendQueue.over(ends.sender);
                Completions completions = Completions.over(ends.sent, 1)) {
            for (int round = 0; round < count; round++) {
                long next = System.nanoTime() + pauseNanos;
                while (seen < round || System.nanoTime() < next) {
                    LockSupport.parkNanos(Math.max(50_000, next - System.nanoTime()));
                }
                posted = System.nanoTime();
                sends.send(round, ends.memory, 0, Ends.BYTES).signaled().post();
                while (completions.poll() == 0) {
                    LockSupport.parkNanos(50_000);
                }
                completions.next();
                completions.requireSuccess();
            }
            senderNanos = THREADS.getCurrentThreadCpuTime();
        }
    }
}
