package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.fake.FakeCm;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a network does to datagrams and groups only when it is in trouble. */
@Timeout(60)
class DatagramStatesTest extends FakeConnections {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

    private MulticastConnector connector;
    private int id;

    private CompletableFuture<MulticastGroup> joining(Duration timeout) throws Exception {
        connector = keep(manager.multicastConnector(GROUP, OURS.getAddress()));
        id = FakeCm.newest();
        CompletableFuture<MulticastConnector> resolving = connector.resolveAsync(LONG);
        answer("rdma_resolve_addr", id, ConnectionEventType.ADDR_RESOLVED);
        return get(resolving).joinToSendAsync(timeout);
    }

    private void assertLeftAndDestroyed() {
        int left = FakeCm.log().indexOf("rdma_leave_multicast id" + id);
        assertTrue(left >= 0 && left < FakeCm.log().indexOf("rdma_destroy_id id" + id), FakeCm.log()::toString);
    }

    @Test
    void shouldTellThatAGroupWasLost() throws Exception {
        CompletableFuture<MulticastGroup> joining = joining(LONG);
        answer("rdma_join_multicast_ex", id, ConnectionEventType.MULTICAST_JOIN);
        MulticastGroup group = keep(get(joining));
        assertFalse(group.lost().isDone());

        FakeCm.deliver(id, ConnectionEventType.MULTICAST_ERROR.code(), 0);

        assertEquals(ConnectionEventType.MULTICAST_ERROR, get(group.lost()));
        group.close();
        assertLeftAndDestroyed();
    }

    @Test
    void shouldLetNobodyWaitForTheLossOfAGroupThatWasLeft() throws Exception {
        CompletableFuture<MulticastGroup> joining = joining(LONG);
        answer("rdma_join_multicast_ex", id, ConnectionEventType.MULTICAST_JOIN);
        MulticastGroup group = keep(get(joining));
        CompletableFuture<Boolean> follower = group.lost().handle((lost, thrown) -> {
            group.close();
            return Thread.currentThread().isVirtual();
        });

        group.close();

        assertTrue(get(follower));
        failure(CancellationException.class, group.lost());
    }

    @Test
    void shouldTellThatTheNetworkRefusesAMember() throws Exception {
        CompletableFuture<MulticastGroup> joining = joining(LONG);
        answer("rdma_join_multicast_ex", id, ConnectionEventType.MULTICAST_ERROR);

        ConnectionException failure = failure(ConnectionException.class, joining);
        assertEquals(ConnectionEventType.MULTICAST_ERROR, failure.event().orElseThrow());
        assertEquals(GROUP, failure.destination().orElseThrow().getAddress());
    }

    @Test
    void shouldLeaveAGroupThatDoesNotAnswer() throws Exception {
        ConnectionException failure = failure(ConnectionException.class, joining(SHORT));

        assertEquals(Errno.ETIMEDOUT, failure.errno().orElseThrow());
        connector.close();
        assertLeftAndDestroyed();
    }

    /** The statuses of {@code ib_cm_sidr_status} have numbers of their own. */
    @ParameterizedTest
    @CsvSource({
        "1, INVALID_SERVICE_ID",
        "2, CONSUMER_DEFINED",
        "3, NO_QP",
        "4, PORT_REDIRECT",
        "5, INVALID_CLASS_VERSION",
        "77, UNKNOWN"
    })
    void shouldTellWhyAListenerSaysNo(int status, RejectReason reason) throws Exception {
        DatagramConnector asking = keep(manager.datagramConnector(PEER));
        CompletableFuture<DatagramConnector> resolving = asking.resolveAsync(LONG);
        resolve(FakeCm.newest());
        CompletableFuture<DatagramDestination> connecting = get(resolving).connectAsync(new byte[0], LONG);

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.UNREACHABLE.code(), status);

        ConnectionException failure = failure(ConnectionException.class, connecting);
        assertEquals(reason, failure.rejectReason().orElseThrow());
        assertEquals(PEER, failure.destination().orElseThrow());
    }
}
