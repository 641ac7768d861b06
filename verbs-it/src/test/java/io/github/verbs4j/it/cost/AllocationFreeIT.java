package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Watchdog;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class AllocationFreeIT {
    private static final int ROUNDS = 10_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Polls until a number of completions came, and takes them. */
    private static void take(Completions completions, int count, Watchdog watchdog) {
        for (int pending = count; pending > 0; ) {
            pending -= completions.poll();
            while (completions.next()) {
                completions.requireSuccess();
                if (completions.isReceive() && completions.byteLength() != 16) {
                    throw new AssertionError("length " + completions.byteLength());
                }
            }
            watchdog.check();
        }
    }

    @Test
    void shouldAllocateNothingWhilePostingAndPollingWrites() {
        try (Link link = Link.builder().options(options -> options.inline(16)).connected()) {
            SendQueue sends = link.client().sends();
            MemoryRegion memory = link.client().memory();
            RemoteRegion remote = link.server().memory().remote();
            Completions completions = link.client().completions();
            Watchdog watchdog = Watchdog.over(ROUNDS + " writes");
            write(sends, memory, remote, completions, watchdog, 500);
            long before = allocated();
            write(sends, memory, remote, completions, watchdog, ROUNDS);
            assertEquals(0, allocated() - before, "bytes allocated");
        }
    }

    private static void write(
            SendQueue sends,
            MemoryRegion memory,
            RemoteRegion remote,
            Completions completions,
            Watchdog watchdog,
            int rounds) {
        for (int round = 0; round < rounds; round++) {
            sends.write(round, memory, 0, 16, remote, 0).inline();
            sends.write(round, memory, 0, 64, remote, 64).signaled();
            sends.post();
            take(completions, 1, watchdog);
        }
    }

    @Test
    void shouldAllocateNothingWhileSendingAndReceiving() {
        try (Link link = Link.connected()) {
            Watchdog watchdog = Watchdog.over(ROUNDS + " messages");
            message(link.client().sends(), link.server().receives(), link, watchdog, 500);
            long before = allocated();
            message(link.client().sends(), link.server().receives(), link, watchdog, ROUNDS);
            assertEquals(0, allocated() - before, "bytes allocated");
        }
    }

    private static void message(SendQueue sends, ReceiveQueue receives, Link link, Watchdog watchdog, int rounds) {
        MemoryRegion from = link.client().memory();
        MemoryRegion to = link.server().memory();
        for (int round = 0; round < rounds; round++) {
            receives.receive(round, to, 0, 64);
            receives.post();
            sends.send(round, from, 0, 16).signaled();
            sends.post();
            take(link.client().completions(), 1, watchdog);
            take(link.server().completions(), 1, watchdog);
        }
    }
}
