package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.CompletionQueueOptions;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.DatagramSendQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ExtendedCompletions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Rdma;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an extended completion queue tells of datagrams: {@code test_ud_traffic_cq_ex} of pyverbs. */
class UdExtendedCompletionsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 100;
    private static final int ROOM = 2048;

    /** What every device can tell: the fields of {@code IBV_WC_STANDARD_FLAGS}. */
    private static final CompletionField[] STANDARD = EnumSet.range(
                    CompletionField.BYTE_LENGTH, CompletionField.PATH_BITS)
            .toArray(CompletionField[]::new);

    @ParameterizedTest
    @EnumSource
    void shouldTellOfDatagrams(WaitStrategy strategy) throws Exception {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(2 * ROOM, AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = context.createCompletionQueue(
                        CompletionQueueOptions.entries(64).extended(STANDARD));
                UdQueuePair pair =
                        domain.createUd(QueuePairOptions.sharing(queue).depth(16, 16));
                DatagramSendQueue sends = DatagramSendQueue.over(pair);
                ReceiveQueue receives = ReceiveQueue.over(pair);
                ExtendedCompletions completions = ExtendedCompletions.over(queue, 16)) {
            QueuePairAddress address = pair.initialize(Rdma.gid(context), Datagrams.KEY);
            pair.activate();
            try (AddressHandle way = pair.createAddressHandle(address)) {
                DatagramPeer itself = new DatagramPeer(way, pair.number(), Datagrams.KEY);
                for (int message = 1; message <= MESSAGES; message++) {
                    Bytes.fill(memory.segment(), ROOM, message, message);
                    receives.receive(message, memory, 0, ROOM);
                    receives.post();
                    sends.sendImmediate(message, memory, ROOM, message, itself, -message)
                            .signaled();
                    sends.post();
                    for (int took = 0; took < 2; ) {
                        took += completions.await(strategy, PATIENCE);
                        while (completions.next()) {
                            completions.requireSuccess();
                            assertEquals(message, completions.id());
                            assertEquals(pair.number(), completions.queuePairNumber());
                            if (completions.isReceive()) {
                                verify(completions, message, address);
                                Bytes.verify(memory.segment(), RoutingHeader.BYTES, message, message);
                            }
                        }
                    }
                }
                assertEquals(pair.capacity().sendDepth(), sends.available());
                assertEquals(pair.capacity().receiveDepth(), receives.available());
            }
        }
    }

    private static void verify(ExtendedCompletions received, int message, QueuePairAddress sender) {
        assertTrue(received.hasRoutingHeader());
        assertEquals(RoutingHeader.BYTES + message, received.byteLength());
        assertEquals(-message, received.immediate());
        assertEquals(sender.queuePairNumber(), received.sourceQueuePairNumber());
        assertEquals(sender.lid(), received.sourceLid(), "0 on Ethernet");
        assertEquals(0, received.pathBits());
        assertEquals(0, received.serviceLevel());
    }
}
