package io.github.verbs4j.bench.waiting;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;

/** Two connected queue pairs of one device, each with a completion queue of its own. */
final class Ends implements AutoCloseable {
    static final int BYTES = 64;
    private static final int DEPTH = 16;

    private final DeviceContext context;
    private final ProtectionDomain domain;
    final MemoryRegion memory;
    final CompletionQueue waitedFor;
    final CompletionQueue sent;
    final RcQueuePair receiver;
    final RcQueuePair sender;

    Ends(Device device, int port) {
        context = device.open();
        domain = context.allocateProtectionDomain();
        memory = domain.allocate(BYTES, AccessFlag.LOCAL_WRITE);
        waitedFor = context.createCompletionQueue(2 * DEPTH);
        sent = context.createCompletionQueue(2 * DEPTH);
        receiver = domain.createRc(QueuePairOptions.sharing(waitedFor).depth(DEPTH, DEPTH));
        sender = domain.createRc(QueuePairOptions.sharing(sent).depth(DEPTH, DEPTH));
        GidEntry gid = context.gids(port).preferred();
        QueuePairAddress ofReceiver = receiver.initialize(gid);
        QueuePairAddress ofSender = sender.initialize(gid);
        receiver.connect(ofSender, RcPath.defaults());
        sender.connect(ofReceiver, RcPath.defaults());
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        sent.close();
        waitedFor.close();
        memory.close();
        domain.close();
        context.close();
    }
}
