package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.DatagramDestination;
import io.github.verbs4j.cm.MulticastConnector;
import io.github.verbs4j.cm.MulticastGroup;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Shell;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups that are joined through librdmacm. */
class MulticastGroupIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");
    private static final InetAddress OURS = InetAddress.ofLiteral("10.9.0.1");

    private final Resources resources = new Resources();
    private ConnectionManager manager;

    @BeforeEach
    void open() {
        manager = resources.add(ConnectionManager.open());
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private MulticastConnector resolved(InetAddress group, InetAddress ours) throws InterruptedException {
        return resources.add(manager.multicastConnector(group, ours)).resolve(PATIENCE);
    }

    private DatagramEnd ready(MulticastConnector connector) {
        DatagramEnd end = resources.add(new DatagramEnd());
        connector.initialize(end.queuePair());
        return end.activate(4);
    }

    @Test
    void shouldReachEveryMember() throws Exception {
        MulticastConnector connector = resolved(GROUP, OURS);
        assertEquals(Rdma.device().name(), connector.device());
        DatagramEnd one = ready(connector);
        DatagramEnd outsider = ready(connector);
        MulticastGroup ofOne = resources.add(connector.join(one.queuePair(), PATIENCE));
        MulticastConnector another = resolved(GROUP, OURS);
        DatagramEnd other = ready(another);
        MulticastGroup ofOther =
                resources.add(another.joinAsync(other.queuePair(), PATIENCE).get());

        DatagramDestination destination = ofOne.destination();
        assertEquals(GROUP, ofOne.address());
        assertEquals(DatagramPeer.MULTICAST, destination.queuePairNumber());
        assertEquals(DatagramDestination.QUEUE_KEY, destination.queueKey());
        outsider.send(destination, 1);
        one.requireReceived(0, 1);
        assertEquals(
                destination.way().destination(), other.requireReceived(0, 1).destination());

        ofOther.close();
        outsider.send(destination, 2);
        one.requireReceived(1, 2);
        other.requireNothingReceived();
        outsider.requireNothingReceived();
    }

    /** Else a switch that looks into IGMP delivers nothing. */
    @Test
    void shouldHaveTheInterfaceJoinAndLeave() throws Exception {
        MulticastConnector connector = resolved(GROUP, OURS);
        DatagramEnd member = ready(connector);
        assertFalse(isJoinedByAnInterface());
        try (MulticastGroup group = connector.join(member.queuePair(), PATIENCE)) {
            assertTrue(isJoinedByAnInterface(), group::toString);
        }
        assertFalse(isJoinedByAnInterface());
        try (MulticastGroup group = resolved(GROUP, OURS).joinToSend(PATIENCE)) {
            assertFalse(isJoinedByAnInterface(), group::toString);
        }
    }

    private static boolean isJoinedByAnInterface() {
        return Shell.output("ip", "maddress", "show").contains(GROUP.getHostAddress());
    }

    @Test
    void shouldSendWithoutReceiving() throws Exception {
        MulticastConnector connector = resolved(GROUP, OURS);
        DatagramEnd member = ready(connector);
        MulticastConnector another = resolved(GROUP, OURS);
        DatagramEnd sender = ready(another);
        resources.add(connector.join(member.queuePair(), PATIENCE));
        MulticastGroup onlyToSend = resources.add(another.joinToSend(PATIENCE));

        assertFalse(onlyToSend.membership().isPresent());
        sender.send(onlyToSend.destination(), 3);
        member.requireReceived(0, 3);
        sender.requireNothingReceived();
    }

    @Test
    void shouldJoinAgainAfterLeaving() throws Exception {
        MulticastConnector connector = resolved(GROUP, OURS);
        DatagramEnd member = ready(connector);
        MulticastGroup group = resources.add(connector.join(member.queuePair(), PATIENCE));
        assertTrue(assertThrows(IllegalStateException.class, member.queuePair()::close)
                .getMessage()
                .contains(group.membership().orElseThrow().toString()));
        assertTrue(assertThrows(IllegalStateException.class, manager::close)
                .getMessage()
                .contains(group.toString()));
        assertThrows(IllegalStateException.class, () -> connector.join(member.queuePair(), PATIENCE));

        group.close();
        group.close();

        MulticastGroup again = resources.add(resolved(GROUP, OURS).join(member.queuePair(), PATIENCE));
        member.send(again.destination(), 4);
        member.requireReceived(0, 4);
        assertFalse(again.lost().isDone());
    }

    @Test
    void shouldRefuseAQueuePairThatWouldHearNothing() throws Exception {
        MulticastConnector connector = resolved(GROUP, OURS);
        DatagramEnd end = resources.add(new DatagramEnd());
        assertTrue(assertThrows(IllegalStateException.class, () -> connector.join(end.queuePair(), PATIENCE))
                .getMessage()
                .contains("RESET"));
        end.queuePair().initialize(Rdma.gid(end.queuePair().domain().context()), 0x1111_1111);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> connector.join(end.queuePair(), PATIENCE))
                .getMessage()
                .contains("0x11111111, but peers send with 0x01234567"));
    }

    @Test
    void shouldLeaveWhatAQueuePairIsInAlready() throws Exception {
        MulticastConnector connector = resolved(GROUP, OURS);
        DatagramEnd member = ready(connector);
        MulticastGroup group = resources.add(connector.join(member.queuePair(), PATIENCE));
        MulticastConnector another = resolved(GROUP, OURS);

        assertTrue(assertThrows(IllegalStateException.class, () -> another.join(member.queuePair(), PATIENCE))
                .getMessage()
                .contains("already"));
        another.close();
        member.send(group.destination(), 5);
        member.requireReceived(0, 5);
    }

    @Test
    void shouldRefuseWhatIsNoGroup() {
        String message = assertThrows(IllegalArgumentException.class, () -> manager.multicastConnector(OURS, OURS))
                .getMessage();
        assertTrue(message.contains("10.9.0.1 is not a multicast address"), message);
        assertThrows(
                IllegalArgumentException.class,
                () -> manager.multicastConnector(GROUP, InetAddress.ofLiteral("fd09::1")));
    }

    @Test
    void shouldTellThatTheKernelJoinsNoGroupOfIpVersion6() throws Exception {
        MulticastConnector connector = resolved(InetAddress.ofLiteral("ff0e::1:2:3"), InetAddress.ofLiteral("fd09::1"));
        DatagramEnd end = ready(connector);

        ConnectionException failure =
                assertThrows(ConnectionException.class, () -> connector.join(end.queuePair(), PATIENCE));

        assertTrue(failure.getMessage().contains("no IPv6 group over RoCE version 2"), failure::getMessage);
    }

    @Test
    void shouldTellThatAnAddressIsNotOursOrHasNoDevice() {
        ConnectionException failure = assertThrows(
                ConnectionException.class, () -> manager.multicastConnector(GROUP, InetAddress.ofLiteral("10.9.0.77")));
        assertEquals(99, failure.errno().orElseThrow().number());

        MulticastConnector loopback =
                resources.add(manager.multicastConnector(GROUP, InetAddress.ofLiteral("127.0.0.1")));
        assertThrows(IllegalStateException.class, loopback::device);
        assertThrows(IllegalStateException.class, () -> loopback.joinToSend(PATIENCE));
        assertEquals(
                Errno.ENODEV,
                assertThrows(ConnectionException.class, () -> loopback.resolve(PATIENCE))
                        .errno()
                        .orElseThrow());
    }
}
