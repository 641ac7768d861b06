package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.DatagramSendQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.util.function.UnaryOperator;

/** A queue pair for datagrams with all that it needs, in RTS. */
final class Datagrams implements AutoCloseable {
    static final int KEY = 0x1111_1111;
    static final int BYTES = 64 << 10;

    final DeviceContext context;
    final ProtectionDomain domain;
    final MemoryRegion memory;
    final UdQueuePair queuePair;
    final QueuePairAddress address;
    final DatagramSendQueue sends;
    final ReceiveQueue receives;
    final Completions completions;
    private final Resources resources = new Resources();

    Datagrams() {
        this(UnaryOperator.identity());
    }

    Datagrams(UnaryOperator<QueuePairOptions> change) {
        boolean made = false;
        try {
            context = resources.add(Rdma.open());
            domain = resources.add(context.allocateProtectionDomain());
            memory = resources.add(domain.allocate(BYTES, AccessFlag.LOCAL_WRITE));
            CompletionQueue queue = resources.add(context.createCompletionQueue(256));
            QueuePairOptions options =
                    QueuePairOptions.sharing(queue).inline(64).segments(2, 2);
            queuePair = resources.add(domain.createUd(change.apply(options)));
            address = queuePair.initialize(Rdma.gid(context), KEY);
            queuePair.activate();
            sends = resources.add(DatagramSendQueue.over(queuePair));
            receives = resources.add(ReceiveQueue.over(queuePair));
            completions = resources.add(Completions.over(queue, 16));
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    /** This one, as a peer of another. */
    DatagramPeer seenFrom(Datagrams other, int key) {
        AddressHandle way = other.add(other.queuePair.createAddressHandle(address));
        return new DatagramPeer(way, queuePair.number(), key);
    }

    <T extends AutoCloseable> T add(T resource) {
        return resources.add(resource);
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

    RoutingHeader header(long offset) {
        return RoutingHeader.of(
                memory.segment().asSlice(offset, RoutingHeader.BYTES).asByteBuffer());
    }

    @Override
    public void close() {
        resources.close();
    }
}
