package io.github.verbs4j.it.linkage;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;

/**
 * A program whose threads use one device in every way while garbage is collected without a pause: sections of builders,
 * sections of extended polling, and the calls of the core that may be critical. Each thread checks its data and goes on
 * until it has done its rounds and the collector its collections; then it is named in the output.
 */
final class Mixture {
    private static final int ROUNDS = 40;
    private static final int COLLECTIONS = 20;
    private static final int LENGTH = 128;

    /** Collections begin when everyone is at work. */
    private static final CountDownLatch working = new CountDownLatch(4);

    private static volatile int collections;

    private Mixture() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, FutureTask<Void>> tasks = new LinkedHashMap<>();
        tasks.put("builder", task(Mixture::build));
        tasks.put("extended poller", task(Mixture::pollExtended));
        tasks.put("first sender", task(Mixture::sendAndReceive));
        tasks.put("second sender", task(Mixture::sendAndReceive));
        tasks.forEach((name, task) -> Thread.ofPlatform().name(name).daemon().start(task));
        working.await();
        while (!tasks.values().stream().allMatch(FutureTask::isDone)) {
            System.gc();
            collections++;
        }
        for (Map.Entry<String, FutureTask<Void>> task : tasks.entrySet()) {
            task.getValue().get();
            System.out.println(task.getKey() + " done");
        }
    }

    private static FutureTask<Void> task(Runnable work) {
        return new FutureTask<>(
                () -> {
                    try {
                        work.run();
                    } finally {
                        working.countDown(); // even if it never came to work
                    }
                },
                null);
    }

    private static void rounds(LongConsumer round) {
        for (long number = 1; number <= ROUNDS || collections < COLLECTIONS; number++) {
            round.accept(number);
            if (number == 1) {
                working.countDown();
            }
        }
    }

    private static MemoryRegion memory(ProtectionDomain domain) {
        return domain.allocate(2 * LENGTH, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    /** Sections of builders; their completions come by polls that may be critical, on a lock of their own. */
    private static void build() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = memory(domain);
                CompletionQueue queue = context.createCompletionQueue(64);
                BuilderQueuePair queuePair = BuilderQueuePair.connected(domain, queue.handle());
                Completions completions = Completions.over(queue, 16)) {
            rounds(number -> {
                Bytes.fill(memory.segment(), 0, LENGTH, number);
                queuePair.write(number, memory, 0, LENGTH, LENGTH);
                Done.next(completions).requireSuccess(number, WorkOpcode.WRITE);
                Bytes.verify(memory.segment(), LENGTH, LENGTH, number);
            });
        }
    }

    /** Sections of builders and of extended polling in turn. */
    private static void pollExtended() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = memory(domain);
                ExtendedQueue queue = new ExtendedQueue(context);
                BuilderQueuePair queuePair = BuilderQueuePair.connected(domain, queue.handle())) {
            rounds(number -> {
                Bytes.fill(memory.segment(), 0, LENGTH, number);
                queuePair.write(number, memory, 0, LENGTH, LENGTH);
                queue.start();
                queue.requireWritten(number);
                queue.end();
                Bytes.verify(memory.segment(), LENGTH, LENGTH, number);
            });
        }
    }

    /** What the core does all the time, which may be critical. */
    private static void sendAndReceive() {
        try (Link link = Link.connected()) {
            rounds(number -> {
                link.server().receive(number, 0, LENGTH);
                link.client().fill(0, LENGTH, number);
                link.client()
                        .sends()
                        .send(number, link.client().memory(), 0, LENGTH)
                        .signaled();
                link.client().post();
                link.server().await().requireSuccess(number, WorkOpcode.RECEIVE);
                link.client().await().requireSuccess(number, WorkOpcode.SEND);
                link.server().verify(0, LENGTH, number);
            });
        }
    }
}
