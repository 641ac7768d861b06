package io.github.verbs4j.bench.suite;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.DatagramSendQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RoutingHeader;

/** An end of an exchange of datagrams. */
final class DatagramEnd extends End<UdQueuePair> {
    private static final int QUEUE_KEY = 0x1111_1111;

    private final int size;
    private final boolean inline;
    private final DatagramSendQueue sends;
    private AddressHandle way;
    private DatagramPeer peer;

    /**
     * Makes one.
     *
     * @param context open device
     * @param domain of it
     * @param size of a datagram, bytes
     * @param inlineBytes datagrams of up to so many bytes are sent inline
     */
    DatagramEnd(DeviceContext context, ProtectionDomain domain, int size, int inlineBytes) {
        boolean inline = size <= inlineBytes;
        super(
                context,
                domain,
                ProtectionDomain::createUd,
                inline ? inlineBytes : 0,
                false,
                RoutingHeader.BYTES + size,
                AccessFlag.LOCAL_WRITE);
        this.size = size;
        this.inline = inline;
        this.sends = DatagramSendQueue.over(pair());
    }

    @Override
    QueuePairAddress initialize(GidEntry gid) {
        return pair().initialize(gid, QUEUE_KEY);
    }

    @Override
    void connect(QueuePairAddress told) {
        pair().activate();
        way = pair().createAddressHandle(told);
        peer = new DatagramPeer(way, told.queuePairNumber(), QUEUE_KEY);
    }

    @Override
    void stage(int id) {
        sends.send(id, memory(), RoutingHeader.BYTES, size, peer);
        if (inline) {
            sends.inline();
        }
    }

    @Override
    boolean flush() {
        sends.signaled().post();
        return sends.staged() == 0;
    }

    @Override
    void closeSends() {
        sends.close();
        way.close();
    }
}
