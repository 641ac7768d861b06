package io.github.verbs4j.it.datapath;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OtherThreadPollsIT {
    private static final int MESSAGES = 1000;

    @Test
    void shouldFreeSlotsThatAnotherThreadPolls() throws Exception {
        try (Link link = Link.builder().options(options -> options.depth(8, 8)).connected()) {
            link.client().completions().release();
            CompletableFuture<Void> poller = CompletableFuture.runAsync(
                    () -> {
                        link.client().completions().acquire();
                        for (int i = 0; i < MESSAGES; i++) {
                            Done.next(link.client().completions()).requireSuccess(i, WorkOpcode.WRITE);
                        }
                        link.client().completions().release();
                    },
                    task -> Thread.ofPlatform().name("poller").start(task));
            for (int i = 0; i < MESSAGES; i++) {
                link.client()
                        .sends()
                        .write(
                                i,
                                link.client().memory(),
                                0,
                                8,
                                link.server().memory().remote(),
                                0)
                        .signaled();
                Watchdog.await("a free slot", () -> link.client().sends().post() == 1);
            }
            poller.get(60, TimeUnit.SECONDS);
            link.client().completions().acquire();
            link.client().requireNothingCompleted();
        }
    }
}
