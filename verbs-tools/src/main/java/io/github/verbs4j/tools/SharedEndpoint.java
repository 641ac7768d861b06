package io.github.verbs4j.tools;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.attr.AccessFlag;
import java.util.ArrayList;
import java.util.List;

/** One end of several reliable connections that share their receives and their completion queue. One thread's. */
final class SharedEndpoint implements AutoCloseable {
    private final Closing closing;
    private final MemoryRegion memory;
    private final ReceiveQueue receives;
    private final Completions completions;
    private final List<RcQueuePair> queuePairs = new ArrayList<>();
    private final List<SendQueue> sends = new ArrayList<>();

    private SharedEndpoint(Closing closing, DeviceContext context, long bytes, int depth, int connections) {
        this.closing = closing;
        ProtectionDomain domain = closing.add(context.allocateProtectionDomain());
        this.memory = closing.add(domain.allocate(bytes, AccessFlag.LOCAL_WRITE));
        CompletionQueue queue = closing.add(context.createCompletionQueue(depth + connections));
        SharedReceiveQueue shared = closing.add(domain.createSharedReceiveQueue(depth, 1));
        // a ping-pong never has more outstanding than it asked for, whatever the device grants on top
        QueuePairOptions options = QueuePairOptions.sharing(queue)
                .depth(1, 0)
                .sharedReceives(shared)
                .allowOverrun();
        for (int i = 0; i < connections; i++) {
            queuePairs.add(closing.add(domain.createRc(options)));
            sends.add(closing.add(SendQueue.over(queuePairs.getLast())));
        }
        this.receives = closing.add(ReceiveQueue.over(shared));
        this.completions = closing.add(Completions.over(queue, 16));
    }

    /**
     * Makes one.
     *
     * @param context open device, stays open
     * @param bytes memory to allocate
     * @param depth receives outstanding at most
     * @param connections how many
     */
    static SharedEndpoint create(DeviceContext context, long bytes, int depth, int connections) {
        return Closing.whole(closing -> new SharedEndpoint(closing, context, bytes, depth, connections));
    }

    MemoryRegion memory() {
        return memory;
    }

    /** In the order of the connections. */
    List<RcQueuePair> queuePairs() {
        return queuePairs;
    }

    /** In the order of the connections. */
    List<SendQueue> sends() {
        return sends;
    }

    ReceiveQueue receives() {
        return receives;
    }

    Completions completions() {
        return completions;
    }

    @Override
    public void close() {
        closing.close();
    }
}
