package io.github.verbs4j.it.cost;

import com.sun.management.ThreadMXBean;
import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.it.rdma.Link;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What a child virtual machine runs: posts and polls batches, tells which system calls they make and what they allocate. */
final class DataPath {
    private static final int BATCHES = 1000;
    private static final int BATCH = 16;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Completions completions;
    private final MemoryRegion memory;
    private final RemoteRegion remote;

    private DataPath(Link link) {
        sends = link.client().sends();
        receives = link.client().receives();
        completions = link.client().completions();
        memory = link.client().memory();
        remote = link.server().memory().remote();
    }

    public static void main(String[] arguments) {
        try (Link link = Link.builder()
                .options(options -> options.depth(64, 64).inline(16))
                .connected()) {
            DataPath path = new DataPath(link);
            List<String> calls = SystemCalls.of(path::run);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            path.run();
            long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
            System.out.println(BATCHES + " batches of " + BATCH + ": " + calls.size() + " system calls " + calls + ", "
                    + bytes + " bytes allocated");
        }
    }

    private void run() {
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < BATCH / 2; i++) {
                sends.write(i, memory, 0, 64, remote, 0);
                sends.send(i, memory, 0, 16).inline();
            }
            sends.signaled().post();
            receives.receive(batch, memory, 0, 64);
            receives.post();
            completions.poll();
            while (completions.next()) {
                completions.requireSuccess();
            }
        }
    }
}
