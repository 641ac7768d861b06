package io.github.verbs4j.it.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.CompletionQueueOptions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Watchdog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Completion queues of every size and vector, resized under completions: the cases of pyverbs' {@code test_cq.py}. */
class CompletionQueueIT {
    /** {@code test_create_cq} and {@code test_create_cq_with_comp_channel}: every queue here has a channel. */
    @Test
    void shouldBeCreatedInEverySizeOnEveryVector() {
        try (DeviceContext context = Rdma.open()) {
            int most = context.attributes().maxCompletions();
            for (int entries : List.of(1, most / 2, most)) {
                for (int vector = 0; vector < context.completionVectors(); vector++) {
                    try (CompletionQueue queue = context.createCompletionQueue(
                            CompletionQueueOptions.entries(entries).vector(vector))) {
                        assertTrue(queue.capacity() >= entries, queue::toString);
                    }
                }
            }
        }
    }

    /** {@code test_create_cq_bad_flow}. */
    @Test
    void shouldNotBeCreatedBeyondTheLimits() {
        try (DeviceContext context = Rdma.open()) {
            int most = context.attributes().maxCompletions();
            assertThrows(VerbsException.class, () -> context.createCompletionQueue(most + 1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> context.createCompletionQueue(
                            CompletionQueueOptions.entries(100).vector(context.completionVectors())));
        }
    }

    /** {@code test_resize_cq}. */
    @Test
    void shouldBeResizedUnderCompletions() {
        try (Link link = Link.builder()
                .completions(3)
                .options(options -> options.depth(6, 2).allowOverrun())
                .connected()) {
            CompletionQueue queue = link.client().sendQueue();
            queue.resize(1);
            assertTrue(queue.capacity() >= 1, queue::toString);
            queue.resize(7);
            assertTrue(queue.capacity() >= 7, queue::toString);
            link.client().completions().poll();
            for (int id = 0; id < 6; id++) {
                link.client()
                        .sends()
                        .write(
                                id,
                                link.client().memory(),
                                0,
                                8,
                                link.server().memory().remote(),
                                0)
                        .signaled();
            }
            link.client().post();
            Watchdog.await("a queue that cannot shrink, because the completions are in the way", () -> {
                try {
                    queue.resize(1);
                    queue.resize(7);
                    return false;
                } catch (VerbsException inTheWay) {
                    return inTheWay.nextStep().orElse("").equals("poll them first");
                }
            });
            for (int id = 0; id < 6; id++) {
                link.client().await().requireSuccess(id, WorkOpcode.WRITE);
            }
        }
    }

    @Test
    void shouldKeepRoomForWhatMayBeOutstanding() {
        try (Link link = Link.connected()) {
            CompletionQueue queue = link.client().sendQueue();
            int outstanding = (int) queue.reserved();
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> queue.resize(outstanding - 1));
            assertTrue(thrown.getMessage().contains(outstanding + " completions"), thrown::getMessage);
            queue.resize(outstanding);
        }
    }

    @Test
    void shouldStillRaiseEventsAfterItWasResized() throws Exception {
        try (Link link = Link.connected()) {
            link.client().sendQueue().resize(4096);
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            assertEquals(1, link.client().completions().await(WaitStrategy.EVENT, Duration.ofSeconds(60)));
        }
    }

    @Test
    void shouldTellThatSoftRoceCannotModerate() {
        try (DeviceContext context = Rdma.open();
                CompletionQueue queue = context.createCompletionQueue(16)) {
            UnsupportedCapabilityException thrown = assertThrows(
                    UnsupportedCapabilityException.class, () -> queue.moderate(8, Duration.ofNanos(16_000)));
            assertEquals("ibv_modify_cq", thrown.operation());
        }
    }
}
