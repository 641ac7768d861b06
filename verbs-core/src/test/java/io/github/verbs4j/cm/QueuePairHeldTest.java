package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.fake.FakeCm;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No queue pair is closed under what needs it, and each may be closed at once when nothing does any more. */
@Timeout(60)
class QueuePairHeldTest extends FakeConnections {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

    private static void requireHeld(QueuePair queuePair, AutoCloseable by) {
        IllegalStateException refusal = assertThrows(IllegalStateException.class, queuePair::close);
        assertSays("still open on it: " + by, refusal);
        assertTrue(queuePair.isOpen());
    }

    private Connector initialized(RcQueuePair queuePair) throws Exception {
        Connector connector = resolved();
        connector.initialize(queuePair);
        return connector;
    }

    private ConnectionRequest requested(RcQueuePair queuePair) throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        ConnectionRequest request = request(listener, FakeCm.newest());
        request.initialize(queuePair);
        return request;
    }

    @Test
    void shouldBeHeldByAConnectionAndByWhatThatMigratedTo() throws Exception {
        Connection connection = connected();
        RcQueuePair queuePair = connection.queuePair();
        requireHeld(queuePair, connection);

        Connection moved = connection.migrate(keep(ConnectionManager.open()));
        requireHeld(queuePair, moved);
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);
        get(moved.disconnected());
        requireHeld(queuePair, moved);

        moved.close();
        queuePair.close();
    }

    @Test
    void shouldBeHeldByAnAcceptedConnection() throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        Connection connection = accepted(request(listener, FakeCm.newest()));
        requireHeld(connection.queuePair(), connection);

        connection.close();

        connection.queuePair().close();
    }

    @Test
    void shouldNotBeRejectedWhileItIsAccepted() throws Exception {
        ConnectionRequest request = requested(queuePair());
        CompletableFuture<Connection> accepting = request.acceptAsync(DEFAULTS, LONG);

        assertSays(
                "reject: " + request + " is being accepted",
                assertThrows(IllegalStateException.class, () -> request.reject(new byte[0])));

        answer("rdma_accept", FakeCm.newest(), ConnectionEventType.ESTABLISHED);
        keep(get(accepting));
    }

    @Test
    void shouldHaveAConnectorOfItsOwn() throws Exception {
        RcQueuePair queuePair = queuePair();
        Connector connector = initialized(queuePair);
        Connection connection = connected(connector);

        assertSays(
                "connect: " + connector + " is closed: " + connection + " has taken its place",
                assertThrows(IllegalStateException.class, () -> connector.connectAsync(DEFAULTS, LONG)));
    }

    @Test
    void shouldBeHeldWhileItIsConnected() throws Exception {
        RcQueuePair queuePair = queuePair();
        Connector connector = initialized(queuePair);
        CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, LONG);
        requireHeld(queuePair, connector);
        assertSays(
                "is connecting; close() ends that",
                assertThrows(IllegalStateException.class, () -> connector.connectAsync(DEFAULTS, LONG)));
        requireHeld(queuePair, connector);

        connector.close();

        queuePair.close(); // even if nobody was told yet
        failure(ConnectionException.class, connecting);
    }

    @Test
    void shouldBeHeldWhileItIsAccepted() throws Exception {
        RcQueuePair queuePair = queuePair();
        ConnectionRequest request = requested(queuePair);
        CompletableFuture<Connection> accepting = request.acceptAsync(DEFAULTS, LONG);
        requireHeld(queuePair, request);
        await(() -> FakeCm.calls("rdma_accept") == 1);
        requireHeld(queuePair, request);

        request.close();

        queuePair.close();
        failure(ConnectionException.class, accepting);
    }

    @Test
    void shouldBeHeldWhileItJoinsAGroup() throws Exception {
        MulticastConnector connector = keep(manager.multicastConnector(GROUP, OURS.getAddress()));
        int id = FakeCm.newest();
        CompletableFuture<MulticastConnector> resolving = connector.resolveAsync(LONG);
        answer("rdma_resolve_addr", id, ConnectionEventType.ADDR_RESOLVED);
        get(resolving);
        UdQueuePair queuePair = datagramQueuePair();
        CompletableFuture<MulticastGroup> joining = connector.joinAsync(queuePair, LONG);
        requireHeld(queuePair, connector);

        connector.close();

        queuePair.close();
        failure(ConnectionException.class, joining);
    }

    @Test
    void shouldBeFreeBeforeAnyoneIsToldThatAnAttemptFailed() throws Exception {
        RcQueuePair connecting = queuePair();
        Connector connector = initialized(connecting);
        assertThrows(ConnectionException.class, () -> connector.connect(DEFAULTS, SHORT));
        connecting.close();

        RcQueuePair accepting = queuePair();
        ConnectionRequest request = requested(accepting);
        assertThrows(ConnectionException.class, () -> request.accept(DEFAULTS, SHORT));
        accepting.close();

        RcQueuePair refused = queuePair();
        Connector another = initialized(refused);
        FakeCm.failNext("rdma_connect", EINVAL);
        assertThrows(ConnectionException.class, () -> another.connect(DEFAULTS, LONG));
        refused.close();
    }

    @Test
    void shouldNotBeConnectedOrAcceptedOnceClosed() throws Exception {
        RcQueuePair connecting = queuePair();
        Connector connector = initialized(connecting);
        connecting.close();
        assertSays(
                connecting + " is closed",
                assertThrows(IllegalStateException.class, () -> connector.connect(DEFAULTS, LONG)));

        RcQueuePair accepting = queuePair();
        ConnectionRequest request = requested(accepting);
        accepting.close();
        assertSays(
                accepting + " is closed",
                assertThrows(IllegalStateException.class, () -> request.accept(DEFAULTS, LONG)));
        assertEquals(0, FakeCm.calls("rdma_connect") + FakeCm.calls("rdma_accept"));
    }

    // ---- an interrupt ----

    private interface Attempting {
        Connection make() throws InterruptedException;
    }

    /** Interrupts the attempt, after which the same thread closes the queue pair. */
    private static void interrupt(RcQueuePair queuePair, String call, Attempting attempting) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            assertThrows(InterruptedException.class, attempting::make);
            queuePair.close();
            return null;
        });
        Thread thread = Thread.ofVirtual().start(task);
        await(() -> FakeCm.calls(call) == 1);
        thread.interrupt();
        task.get();
    }

    @Test
    void shouldBeFreeWhenAConnectIsInterrupted() throws Exception {
        RcQueuePair queuePair = queuePair();
        Connector connector = initialized(queuePair);

        interrupt(queuePair, "rdma_connect", () -> connector.connect(DEFAULTS, LONG));

        assertEquals(0, FakeCm.live());
    }

    @Test
    void shouldBeFreeWhenAnAcceptIsInterrupted() throws Exception {
        RcQueuePair queuePair = queuePair();
        ConnectionRequest request = requested(queuePair);

        interrupt(queuePair, "rdma_accept", () -> request.accept(DEFAULTS, LONG));

        assertEquals(1, FakeCm.live(), "the listener");
    }

    @Test
    void shouldCloseWhatIsMadeAtTheMomentOfAnInterruptBeforeThatIsTold() {
        CompletableFuture<String> made = new CompletableFuture<>();
        List<String> closed = new ArrayList<>();
        Thread.currentThread().interrupt();

        assertThrows(
                InterruptedException.class, () -> Waits.await(made, () -> made.complete("a connection"), closed::add));

        assertEquals(List.of("a connection"), closed);
        assertFalse(Thread.interrupted());
    }
}
