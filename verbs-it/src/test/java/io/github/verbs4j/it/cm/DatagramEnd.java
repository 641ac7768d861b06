package io.github.verbs4j.it.cm;

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
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.cm.DatagramDestination;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;

/** A queue pair for datagrams with all that it needs, in RESET. */
final class DatagramEnd implements AutoCloseable {
    private static final int SLOT = 2048;
    private static final int LENGTH = 100;
    private static final long OUTGOING = 32L * SLOT;

    private final Resources resources = new Resources();
    private final ProtectionDomain domain;
    private final MemoryRegion memory;
    private final UdQueuePair queuePair;
    private final DatagramSendQueue sends;
    private final ReceiveQueue receives;
    private final Completions sendCompletions;
    /** Of receives: a member may get its own datagram before it hears that it has left. */
    private final Completions completions;

    DatagramEnd() {
        boolean made = false;
        try {
            DeviceContext context = resources.add(Rdma.open());
            domain = resources.add(context.allocateProtectionDomain());
            memory = resources.add(domain.allocate(OUTGOING + SLOT, AccessFlag.LOCAL_WRITE));
            CompletionQueue sent = resources.add(context.createCompletionQueue(64));
            CompletionQueue received = resources.add(context.createCompletionQueue(64));
            queuePair = resources.add(domain.createUd(QueuePairOptions.separate(sent, received)));
            sends = resources.add(DatagramSendQueue.over(queuePair));
            receives = resources.add(ReceiveQueue.over(queuePair));
            sendCompletions = resources.add(Completions.over(sent, 16));
            completions = resources.add(Completions.over(received, 16));
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    UdQueuePair queuePair() {
        return queuePair;
    }

    /** Posts receives while it is in INIT, and leads it to RTS. */
    DatagramEnd activate(int count) {
        for (int i = 0; i < count; i++) {
            receives.receive(i, memory, (long) i * SLOT, SLOT);
        }
        assertEquals(count, receives.post(), "receives posted");
        queuePair.activate();
        return this;
    }

    void send(DatagramDestination destination, int seed) {
        send(destination.peer(resources.add(domain.createAddressHandle(destination.way()))), seed);
    }

    private void send(DatagramPeer peer, int seed) {
        Bytes.fill(memory.segment(), OUTGOING, LENGTH, seed);
        sends.send(77, memory, OUTGOING, LENGTH, peer).signaled();
        assertEquals(1, sends.post(), "sends posted");
        Done.next(sendCompletions).requireSuccess(77, WorkOpcode.SEND);
    }

    /** Waits for the datagram of a seed, into the receive that was posted as the so manyeth. */
    RoutingHeader requireReceived(int receive, int seed) {
        Done.next(completions).requireSuccess(receive, WorkOpcode.RECEIVE);
        long offset = (long) receive * SLOT;
        Bytes.verify(memory.segment(), offset + RoutingHeader.BYTES, LENGTH, seed);
        return RoutingHeader.of(
                memory.segment().asSlice(offset, RoutingHeader.BYTES).asByteBuffer());
    }

    /** Sends to whom the datagram came from that was received last. */
    void answer(int receive, int seed) {
        AddressHandle back = resources.add(queuePair.createAddressHandle(completions, memory, (long) receive * SLOT));
        send(new DatagramPeer(back, completions.sourceQueuePairNumber(), DatagramDestination.QUEUE_KEY), seed);
    }

    void requireNothingReceived() {
        assertEquals(0, completions.poll(), "completions");
    }

    @Override
    public void close() {
        resources.close();
    }
}
