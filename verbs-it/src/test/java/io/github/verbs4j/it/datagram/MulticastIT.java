package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.MulticastMembership;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Groups of queue pairs that get the same datagrams. */
class MulticastIT {
    private static final Gid GROUP = Gid.ofHex("00000000000000000000ffffe0010203");

    @Test
    void shouldJoinAndLeave() {
        try (Datagrams member = new Datagrams()) {
            MulticastMembership membership = member.queuePair.attach(GROUP, 0);
            assertTrue(assertThrows(IllegalStateException.class, member.queuePair::close)
                    .getMessage()
                    .contains(membership.toString()));
            membership.close();
            member.queuePair.attach(GROUP, 0).close();
        }
    }

    @Test
    void shouldExplainWhatIsNoGroup() {
        try (Datagrams member = new Datagrams()) {
            Gid unicast = member.address.gid();
            VerbsException refused = assertThrows(VerbsException.class, () -> member.queuePair.attach(unicast, 0));
            assertEquals(Optional.of(Errno.EINVAL), refused.errno());
            assertTrue(refused.getMessage().contains("multicast group"), refused::getMessage);
        }
    }

    /** Membership of the interface, by IGMP, is not that of the queue pairs: a socket stands for what a network needs. */
    private static MulticastSocket joined(Gid ours) throws IOException {
        MulticastSocket socket = new MulticastSocket();
        boolean joined = false;
        try {
            socket.joinGroup(
                    new InetSocketAddress(address(GROUP), 0), NetworkInterface.getByInetAddress(address(ours)));
            joined = true;
            return socket;
        } finally {
            if (!joined) {
                socket.close();
            }
        }
    }

    private static InetAddress address(Gid gid) throws IOException {
        return InetAddress.getByAddress(gid.toByteArray());
    }

    @Test
    void shouldReachEveryMember() throws IOException {
        try (Datagrams sender = new Datagrams();
                Datagrams one = new Datagrams();
                Datagrams other = new Datagrams();
                Datagrams outsider = new Datagrams();
                MulticastSocket network = joined(sender.address.gid())) {
            assertTrue(network.isBound());
            one.add(one.queuePair.attach(GROUP, 0));
            other.add(other.queuePair.attach(GROUP, 0));
            for (Datagrams end : new Datagrams[] {one, other, outsider}) {
                end.receive(1, 0, 1024);
            }
            AddressVector way = new AddressVector(
                    GROUP, 0, Rdma.port(), Rdma.gid(sender.context).index(), 0, 1, 0, 0);
            AddressHandle group = sender.add(sender.domain.createAddressHandle(way));
            Bytes.fill(sender.memory.segment(), 0, 100, 7);
            sender.sends
                    .send(2, sender.memory, 0, 100, new DatagramPeer(group, DatagramPeer.MULTICAST, Datagrams.KEY))
                    .signaled();
            sender.post();
            sender.await().requireSuccess(2, WorkOpcode.SEND);
            for (Datagrams end : new Datagrams[] {one, other}) {
                end.await().requireSuccess(1, WorkOpcode.RECEIVE);
                assertEquals(GROUP, end.header(0).destination());
                Bytes.verify(end.memory.segment(), RoutingHeader.BYTES, 100, 7);
            }
            assertEquals(0, outsider.completions.poll());
        }
    }
}
