package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Single steps; the device tells what was set. */
class TransitionsIT {
    @Test
    void shouldTellWhatEachStepSet() {
        try (Link link = Link.builder().unconnected()) {
            RcQueuePair queuePair = link.client().queuePair();
            assertEquals(QueuePairState.RESET, queuePair.query().state());
            assertTrue(
                    queuePair.query().capacity().sendDepth()
                            >= queuePair.capacity().sendDepth(),
                    "the device holds what it granted");

            queuePair.modify(Steps.initialize());
            QueuePairAttributes init = queuePair.query();
            assertEquals(QueuePairState.INIT, init.state());
            assertEquals(QueuePairState.INIT, queuePair.state());
            assertEquals(Rdma.port(), init.port());
            assertEquals(0, init.partitionKeyIndex());
            assertEquals(Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE), remote(init));

            queuePair.modify(Steps.readyToReceive(link.server()));
            QueuePairAttributes rtr = queuePair.query();
            assertEquals(QueuePairState.RTR, rtr.state());
            assertEquals(Steps.mtu(link.server()).code(), rtr.pathMtuCode());
            assertEquals(link.server().queuePair().number(), rtr.destinationNumber());
            assertEquals(Steps.RECEIVE_PSN, rtr.receivePacketSequenceNumber());
            assertEquals(Steps.READS_AS_RESPONDER, rtr.readsAsResponder());
            assertEquals(Steps.RNR_TIMER, rtr.minRnrTimer());
            assertEquals(Steps.path(link.server()).destination(), rtr.path().destination());
            assertEquals(Steps.path(link.server()).sourceGidIndex(), rtr.path().sourceGidIndex());
            assertEquals(Steps.TRAFFIC_CLASS, rtr.path().trafficClass());

            queuePair.modify(Steps.readyToSend());
            QueuePairAttributes rts = queuePair.query();
            assertEquals(QueuePairState.RTS, rts.state());
            assertEquals(Steps.TIMEOUT, rts.ackTimeout());
            assertEquals(Steps.RETRIES, rts.retryCount());
            assertEquals(Steps.RNR_RETRIES, rts.rnrRetry());
            assertEquals(Steps.SEND_PSN, rts.sendPacketSequenceNumber());
            assertEquals(Steps.READS_AS_INITIATOR, rts.readsAsInitiator());
            assertEquals(Steps.RECEIVE_PSN, rts.receivePacketSequenceNumber());

            queuePair.modify(Transition.to(QueuePairState.ERR));
            assertEquals(QueuePairState.ERR, queuePair.query().state());
            queuePair.modify(Transition.to(QueuePairState.RESET));
            assertEquals(QueuePairState.RESET, queuePair.query().state());
        }
    }

    private static Set<AccessFlag> remote(QueuePairAttributes attributes) {
        Set<AccessFlag> flags = EnumSet.copyOf(attributes.remoteAccess());
        flags.remove(AccessFlag.LOCAL_WRITE); // some drivers report it always
        return flags;
    }

    @Test
    void shouldCarryDataAfterSingleSteps() {
        try (Link link = Link.builder().unconnected()) {
            link.client().queuePair().modify(Steps.initialize());
            link.server().queuePair().modify(Steps.initialize());
            link.client().queuePair().modify(Steps.readyToReceive(link.server()));
            link.server()
                    .queuePair()
                    .modify(Steps.readyToReceive(link.client()).receivePacketSequenceNumber(Steps.SEND_PSN));
            link.client().queuePair().modify(Steps.readyToSend());
            link.server().queuePair().modify(Steps.readyToSend().sendPacketSequenceNumber(Steps.RECEIVE_PSN));

            link.client().fill(0, 2000, 1);
            link.server().receive(1, 0, 2000);
            link.client().sends().send(2, link.client().memory(), 0, 2000).signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            link.server().verify(0, 2000, 1);
        }
    }

    @Test
    void shouldChangeAttributesWithinAState() {
        try (Link link = Link.builder().unconnected()) {
            RcQueuePair queuePair = link.client().queuePair();
            queuePair.modify(Steps.initialize());
            queuePair.modify(Transition.to(QueuePairState.INIT).access(AccessFlag.REMOTE_READ));
            assertEquals(Set.of(AccessFlag.REMOTE_READ), remote(queuePair.query()));

            queuePair.modify(Steps.readyToReceive(link.server()));
            queuePair.modify(Steps.readyToSend());
            queuePair.modify(Transition.to(QueuePairState.RTS).minRnrTimer(20).access(AccessFlag.REMOTE_WRITE));
            assertEquals(20, queuePair.query().minRnrTimer());
            assertEquals(Set.of(AccessFlag.REMOTE_WRITE), remote(queuePair.query()));
            assertEquals(QueuePairState.RTS, queuePair.query().state());
        }
    }

    /** {@code test_modify_rc_qp_rd_atomic} of pyverbs; Soft-RoCE makes it a power of two. */
    @Test
    void shouldGrantAtLeastAsManyReadsAsAskedFor() {
        try (Link link = Link.builder().unconnected()) {
            RcQueuePair queuePair = link.client().queuePair();
            queuePair.modify(Steps.initialize());
            queuePair.modify(Steps.readyToReceive(link.server()).readsAsResponder(12));
            queuePair.modify(Steps.readyToSend().readsAsInitiator(12));
            QueuePairAttributes told = queuePair.query();
            assertTrue(told.readsAsResponder() >= 12, told::toString);
            assertTrue(told.readsAsInitiator() >= 12, told::toString);
        }
    }

    @Test
    void shouldConnectWithTheDefaultsThatAreDocumented() {
        try (Link link = Link.connected()) {
            QueuePairAttributes attributes = link.client().queuePair().query();
            assertEquals(14, attributes.ackTimeout());
            assertEquals(7, attributes.retryCount());
            assertEquals(7, attributes.rnrRetry());
            assertEquals(12, attributes.minRnrTimer());
        }
    }
}
