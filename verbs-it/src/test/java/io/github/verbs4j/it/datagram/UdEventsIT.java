package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.it.rdma.Bytes;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sleeping until a datagram comes: {@code test_cq_events_ud} of pyverbs. */
class UdEventsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 20;
    private static final int LENGTH = 1000;

    @Test
    void shouldWakeWhoSleepsForADatagram() throws Exception {
        try (Datagrams sender = new Datagrams();
                Datagrams receiver = new Datagrams()) {
            DatagramPeer peer = receiver.seenFrom(sender, Datagrams.KEY);
            for (int message = 0; message < MESSAGES; message++) {
                receiver.receive(message, 0, RoutingHeader.BYTES + LENGTH);
                Bytes.fill(sender.memory.segment(), 0, LENGTH, message);
                sender.sends.send(message, sender.memory, 0, LENGTH, peer).signaled();
                FutureTask<Void> post = postOnceAsleep(sender, Thread.currentThread());
                take(receiver, message);
                post.get(60, TimeUnit.SECONDS);
                sender.sends.acquire();
                take(sender, message);
                Bytes.verify(receiver.memory.segment(), RoutingHeader.BYTES, LENGTH, message);
            }
        }
    }

    /** What the sender has staged goes when that thread sleeps. */
    private static FutureTask<Void> postOnceAsleep(Datagrams sender, Thread sleeper) {
        sender.sends.release();
        FutureTask<Void> post = new FutureTask<>(
                () -> {
                    while (sleeper.getState() != Thread.State.TIMED_WAITING) {
                        Thread.onSpinWait();
                    }
                    sender.sends.acquire();
                    sender.post();
                    sender.sends.release();
                },
                null);
        Thread.ofPlatform().start(post);
        return post;
    }

    private static void take(Datagrams end, long id) throws InterruptedException {
        long begin = System.nanoTime();
        assertEquals(1, end.completions.await(WaitStrategy.EVENT, PATIENCE));
        assertTrue(System.nanoTime() - begin < PATIENCE.toNanos(), "taken at the deadline, as no event came");
        assertTrue(end.completions.next());
        end.completions.requireSuccess();
        assertEquals(id, end.completions.id());
    }
}
