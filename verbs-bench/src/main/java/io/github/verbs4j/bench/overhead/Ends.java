package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RcPath;
import java.util.ArrayList;
import java.util.List;

/**
 * What one level works with: some connected queue pairs on a completion queue of their own, and memory.
 *
 * @param domain what all of it belongs to
 * @param queue where all of it completes
 * @param pairs the queue pairs, used in turn
 * @param memory what is sent and written, and received
 * @param target what is written to
 */
record Ends(
        ProtectionDomain domain,
        CompletionQueue queue,
        List<RcQueuePair> pairs,
        MemoryRegion memory,
        MemoryRegion target) {
    private static final int MEMORY = 4096;

    static Ends open(DeviceContext context, int count) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(2 * Way.DEPTH * count);
        List<RcQueuePair> pairs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            RcQueuePair pair = domain.createRc(
                    QueuePairOptions.sharing(queue).depth(Way.DEPTH, Way.DEPTH).inline(Way.BYTES));
            pair.connect(pair.initialize(context.gids(1).preferred()), RcPath.defaults());
            pairs.add(pair);
        }
        return new Ends(domain, queue, pairs, memory(domain), memory(domain));
    }

    private static MemoryRegion memory(ProtectionDomain domain) {
        return domain.allocate(MEMORY, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }
}
