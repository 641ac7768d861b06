package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Device;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the kernel counts on the device, and our open files, are after many cycles what they were before. */
class LeakIT {
    private static final int CYCLES = 100;

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
}
