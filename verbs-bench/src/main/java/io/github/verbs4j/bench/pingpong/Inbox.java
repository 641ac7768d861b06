package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.bench.BenchFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What the ends say, all of it in one queue: so the loss of any of them is noticed whomever one waits for. */
final class Inbox {
    /** A line of an end; none is its end. */
    private record Said(EndProcess end, String line) {}

    private final BlockingQueue<Said> arrived = new LinkedBlockingQueue<>();
    private final Map<EndProcess, Queue<String>> unread = new HashMap<>();

    /** An end said something. */
    void add(EndProcess end, String line) {
        arrived.add(new Said(end, line));
    }

    /** An end will say no more. */
    void addLast(EndProcess end) {
        arrived.add(new Said(end, null));
    }

    /**
     * {@return the next line of an end}
     *
     * @param end to wait for
     * @param patience how long it may take
     * @throws BenchFailure if it takes too long, or any end has ended
     */
    String await(EndProcess end, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (lines(end).isEmpty()) {
            Said said = next(end, deadline - System.nanoTime());
            if (said == null) {
                throw new BenchFailure(end + " said nothing for " + patience.toSeconds() + " s" + end.complaint());
            }
            if (said.line() == null) {
                throw new BenchFailure(said.end() + " ended early" + said.end().complaint());
            }
            lines(said.end()).add(said.line());
        }
        return lines(end).remove();
    }

    private Queue<String> lines(EndProcess end) {
        return unread.computeIfAbsent(end, _ -> new ArrayDeque<>());
    }

    private Said next(EndProcess end, long nanos) {
        try {
            return arrived.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted while waiting for " + end, e);
        }
    }
}
