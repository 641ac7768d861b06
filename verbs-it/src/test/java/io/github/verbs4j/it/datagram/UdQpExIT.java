package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What rdma-core's own {@code test_qpex.py} tests of datagrams, under its names: they are built, each for its peer. */
class UdQpExIT {
    private static final int LENGTH = 1000;

    private Datagrams sender;
    private Datagrams receiver;
    private DatagramPeer peer;

    @BeforeEach
    void open() {
        sender = new Datagrams(options -> options.extended(SendOperation.SEND, SendOperation.SEND_IMMEDIATE));
        receiver = new Datagrams();
        peer = receiver.seenFrom(sender, Datagrams.KEY);
        Bytes.fill(sender.memory.segment(), 0, LENGTH, 7);
        receiver.receive(1, 0, RoutingHeader.BYTES + LENGTH);
    }

    @AfterEach
    void close() {
        receiver.close();
        sender.close();
    }

    private Done received(int length) {
        sender.post();
        sender.await().requireSuccess(2, WorkOpcode.SEND);
        Done received = receiver.await().requireSuccess(1, WorkOpcode.RECEIVE);
        assertEquals(RoutingHeader.BYTES + length, received.byteLength());
        Bytes.verify(receiver.memory.segment(), RoutingHeader.BYTES, length, 7);
        return received;
    }

    @Test
    @DisplayName("test_qp_ex_ud_send")
    void shouldSend() {
        sender.sends.send(2, sender.memory, 0, LENGTH, peer).signaled();
        received(LENGTH);
    }

    @Test
    @DisplayName("test_qp_ex_ud_zero_size")
    void shouldSendNothing() {
        sender.sends.send(2, sender.memory, 0, 0, peer).signaled();
        received(0);
        Bytes.verifyUntouched(receiver.memory.segment(), RoutingHeader.BYTES, LENGTH);
    }

    @Test
    @DisplayName("test_qp_ex_ud_send_imm")
    void shouldSendWithImmediate() {
        sender.sends
                .sendImmediate(2, sender.memory, 0, LENGTH, peer, 0x1234_5678)
                .signaled();
        assertEquals(OptionalInt.of(0x1234_5678), received(LENGTH).immediate());
    }

    /** Soft-RoCE of rdma-core 44 sends the wrong length if a builder is given several pieces of different lengths. */
    @Test
    void shouldGatherPieces() {
        sender.sends
                .send(2, sender.memory, 0, 10, peer)
                .and(sender.memory, 10, LENGTH - 10)
                .signaled();
        received(LENGTH);
    }

    @Test
    void shouldSendInline() {
        sender.sends.send(2, sender.memory, 0, 60, peer).inline().signaled();
        received(60);
    }

    @Test
    void shouldReachSeveralPeersInOneBatch() {
        try (Datagrams another = new Datagrams()) {
            another.receive(3, 0, RoutingHeader.BYTES + LENGTH);
            sender.sends.send(1, sender.memory, 0, 9, another.seenFrom(sender, Datagrams.KEY));
            sender.sends.send(2, sender.memory, 0, LENGTH, peer).signaled();
            received(LENGTH);
            assertEquals(
                    RoutingHeader.BYTES + 9,
                    another.await().requireSuccess(3, WorkOpcode.RECEIVE).byteLength());
        }
    }
}
