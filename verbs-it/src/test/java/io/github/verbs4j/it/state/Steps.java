package io.github.verbs4j.it.state;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Rdma;

/** The complete steps of the state machine, with values that are all different. */
final class Steps {
    static final int RECEIVE_PSN = 0x12_3456;
    static final int SEND_PSN = 0x65_4321;
    static final int READS_AS_RESPONDER = 4;
    static final int READS_AS_INITIATOR = 2;
    static final int RNR_TIMER = 13;
    static final int TIMEOUT = 15;
    static final int RETRIES = 6;
    static final int RNR_RETRIES = 5;
    /** Not read back: on RoCE the kernel puts the route's own in its place. */
    private static final int HOPS = 17;

    static final int TRAFFIC_CLASS = 0x28;

    private Steps() {}

    static Transition initialize() {
        return Transition.to(QueuePairState.INIT)
                .partitionKeyIndex(0)
                .port(Rdma.port())
                .access(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    }

    /** To the other end of a link, which is on the same port. */
    static AddressVector path(End peer) {
        GidEntry gid = Rdma.gid(peer.context());
        PortAttributes port = peer.context().port(Rdma.port());
        return new AddressVector(gid.gid(), port.lid(), Rdma.port(), gid.index(), 0, HOPS, TRAFFIC_CLASS, 0);
    }

    static Mtu mtu(End peer) {
        return peer.context().port(Rdma.port()).activeMtu();
    }

    static Transition readyToReceive(End peer) {
        return Transition.to(QueuePairState.RTR)
                .path(path(peer))
                .pathMtu(mtu(peer))
                .destination(peer.queuePair().number())
                .receivePacketSequenceNumber(RECEIVE_PSN)
                .readsAsResponder(READS_AS_RESPONDER)
                .minRnrTimer(RNR_TIMER);
    }

    static Transition readyToSend() {
        return Transition.to(QueuePairState.RTS)
                .ackTimeout(TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetry(RNR_RETRIES)
                .sendPacketSequenceNumber(SEND_PSN)
                .readsAsInitiator(READS_AS_INITIATOR);
    }
}
