package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Holdings;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the kernel counts on the device, and our open files, are after many cycles what they were before. */
class LeakIT {
    private static final int CYCLES = 100;
    private static final int QUEUES = 100;
    private static final int PAIRS = 1000;
    /** Of a completion queue: Soft-RoCE of Linux 6.12 grants 14 requests where 8 are asked for, and any device may grant more. */
    private static final int ROOM = 512;

    private static void requireNoneLeft(Runnable cycle) {
        cycle.run(); // what is made once and kept
        Holdings before = Holdings.now();
        for (int i = 0; i < CYCLES; i++) {
            cycle.run();
        }
        before.requireAgain();
    }

    @Test
    void shouldLeaveNothingAfterCreatingAndDestroyingAll() {
        requireNoneLeft(() -> {
            try (Link link = Link.builder().separateContexts().separateQueues().unconnected()) {
                link.client().initialize();
            }
        });
    }

    @Test
    void shouldLeaveNothingAfterTraffic() {
        requireNoneLeft(() -> {
            try (Link link = Link.connected()) {
                link.server().receive(1, 0, 100);
                link.client().sends().send(2, link.client().memory(), 0, 100).signaled();
                link.client().post();
                link.client().await();
            }
        });
    }

    @Test
    void shouldLeaveNothingAfterFailures() {
        requireNoneLeft(() -> {
            try (Link link = Link.connected()) {
                link.client()
                        .sends()
                        .write(1, link.client().memory(), 0, 8, new RemoteRegion(0, 8, new RemoteKey(0)), 0);
                link.client().post();
                link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
                int over = link.client().context().attributes().maxRequests() + 1;
                assertThrows(
                        VerbsException.class,
                        () -> link.client()
                                .domain()
                                .createRc(QueuePairOptions.sharing(link.client().sendQueue())
                                        .allowOverrun()
                                        .depth(over, 1)));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> link.client()
                                .domain()
                                .createRc(QueuePairOptions.sharing(link.client().sendQueue())
                                        .depth(1000, 1000)));
                assertThrows(
                        VerbsException.class,
                        () -> link.client()
                                .context()
                                .createCompletionQueue(
                                        link.client().context().attributes().maxCompletions() + 1));
                assertThrows(VerbsException.class, () -> Device.named("nonsense0"));
            }
        });
    }

    @Test
    void shouldHoldThousandsOpenAndLeaveNothing() {
        Holdings before = Holdings.now();
        try (Resources open = new Resources()) {
            DeviceContext context = open.add(Rdma.open());
            ProtectionDomain domain = open.add(context.allocateProtectionDomain());
            CompletionQueue[] queues = new CompletionQueue[QUEUES];
            for (int i = 0; i < QUEUES; i++) {
                queues[i] = open.add(context.createCompletionQueue(ROOM));
            }
            for (int i = 0; i < PAIRS; i++) {
                open.add(domain.allocate(4096, AccessFlag.LOCAL_WRITE));
                open.add(domain.createRc(
                        QueuePairOptions.sharing(queues[i % QUEUES]).depth(4, 4)));
            }
            assertCounts(before, Map.of("pd", 1L, "cq", (long) QUEUES, "qp", (long) PAIRS, "mr", (long) PAIRS));
        }
        before.requireAgain();
    }

    /** Since then so many more of each kind. */
    private static void assertCounts(Holdings before, Map<String, Long> more) {
        Holdings now = Holdings.now();
        more.forEach((kind, count) ->
                assertEquals(count, now.count(kind) - before.count(kind), () -> kind + ": " + now.resources()));
    }
}
