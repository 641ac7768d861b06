package io.github.verbs4j.bench.start;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteRegion;
import java.util.ArrayList;
import java.util.List;

/** Queue pairs that share a completion queue, each connected to itself; a write and its completion goes round them. */
final class ManyPairs implements AutoCloseable {
    private static final int BYTES = 4096;

    private final DeviceContext context;
    private final ProtectionDomain domain;
    private final MemoryRegion memory;
    private final CompletionQueue queue;
    private final Completions completions;
    private final List<RcQueuePair> pairs = new ArrayList<>();
    private final List<SendQueue> sends = new ArrayList<>();
    private final RemoteRegion remote;
    private int next;

    ManyPairs(Target target, int count) {
        context = Device.named(target.device()).open();
        domain = context.allocateProtectionDomain();
        memory = domain.allocate(BYTES, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        remote = memory.remote();
        queue = context.createCompletionQueue(2 * count);
        completions = Completions.over(queue, 1);
        for (int i = 0; i < count; i++) {
            RcQueuePair pair =
                    domain.createRc(QueuePairOptions.sharing(queue).depth(1, 1).allowOverrun());
            Connection.connect(pair, target);
            pairs.add(pair);
            sends.add(SendQueue.over(pair));
        }
    }

    /**
     * {@return nanoseconds of an operation, of some}
     *
     * @param operations how many
     */
    double time(int operations) {
        long start = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            SendQueue one = sends.get(next);
            next = (next + 1) % sends.size();
            one.write(i, memory, 0, 64, remote, 64).signaled().post();
            while (completions.poll() == 0) {
                Thread.onSpinWait();
            }
            completions.next();
            completions.requireSuccess();
        }
        return (double) (System.nanoTime() - start) / operations;
    }

    @Override
    public void close() {
        sends.forEach(SendQueue::close);
        pairs.forEach(RcQueuePair::close);
        completions.close();
        queue.close();
        memory.close();
        domain.close();
        context.close();
    }
}
