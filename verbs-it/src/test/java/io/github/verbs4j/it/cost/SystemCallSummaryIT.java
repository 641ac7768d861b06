package io.github.verbs4j.it.cost;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The first look at a thread that is in the kernel too often, as the page tells to take it: Soft-RoCE's doorbell shows. */
@SoftRoceMachine
class SystemCallSummaryIT {
    @Test
    void shouldCountTheCallsOfAThread() throws Exception {
        Path summary = Files.createTempFile("summary", ".txt");
        try (Link link = Link.connected()) {
            Process strace = new ProcessBuilder(
                            "timeout", "-s", "INT", "3", "strace", "-c", "-o", summary.toString(), "-p", thread())
                    .inheritIO()
                    .start();
            Watchdog.await("strace to end", () -> {
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
                link.client().await();
                return !strace.isAlive();
            });
            Troubleshooting.line("C7").mustBeIn(Files.readString(summary));
        } finally {
            Files.delete(summary);
        }
    }

    private static String thread() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString();
    }
}
