package io.github.verbs4j.bench.start;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.RcPath;

/**
 * A queue pair in RTS, connected to itself, with what it stands on.
 *
 * @param context the open device
 * @param domain of the pair
 * @param queue where it completes
 * @param pair the queue pair
 */
record Connection(DeviceContext context, ProtectionDomain domain, CompletionQueue queue, RcQueuePair pair)
        implements AutoCloseable {
    static final int DEPTH = 16;

    static Connection open(Target target) {
        DeviceContext context = Device.named(target.device()).open();
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(4 * DEPTH); // room for another pair
        RcQueuePair pair = domain.createRc(options(queue));
        connect(pair, target);
        return new Connection(context, domain, queue, pair);
    }

    static QueuePairOptions options(CompletionQueue queue) {
        return QueuePairOptions.sharing(queue).depth(DEPTH, DEPTH);
    }

    /** Leads it to RTS, its own peer. */
    static void connect(RcQueuePair pair, Target target) {
        DeviceContext context = pair.domain().context();
        pair.connect(pair.initialize(context.gids(target.port()).byIndex(target.gidIndex())), RcPath.defaults());
    }

    @Override
    public void close() {
        pair.close();
        queue.close();
        domain.close();
        context.close();
    }
}
