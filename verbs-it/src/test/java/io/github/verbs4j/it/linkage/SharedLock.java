package io.github.verbs4j.it.linkage;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;

/**
 * A program that breaks the rule: the main thread collects garbage inside of a section of extended polling, while another
 * waits for the lock of the same queue in {@code ibv_poll_cq}, linked as the argument says.
 */
final class SharedLock {
    static final String CRITICAL = "critical";
    static final String PLAIN = "plain";
    static final String POLLER = "poller";
    static final String COLLECTED = "collected inside of the section";

    /** Enough for the poller to arrive at the lock, if it was short of it at the first. */
    private static final int COLLECTIONS = 20;

    private static final int PAUSE_MILLIS = 10;

    private SharedLock() {}

    public static void main(String[] arguments) throws InterruptedException {
        boolean critical = arguments[0].equals(CRITICAL);
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(128, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                ExtendedQueue queue = new ExtendedQueue(context);
                BuilderQueuePair queuePair = BuilderQueuePair.connected(domain, queue.handle())) {
            poll(queue, critical); // the first call links it, which takes its time
            queuePair.write(1, memory, 0, 64, 64);
            queue.start();
            CountDownLatch polling = new CountDownLatch(1);
            Thread poller = Thread.ofPlatform().name(POLLER).start(() -> {
                polling.countDown();
                poll(queue, critical);
            });
            polling.await();
            for (int i = 0; i < COLLECTIONS; i++) {
                Thread.sleep(PAUSE_MILLIS);
                System.gc();
            }
            System.out.println(COLLECTED);
            queue.end();
            poller.join();
        }
    }

    private static void poll(ExtendedQueue queue, boolean critical) {
        try (Arena arena = Arena.ofConfined()) {
            long completion = ibv_wc.allocate(arena).address();
            long cq = queue.handle().address();
            int count = critical
                    ? DataPath.pollCritical(queue.poll(), cq, 1, completion)
                    : DataPath.poll(queue.poll(), cq, 1, completion);
            System.out.println("polled " + count);
        }
    }
}
