package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** Every step that a queue pair for datagrams can take; the device tells where it is. */
class UdTransitionsIT {
    private static void step(Datagrams end, Transition step) {
        end.queuePair.modify(step);
        assertEquals(step.state(), end.queuePair.query().state());
        assertEquals(step.state(), end.queuePair.state());
    }

    private static Transition initialize() {
        return Transition.to(QueuePairState.INIT)
                .partitionKeyIndex(0)
                .port(Rdma.port())
                .queueKey(5);
    }

    @Test
    void shouldTakeEveryStep() {
        try (Datagrams end = new Datagrams()) {
            DatagramPeer itself = end.seenFrom(end, Datagrams.KEY);
            step(end, Transition.to(QueuePairState.RESET));
            step(end, initialize());
            step(end, Transition.to(QueuePairState.INIT).queueKey(6));
            step(end, Transition.to(QueuePairState.RTR).queueKey(7));
            step(
                    end,
                    Transition.to(QueuePairState.RTS)
                            .sendPacketSequenceNumber(0x12_3456)
                            .queueKey(8));
            QueuePairAttributes ready = end.queuePair.query();
            assertEquals(8, ready.queueKey());
            assertEquals(0x12_3456, ready.sendPacketSequenceNumber());
            assertEquals(Rdma.port(), ready.port());
            step(end, Transition.to(QueuePairState.RTS).queueKey(9));
            step(end, Transition.to(QueuePairState.SQD));
            step(end, Transition.to(QueuePairState.SQD).queueKey(Datagrams.KEY));
            step(end, Transition.to(QueuePairState.RTS).currentState(QueuePairState.SQD));
            assertEquals(Datagrams.KEY, end.queuePair.query().queueKey());

            end.receive(1, 0, 1024);
            end.sends.send(2, end.memory, 0, 8, itself).signaled();
            end.post();
            assertEquals(WorkStatus.SUCCESS, end.await().status());
            assertEquals(WorkStatus.SUCCESS, end.await().status());

            step(end, Transition.to(QueuePairState.ERR));
            step(end, Transition.to(QueuePairState.ERR));
            step(end, Transition.to(QueuePairState.RESET));
        }
    }

    /** {@code test_create_ud_qp_with_privileged_qkey} of pyverbs. */
    @Test
    @SoftRoceMachine
    void shouldTakeAPrivilegedQueueKeyOfRoot() {
        try (Datagrams end = new Datagrams()) {
            end.queuePair.reset();
            end.queuePair.initialize(Rdma.gid(end.context), 0x8000_0000);
            assertEquals(0x8000_0000, end.queuePair.query().queueKey());
        }
    }

    @Test
    void shouldRefuseWhatOnlyConnectionsHave() {
        try (Datagrams end = new Datagrams()) {
            end.queuePair.reset();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> end.queuePair.modify(initialize().access()));
            step(end, initialize());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> end.queuePair.modify(Transition.to(QueuePairState.RTR).destination(1)));
            assertThrows(IllegalStateException.class, () -> end.queuePair.modify(Transition.to(QueuePairState.RTS)));
            assertEquals(QueuePairState.INIT, end.queuePair.query().state());
        }
    }

    @Test
    void shouldStartAnewAfterAReset() {
        try (Datagrams end = new Datagrams()) {
            end.queuePair.toError();
            end.queuePair.reset();
            end.queuePair.initialize(Rdma.gid(end.context), Datagrams.KEY);
            end.queuePair.activate();
            end.receive(1, 0, 1024);
            end.sends
                    .send(2, end.memory, 0, 8, end.seenFrom(end, Datagrams.KEY))
                    .signaled();
            end.post();
            boolean sent = false;
            for (int i = 0; i < 2; i++) {
                sent |= end.await().opcode().orElseThrow() == WorkOpcode.SEND;
            }
            assertEquals(true, sent);
        }
    }
}
