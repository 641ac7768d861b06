package io.github.verbs4j.tools;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;

/** What the queue pairs of a device are made of, which nothing is ever posted to. */
final class CmtimeDevice implements AutoCloseable {
    private final Closing closing;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;

    private CmtimeDevice(Closing closing, DeviceContext context) {
        this.closing = closing;
        this.domain = closing.add(context.allocateProtectionDomain());
        this.queue = closing.add(context.createCompletionQueue(1));
    }

    static CmtimeDevice open(String name) {
        return Closing.whole(closing ->
                new CmtimeDevice(closing, closing.add(Device.named(name).open())));
    }

    RcQueuePair createQueuePair() {
        return domain.createRc(QueuePairOptions.sharing(queue).depth(1, 1).allowOverrun());
    }

    @Override
    public void close() {
        closing.close();
    }
}
