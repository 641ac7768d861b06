package io.github.verbs4j.it.counter;

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
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Watchdog;
import java.net.InetAddress;

/** A connection between two devices, by which one writes into the memory of the other. */
final class Wired implements AutoCloseable {
    private static final int BATCH = 4;
    /** Many packets: the sender counts what the receiver asks for anew only if that acknowledges packets of the same message. */
    private static final int BYTES = 16 << 10;

    private final Resources resources = new Resources();
    private final SendQueue sends;
    private final Completions completions;
    private final MemoryRegion source;
    private final MemoryRegion target;

    Wired(Device near, Device far) {
        boolean made = false;
        try {
            DeviceContext here = resources.add(near.open());
            DeviceContext there = resources.add(far.open());
            CompletionQueue queue = resources.add(here.createCompletionQueue(256));
            ProtectionDomain hereDomain = resources.add(here.allocateProtectionDomain());
            ProtectionDomain thereDomain = resources.add(there.allocateProtectionDomain());
            RcQueuePair writer = resources.add(hereDomain.createRc(QueuePairOptions.sharing(queue)));
            RcQueuePair written = resources.add(
                    thereDomain.createRc(QueuePairOptions.sharing(resources.add(there.createCompletionQueue(256)))));
            source = resources.add(hereDomain.allocate(BYTES, AccessFlag.LOCAL_WRITE));
            target = resources.add(thereDomain.allocate(BYTES, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            connect(here, writer, there, written);
            sends = resources.add(SendQueue.over(writer));
            completions = resources.add(Completions.over(queue, BATCH));
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    private static void connect(DeviceContext here, RcQueuePair writer, DeviceContext there, RcQueuePair written) {
        QueuePairAddress near = writer.initialize(gid(here, LossyWire.NEAR_ADDRESS));
        QueuePairAddress far = written.initialize(gid(there, LossyWire.FAR_ADDRESS));
        writer.connect(far, RcPath.defaults());
        written.connect(near, RcPath.defaults());
    }

    /** The kernel enters an address some time after the device is there. */
    private static GidEntry gid(DeviceContext context, String address) {
        Gid gid = Gid.of(InetAddress.ofLiteral(address));
        Watchdog.await(
                "a GID of " + address,
                () -> context.gids(1).entries().stream()
                        .anyMatch(entry -> entry.gid().equals(gid) && entry.type() == GidType.ROCE_V2));
        return context.gids(1).byAddress(InetAddress.ofLiteral(address));
    }

    /** Writes again and again, many messages at a time, so that what is behind a lost one is out of order. */
    void write(int batches) {
        for (int batch = 0; batch < batches; batch++) {
            for (int i = 0; i < BATCH; i++) {
                sends.write(batch, source, 0, BYTES, target.remote(), 0);
            }
            sends.signaled().post();
            Done.next(completions).requireSuccess(batch, WorkOpcode.WRITE);
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
