package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the kernel counts on the device, and our open files, are after many cycles what they were before. */
class LeakIT {
    private static final int CYCLES = 100;
    private static final int QUEUES = 100;
    private static final int PAIRS = 1000;

    private static String resources() {
        return Shell.output("rdma", "resource", "show")
                .lines()
                .filter(line -> line.contains(" " + Rdma.device().name() + ": "))
                .findFirst()
                .orElseThrow();
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireNoneLeft(Runnable cycle) {
        cycle.run(); // what is made once and kept
        String before = resources();
        long files = openFiles();
        for (int i = 0; i < CYCLES; i++) {
            cycle.run();
        }
        Watchdog.await("resources to be as before: " + before, () -> resources().equals(before));
        assertTrue(openFiles() <= files, () -> openFiles() + " open files, " + files + " before");
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
        String before = resources();
        long files = openFiles();
        try (Resources open = new Resources()) {
            DeviceContext context = open.add(Rdma.open());
            ProtectionDomain domain = open.add(context.allocateProtectionDomain());
            CompletionQueue[] queues = new CompletionQueue[QUEUES];
            for (int i = 0; i < QUEUES; i++) {
                queues[i] = open.add(context.createCompletionQueue(100));
            }
            for (int i = 0; i < PAIRS; i++) {
                open.add(domain.allocate(4096, AccessFlag.LOCAL_WRITE));
                open.add(domain.createRc(
                        QueuePairOptions.sharing(queues[i % QUEUES]).depth(4, 4)));
            }
            assertCounts(before, Map.of("pd", 1L, "cq", (long) QUEUES, "qp", (long) PAIRS, "mr", (long) PAIRS));
        }
        Watchdog.await("resources to be as before: " + before, () -> resources().equals(before));
        assertTrue(openFiles() <= files, () -> openFiles() + " open files, " + files + " before");
    }

    /** Since then so many more of each kind. */
    private static void assertCounts(String before, Map<String, Long> more) {
        String now = resources();
        more.forEach(
                (kind, count) -> assertEquals(count, count(now, kind) - count(before, kind), () -> kind + ": " + now));
    }

    private static long count(String resources, String kind) {
        Matcher matcher = Pattern.compile("\\b" + kind + " (\\d+)").matcher(resources);
        assertTrue(matcher.find(), resources);
        return Long.parseLong(matcher.group(1));
    }
}
