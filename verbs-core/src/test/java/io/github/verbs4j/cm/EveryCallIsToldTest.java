package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.fake.FakeCm;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Recorded;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked of librdmacm, Flight Recorder is told: the fake counts the calls, and knows all there are. */
@Timeout(120)
class EveryCallIsToldTest extends FakeConnections {
    private static final Set<String> TAKE_EVENTS = Set.of("rdma_get_cm_event", "rdma_ack_cm_event");
    private static final EndpointOptions MARKED = EndpointOptions.defaults().withTypeOfService(0x48);
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

    @Test
    void shouldTellOfEveryCall() throws Exception {
        long before = FakeCm.calls("rdma_create_event_channel");
        Map<String, Long> told = Recorded.during(this::useEverything).calls();

        for (String function : FakeCm.functions()) {
            if (!TAKE_EVENTS.contains(function)) {
                long calls = FakeCm.calls(function);
                assertTrue(calls > 0, () -> function + " is not used by this test");
                long untold = function.equals("rdma_create_event_channel") ? before : 0;
                assertEquals(calls - untold, told.getOrDefault(function, 0L), function);
            }
        }
    }

    private void useEverything() throws Exception {
        FakeVerbs.enhancements(0x15b3, 7);
        FakeCm.remoteEnhancements(0x15b3, 3);
        try (ConnectionManager other = ConnectionManager.open()) {
            connected().migrate(other).close();
        }
        useConnection();
        useListener();
        useGroup();
    }

    private void useConnection() throws Exception {
        manager.connector(PEER, OURS, MARKED).close();
        Connection connection = connected();
        int id = FakeCm.newest();
        CompletableFuture<ConnectionEventType> ending = connection.disconnectAsync(LONG);
        answer("rdma_disconnect", id, ConnectionEventType.DISCONNECTED);
        get(ending);
        await(() -> FakeCm.calls("rdma_disconnect") == 2); // our answer to the peer's
        connection.close();
    }

    private void useListener() throws Exception {
        try (Listener listener = manager.listen(OURS, 4)) {
            int listening = FakeCm.newest();
            request(listener, listening).reject(new byte[0]);
            request(listener, listening).rejectEnhancements(new byte[0]);
            ConnectionRequest request = request(listener, listening);
            int id = FakeCm.newest();
            request.initialize(queuePair());
            CompletableFuture<Connection> accepting = request.acceptAsync(DEFAULTS, LONG);
            await(() -> FakeCm.calls("rdma_accept") == 1);
            request.notifyEstablished();
            answer("rdma_notify", id, ConnectionEventType.ESTABLISHED);
            get(accepting).close();
        }
    }

    private void useGroup() throws Exception {
        try (MulticastConnector connector = manager.multicastConnector(GROUP, OURS.getAddress())) {
            int id = FakeCm.newest();
            CompletableFuture<MulticastConnector> resolving = connector.resolveAsync(LONG);
            answer("rdma_resolve_addr", id, ConnectionEventType.ADDR_RESOLVED);
            CompletableFuture<MulticastGroup> joining = get(resolving).joinToSendAsync(LONG);
            answer("rdma_join_multicast_ex", id, ConnectionEventType.MULTICAST_JOIN);
            get(joining).close();
        }
    }
}
