package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams: what arrives, with the header in front of it. */
class UdTrafficIT {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 1000, 1024})
    void shouldSendAMessageWithItsRoutingHeader(int length) {
        try (Datagrams sender = new Datagrams();
                Datagrams receiver = new Datagrams()) {
            DatagramPeer peer = receiver.seenFrom(sender, Datagrams.KEY);
            receiver.receive(1, 0, RoutingHeader.BYTES + 2048);
            Bytes.fill(sender.memory.segment(), 0, length, length);
            sender.sends.send(2, sender.memory, 0, length, peer).signaled();
            sender.post();

            sender.await().requireSuccess(2, WorkOpcode.SEND);
            Done received = receiver.await().requireSuccess(1, WorkOpcode.RECEIVE);
            assertEquals(RoutingHeader.BYTES + length, received.byteLength());
            assertTrue(receiver.completions.hasRoutingHeader());
            assertEquals(sender.queuePair.number(), receiver.completions.sourceQueuePairNumber());
            RoutingHeader header = receiver.header(0);
            assertEquals(sender.address.gid(), header.source());
            assertEquals(receiver.address.gid(), header.destination());
            Bytes.verify(receiver.memory.segment(), RoutingHeader.BYTES, length, length);
        }
    }

    @Test
    void shouldCarryImmediateDataAndGatherAndScatter() {
        try (Datagrams sender = new Datagrams();
                Datagrams receiver = new Datagrams()) {
            DatagramPeer peer = receiver.seenFrom(sender, Datagrams.KEY);
            receiver.receives
                    .receive(1, receiver.memory, 0, RoutingHeader.BYTES)
                    .and(receiver.memory, 4096, 1024);
            receiver.receives.post();
            Bytes.fill(sender.memory.segment(), 0, 600, 3);
            sender.sends
                    .sendImmediate(2, sender.memory, 0, 200, peer, 0x0102_0304)
                    .and(sender.memory, 200, 400)
                    .signaled();
            sender.post();
            sender.await().requireSuccess(2, WorkOpcode.SEND);
            Done received = receiver.await().requireSuccess(1, WorkOpcode.RECEIVE);
            assertEquals(OptionalInt.of(0x0102_0304), received.immediate());
            Bytes.verify(receiver.memory.segment(), 4096, 600, 3);
        }
    }

    @Test
    void shouldSendInline() {
        try (Datagrams sender = new Datagrams();
                Datagrams receiver = new Datagrams()) {
            DatagramPeer peer = receiver.seenFrom(sender, Datagrams.KEY);
            receiver.receive(1, 0, 1024);
            Bytes.fill(sender.memory.segment(), 0, 48, 4);
            sender.sends.send(2, sender.memory, 0, 48, peer).inline().signaled();
            Bytes.fill(sender.memory.segment(), 0, 48, 5);
            sender.post();
            sender.await().requireSuccess(2, WorkOpcode.SEND);
            receiver.await().requireSuccess(1, WorkOpcode.RECEIVE);
            Bytes.verify(receiver.memory.segment(), RoutingHeader.BYTES, 48, 4);
        }
    }

    @Test
    void shouldCarryMessagesBetweenRegionsOfRelaxedOrdering() {
        try (Datagrams sender = new Datagrams();
                Datagrams receiver = new Datagrams()) {
            DatagramPeer peer = receiver.seenFrom(sender, Datagrams.KEY);
            MemoryRegion from = relaxed(sender);
            MemoryRegion to = relaxed(receiver);
            for (int i = 0; i < 100; i++) {
                receiver.receives.receive(i, to, 0, RoutingHeader.BYTES + 512);
                receiver.receives.post();
                Bytes.fill(from.segment(), 0, 512, i);
                sender.sends.send(i, from, 0, 512, peer).signaled();
                sender.post();
                sender.await().requireSuccess(i, WorkOpcode.SEND);
                receiver.await().requireSuccess(i, WorkOpcode.RECEIVE);
                Bytes.verify(to.segment(), RoutingHeader.BYTES, 512, i);
            }
        }
    }

    private static MemoryRegion relaxed(Datagrams end) {
        return end.add(end.domain.allocate(1024, AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING));
    }

    /** A server that knows nobody answers whom it hears from. */
    @Test
    void shouldAnswerTheSender() {
        try (Datagrams client = new Datagrams();
                Datagrams server = new Datagrams()) {
            server.receive(1, 512, 1024);
            client.receive(2, 0, 1024);
            client.sends
                    .send(3, client.memory, 2048, 16, server.seenFrom(client, Datagrams.KEY))
                    .signaled();
            client.post();
            client.await().requireSuccess(3, WorkOpcode.SEND);

            server.await().requireSuccess(1, WorkOpcode.RECEIVE);
            AddressHandle back =
                    server.add(server.queuePair.createAddressHandle(server.completions, server.memory, 512));
            assertEquals(client.address.gid(), back.way().destination());
            DatagramPeer peer = new DatagramPeer(back, server.completions.sourceQueuePairNumber(), Datagrams.KEY);
            Bytes.fill(server.memory.segment(), 4096, 100, 6);
            server.sends.send(4, server.memory, 4096, 100, peer).signaled();
            server.post();
            server.await().requireSuccess(4, WorkOpcode.SEND);
            client.await().requireSuccess(2, WorkOpcode.RECEIVE);
            Bytes.verify(client.memory.segment(), RoutingHeader.BYTES, 100, 6);
        }
    }

    @Test
    void shouldReachSeveralPeersInOneBatch() {
        try (Datagrams sender = new Datagrams();
                Datagrams one = new Datagrams();
                Datagrams other = new Datagrams()) {
            one.receive(1, 0, 1024);
            other.receive(2, 0, 1024);
            sender.sends
                    .send(3, sender.memory, 0, 8, one.seenFrom(sender, Datagrams.KEY))
                    .send(4, sender.memory, 0, 9, other.seenFrom(sender, Datagrams.KEY))
                    .signaled();
            sender.post();
            sender.await().requireSuccess(4, WorkOpcode.SEND);
            assertEquals(
                    RoutingHeader.BYTES + 8,
                    one.await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            assertEquals(
                    RoutingHeader.BYTES + 9,
                    other.await().requireSuccess(2, WorkOpcode.RECEIVE).byteLength());
        }
    }

    /** The sender never hears of it. What comes next with the right key is taken, so the first one was dropped. */
    @Test
    void shouldDropAWrongQueueKeyInSilence() {
        try (Datagrams sender = new Datagrams();
                Datagrams receiver = new Datagrams()) {
            receiver.receive(1, 0, 1024);
            sender.sends
                    .send(2, sender.memory, 0, 8, receiver.seenFrom(sender, Datagrams.KEY + 1))
                    .signaled();
            sender.sends
                    .send(3, sender.memory, 0, 16, receiver.seenFrom(sender, Datagrams.KEY))
                    .signaled();
            sender.post();
            sender.await().requireSuccess(2, WorkOpcode.SEND);
            sender.await().requireSuccess(3, WorkOpcode.SEND);
            assertEquals(
                    RoutingHeader.BYTES + 16,
                    receiver.await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            assertEquals(0, receiver.completions.poll());
        }
    }

    /** Soft-RoCE, and others, report success and send nothing. */
    @Test
    void shouldRefuseWhatDoesNotFitAPacket() {
        try (Datagrams sender = new Datagrams()) {
            DatagramPeer itself = sender.seenFrom(sender, Datagrams.KEY);
            int longest = itself.way().longestMessage();
            assertEquals(sender.address.mtu().bytes(), longest);
            assertTrue(assertThrows(
                            IllegalArgumentException.class,
                            () -> sender.sends.send(1, sender.memory, 0, longest + 1, itself))
                    .getMessage()
                    .contains("a datagram is one packet"));
        }
    }
}
