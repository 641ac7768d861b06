package io.github.verbs4j.tools;

import io.github.verbs4j.Completions;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.DatagramSendQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RoutingHeader;

/** One end of an exchange of datagrams. */
final class DatagramEndpoint extends Endpoint<UdQueuePair> {
    /** That of {@code ibv_ud_pingpong}. */
    private static final int QUEUE_KEY = 0x1111_1111;

    private DatagramPeer peer;
    private DatagramSendQueue sends;

    private DatagramEndpoint(Closing closing, DeviceContext context, long bytes, int depth, AccessFlag... access) {
        super(closing, context, ProtectionDomain::createUd, bytes + RoutingHeader.BYTES, depth, access);
    }

    /** As {@link Endpoint.Maker#make}; the memory has room for one routing header besides. */
    static DatagramEndpoint create(DeviceContext context, long bytes, int depth, AccessFlag... access) {
        return Closing.whole(closing -> new DatagramEndpoint(closing, context, bytes, depth, access));
    }

    @Override
    QueuePairAddress initialize(GidEntry gid) {
        return queuePair().initialize(gid, QUEUE_KEY);
    }

    @Override
    void connect(QueuePairAddress told) {
        queuePair().activate();
        peer = new DatagramPeer(owned(queuePair().createAddressHandle(told)), told.queuePairNumber(), QUEUE_KEY);
        // made after the address handle, closed before it: one that a staged send uses cannot be closed
        sends = owned(DatagramSendQueue.over(queuePair()));
    }

    @Override
    void send(long id, long offset, long length) {
        requirePosted(sends.send(id, memory(), offset, length, peer).signaled().post());
    }

    /** Anybody may send here who knows the queue key, and that is in the source of every ping-pong. */
    @Override
    boolean isOfPeer(Completions completions) {
        return completions.sourceQueuePairNumber() == peer.queuePairNumber();
    }

    @Override
    int headroom() {
        return RoutingHeader.BYTES;
    }
}
