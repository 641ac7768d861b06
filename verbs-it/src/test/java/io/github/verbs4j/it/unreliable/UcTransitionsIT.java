package io.github.verbs4j.it.unreliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every step that an unreliable connection can take; the device tells where it is and what was set. */
class UcTransitionsIT {
    private Unreliable end;

    @BeforeEach
    void open() {
        end = new Unreliable();
    }

    @AfterEach
    void close() {
        end.close();
    }

    private void step(Transition step) {
        end.queuePair.modify(step);
        assertEquals(step.state(), end.queuePair.query().state());
        assertEquals(step.state(), end.queuePair.state());
    }

    private static Transition initialize() {
        return Transition.to(QueuePairState.INIT)
                .partitionKeyIndex(0)
                .port(Rdma.port())
                .access(AccessFlag.REMOTE_WRITE);
    }

    private AddressVector path(int trafficClass) {
        GidEntry gid = Rdma.gid(end.context);
        return new AddressVector(gid.gid(), 0, Rdma.port(), gid.index(), 0, 17, trafficClass, 0);
    }

    private Transition readyToReceive() {
        return Transition.to(QueuePairState.RTR)
                .path(path(4))
                .pathMtu(Mtu.MTU_512)
                .destination(end.queuePair.number())
                .receivePacketSequenceNumber(0x12_3456);
    }

    @Test
    void shouldTakeEveryStep() {
        assertEquals(QueuePairState.RESET, end.queuePair.query().state());
        step(initialize());
        step(Transition.to(QueuePairState.INIT).access());
        step(readyToReceive().access(AccessFlag.REMOTE_WRITE));
        step(Transition.to(QueuePairState.RTS).sendPacketSequenceNumber(0x65_4321));
        QueuePairAttributes ready = end.queuePair.query();
        assertEquals(Mtu.MTU_512.code(), ready.pathMtuCode());
        assertEquals(0x12_3456, ready.receivePacketSequenceNumber());
        assertEquals(0x65_4321, ready.sendPacketSequenceNumber());
        assertEquals(end.queuePair.number(), ready.destinationNumber());
        assertEquals(4, ready.path().trafficClass());
        assertTrue(ready.remoteAccess().contains(AccessFlag.REMOTE_WRITE));

        step(Transition.to(QueuePairState.RTS).access(AccessFlag.REMOTE_WRITE));
        step(Transition.to(QueuePairState.SQD));
        assertThrows(
                IllegalArgumentException.class,
                () -> end.queuePair.modify(Transition.to(QueuePairState.SQD).path(path(8))));
        step(Transition.to(QueuePairState.SQD).access());
        step(Transition.to(QueuePairState.RTS).currentState(QueuePairState.SQD));
        step(Transition.to(QueuePairState.ERR));
        step(Transition.to(QueuePairState.RESET));
    }

    @Test
    void shouldRefuseWhatOnlyReliableConnectionsHave() {
        step(initialize());
        assertThrows(
                IllegalArgumentException.class,
                () -> end.queuePair.modify(readyToReceive().minRnrTimer(12)));
        assertThrows(
                IllegalArgumentException.class,
                () -> end.queuePair.modify(readyToReceive().readsAsResponder(1)));
        step(readyToReceive());
        assertThrows(
                IllegalArgumentException.class,
                () -> end.queuePair.modify(Transition.to(QueuePairState.RTS)
                        .sendPacketSequenceNumber(1)
                        .retryCount(7)));
        assertEquals(QueuePairState.RTR, end.queuePair.query().state());
    }

    @Test
    void shouldStartAnewAfterAReset() {
        try (Unreliable peer = new Unreliable()) {
            Unreliable.connect(end, peer);
            end.queuePair.toError();
            end.queuePair.reset();
            peer.queuePair.reset();
            Unreliable.connect(end, peer);
            peer.receive(1, 0, 64);
            end.sends.send(2, end.memory, 0, 64).signaled();
            end.post();
            assertEquals(1, peer.await().id());
            assertEquals(2, end.await().id());
        }
    }
}
