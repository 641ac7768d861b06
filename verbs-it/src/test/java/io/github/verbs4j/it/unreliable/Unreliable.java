package io.github.verbs4j.it.unreliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.UcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.UcPath;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;

/** One end of an unreliable connection, with all that it needs. */
final class Unreliable implements AutoCloseable {
    static final int BYTES = 64 << 10;

    final DeviceContext context;
    final MemoryRegion memory;
    final UcQueuePair queuePair;
    final SendQueue sends;
    final ReceiveQueue receives;
    final Completions completions;
    private final Resources resources = new Resources();

    Unreliable() {
        boolean made = false;
        try {
            context = resources.add(Rdma.open());
            ProtectionDomain domain = resources.add(context.allocateProtectionDomain());
            memory = resources.add(domain.allocate(BYTES, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            CompletionQueue queue = resources.add(context.createCompletionQueue(256));
            queuePair = resources.add(
                    domain.createUc(QueuePairOptions.sharing(queue).inline(64)));
            sends = resources.add(SendQueue.over(queuePair));
            receives = resources.add(ReceiveQueue.over(queuePair));
            completions = resources.add(Completions.over(queue, 16));
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    /** Connects two ends that are in RESET. */
    static void connect(Unreliable one, Unreliable other) {
        QueuePairAddress first = one.queuePair.initialize(Rdma.gid(one.context));
        QueuePairAddress second = other.queuePair.initialize(Rdma.gid(other.context));
        one.queuePair.connect(second, UcPath.defaults());
        other.queuePair.connect(first, UcPath.defaults());
    }

    void receive(long id, long offset, long length) {
        receives.receive(id, memory, offset, length);
        assertEquals(1, receives.post(), "receives posted");
    }

    void post() {
        int staged = sends.staged();
        assertEquals(staged, sends.post(), "sends posted");
    }

    Done await() {
        return Done.next(completions);
    }

    @Override
    public void close() {
        resources.close();
    }
}
