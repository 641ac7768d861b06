package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCm;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What those who hold connectors, listeners, requests and connections learn of events, deadlines and refusals. */
@Timeout(60)
class ConnectionStatesTest extends FakeConnections {
    private static final int NEWER = 77;

    // ---- the end of a connection ----

    @ParameterizedTest
    @EnumSource(names = {"DISCONNECTED", "DEVICE_REMOVAL"})
    void shouldTellWhatEndedAConnection(ConnectionEventType event) throws Exception {
        Connection connection = connected();

        FakeCm.deliver(FakeCm.newest(), event.code(), 0);

        assertEquals(event, get(connection.disconnected()));
        assertEquals(QueuePairState.ERR, connection.queuePair().query().state());
        assertRefused(connection, "has ended (" + event + ")");
        connection.disconnect(SHORT); // it is over
        assertRefused(connection, "has ended (" + event + ")");
    }

    @Test
    void shouldTellWhoPostsThatItWasEndedHere() throws Exception {
        Connection disconnected = connected();
        Connection closed = connected();

        CompletableFuture<ConnectionEventType> end = disconnected.disconnectAsync(LONG);
        closed.close();

        assertRefused(disconnected, "was disconnected here");
        assertRefused(closed, "was closed here");
        assertFalse(end.isDone());
        closed.queuePair().reset();
        closed.queuePair()
                .modify(Transition.to(QueuePairState.INIT)
                        .port(1)
                        .partitionKeyIndex(0)
                        .access());
        closed.queuePair().toError();
        assertRefused(closed, "is in ERR: its work was flushed");
    }

    private static void assertRefused(Connection connection, String why) {
        RcQueuePair pair = connection.queuePair();
        try (MemoryRegion memory = pair.domain().allocate(64, AccessFlag.LOCAL_WRITE);
                ReceiveQueue receives = ReceiveQueue.over(pair)) {
            IllegalStateException refused = assertThrows(
                    IllegalStateException.class,
                    () -> receives.receive(1, memory, 0, 64).post());
            assertTrue(refused.getMessage().contains(why), refused::getMessage);
        }
    }

    @Test
    void shouldOutliveWhatIsOfNoConsequence() throws Exception {
        Connection connection = connected();
        CompletableFuture<Void> changed = connection.addressChanged();
        for (int event : new int[] {ConnectionEventType.TIMEWAIT_EXIT.code(), NEWER, -1}) {
            FakeCm.deliver(FakeCm.newest(), event, 0);
        }
        assertFalse(changed.isDone());

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.ADDR_CHANGE.code(), 0);

        get(changed);
        assertFalse(connection.disconnected().isDone());
        assertEquals(QueuePairState.RTS, connection.queuePair().query().state());
    }

    @Test
    void shouldStillTellTheEndOfAConnectionThatMovedToWhereItWas() throws Exception {
        Connection connection = keep(connected().migrate(manager));

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);

        assertEquals(ConnectionEventType.DISCONNECTED, get(connection.disconnected()));
    }

    /** Whoever asked before it moved learns of its end too. */
    @Test
    void shouldTellTheEndOfAConnectionThatMovedToAllWhoAsked() throws Exception {
        Connection first = connected();
        CompletableFuture<ConnectionEventType> end = first.disconnected();
        CompletableFuture<ConnectionEventType> disconnecting = first.disconnectAsync(LONG);
        CompletableFuture<Void> changed = first.addressChanged();
        Connection moved = keep(first.migrate(keep(ConnectionManager.open())));
        assertFalse(end.isDone());

        moved.close();

        assertEquals(ConnectionEventType.DISCONNECTED, get(end));
        assertEquals(ConnectionEventType.DISCONNECTED, get(disconnecting));
        assertEquals(ConnectionEventType.DISCONNECTED, get(first.disconnected()));
        assertEquals(ConnectionEventType.DISCONNECTED, get(moved.disconnected()));
        failure(CancellationException.class, changed);
    }

    @Test
    void shouldLetNobodyWaitForANewAddressOnceAConnectionHasEnded() throws Exception {
        Connection closed = connected();
        CompletableFuture<Boolean> follower = closed.addressChanged().handle((changed, thrown) -> {
            closed.close();
            return Thread.currentThread().isVirtual();
        });
        closed.close();
        failure(CancellationException.class, closed.addressChanged());
        assertTrue(get(follower));

        Connection ended = connected();
        CompletableFuture<Void> changed = ended.addressChanged();
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);
        assertSays("DISCONNECTED", failure(CancellationException.class, changed));
    }

    @Test
    void shouldDisconnectOnceForAllWhoAsk() throws Exception {
        Connection connection = connected();
        CompletableFuture<ConnectionEventType> first = connection.disconnectAsync(LONG);
        CompletableFuture<ConnectionEventType> second = connection.disconnectAsync(LONG);
        CompletableFuture<ConnectionEventType> hasty = connection.disconnectAsync(SHORT);
        assertEquals(1, FakeCm.calls("rdma_disconnect"));
        assertEquals(
                Errno.ETIMEDOUT,
                failure(ConnectionException.class, hasty).errno().orElseThrow());
        assertFalse(first.isDone());

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);

        assertEquals(ConnectionEventType.DISCONNECTED, get(first));
        assertEquals(ConnectionEventType.DISCONNECTED, get(second));
    }

    @Test
    void shouldStillLearnOfTheEndAfterADisconnectInVain() throws Exception {
        Connection connection = connected();
        long begun = System.nanoTime();

        ConnectionException failure = assertThrows(ConnectionException.class, () -> connection.disconnect(SHORT));

        assertTrue(System.nanoTime() - begun >= SHORT.toNanos());
        assertSays("DISCONNECTED did not come", failure);
        assertFalse(connection.disconnected().isDone());
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);
        assertEquals(ConnectionEventType.DISCONNECTED, get(connection.disconnected()));
    }

    @Test
    void shouldEndADisconnectThatIsClosedMeanwhile() throws Exception {
        Connection connection = connected();
        CompletableFuture<ConnectionEventType> disconnecting = connection.disconnectAsync(LONG);

        connection.close();

        assertEquals(ConnectionEventType.DISCONNECTED, get(disconnecting));
        assertThrows(IllegalStateException.class, () -> connection.disconnect(LONG));
    }

    /** It runs on a thread of its own, not in the midst of the closing. */
    @Test
    void shouldLetAFollowerCloseAConnectionThatIsBeingClosed() throws Exception {
        Connection connection = connected();
        CompletableFuture<Void> follower = connection.disconnected().thenAccept(event -> connection.close());

        connection.close();

        get(follower);
    }

    @Test
    void shouldTellThatARefusedDisconnectIsRefused() throws Exception {
        Connection connection = connected();
        FakeCm.failNext("rdma_disconnect", EINVAL);

        assertThrows(ConnectionException.class, () -> connection.disconnect(LONG));

        assertFalse(connection.disconnected().isDone());
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);
        assertEquals(ConnectionEventType.DISCONNECTED, get(connection.disconnected()));
    }

    // ---- the end of an attempt ----

    @Test
    void shouldHandOverWhatCameWithARejection() throws Exception {
        Connector connector = resolved();
        connector.initialize(queuePair());
        CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, LONG);
        byte[] data = Arrays.copyOf("full".getBytes(StandardCharsets.US_ASCII), 148);

        FakeCm.deliver(
                FakeCm.newest(), ConnectionEventType.REJECTED.code(), RejectReason.CONSUMER_DEFINED.code(), data);

        ConnectionException failure = failure(ConnectionException.class, connecting);
        assertArrayEquals(data, failure.privateData());
        assertSays("privateData=\"full\"", failure);
        assertEquals(PEER, failure.destination().orElseThrow());
        assertSays(
                "privateData=\"full\"",
                assertThrows(ConnectionException.class, () -> connector.initialize(queuePair())));
    }

    @Test
    void shouldTellTheTimeThatBothStepsHadTogether() throws Exception {
        Connector connector = keep(manager.connector(PEER));
        CompletableFuture<Connector> resolving = connector.resolveAsync(SHORT.multipliedBy(10));
        answer("rdma_resolve_addr", FakeCm.newest(), ConnectionEventType.ADDR_RESOLVED);

        assertSays("timeout=PT0.3S", failure(ConnectionException.class, resolving));
    }

    @Test
    void shouldRepeatWhyAnAttemptFailed() throws Exception {
        Connector connector = keep(manager.connector(PEER));
        assertThrows(ConnectionException.class, () -> connector.resolve(SHORT));
        answer("rdma_resolve_addr", FakeCm.newest(), ConnectionEventType.ADDR_RESOLVED); // too late

        for (int again = 0; again < 2; again++) {
            ConnectionException failure = failure(ConnectionException.class, connector.resolveAsync(LONG));
            assertSays("ADDR_RESOLVED did not come", failure);
        }
    }

    @Test
    void shouldTellAListenerThatItsDeviceWasRemoved() throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        FutureTask<Optional<ConnectionRequest>> wait = new FutureTask<>(() -> listener.await(LONG));
        Thread waiter = Thread.ofVirtual().start(wait);

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DEVICE_REMOVAL.code(), 0);

        waiter.join();
        ConnectionException failure = (ConnectionException) wait.exceptionNow();
        assertEquals(ConnectionEventType.DEVICE_REMOVAL, failure.event().orElseThrow());
        assertEquals(OURS, failure.source().orElseThrow());
        assertThrows(ConnectionException.class, () -> listener.await(LONG));
    }

    @Test
    void shouldTellWhoeverHandlesWhatNobodyCatchesThatAServersDeviceWasRemoved() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.complete(thrown));
        try {
            keep(manager.listen(OURS, 1)).serve(request -> {});

            FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DEVICE_REMOVAL.code(), 0);

            assertSays("the device was removed", get(told));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void shouldTellARequestThatItsPeerIsGone() throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        ConnectionRequest request = request(listener, FakeCm.newest());
        request.initialize(queuePair());
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.UNREACHABLE.code(), -Errno.ETIMEDOUT.number());

        ConnectionException failure = assertThrows(ConnectionException.class, () -> request.accept(DEFAULTS, LONG));

        assertEquals(ConnectionEventType.UNREACHABLE, failure.event().orElseThrow());
        assertEquals(Errno.ETIMEDOUT, failure.errno().orElseThrow());
    }

    // ---- calls that C refuses ----

    @ParameterizedTest
    @ValueSource(
            strings = {"rdma_resolve_addr", "rdma_resolve_route", "rdma_init_qp_attr", "rdma_connect", "rdma_establish"
            })
    void shouldTellWhichCallOfAConnectorWasRefused(String function) {
        FakeCm.fail(function, Errno.ENOMEM.number(), 0, -1);
        Connector connector = keep(manager.connector(PEER));

        ConnectionException failure = assertThrows(ConnectionException.class, () -> connect(connector));

        assertEquals(function, failure.operation());
        assertEquals(Errno.ENOMEM, failure.errno().orElseThrow());
        assertEquals(PEER, failure.destination().orElseThrow());
        assertTrue(failure.nextStep().isPresent());
    }

    private void connect(Connector connector) throws InterruptedException {
        int id = FakeCm.newest();
        CompletableFuture<Connector> resolving = connector.resolveAsync(LONG);
        FakeCm.deliver(id, ConnectionEventType.ADDR_RESOLVED.code(), 0);
        await(() -> resolving.isDone() || FakeCm.calls("rdma_resolve_route") > 0);
        FakeCm.deliver(id, ConnectionEventType.ROUTE_RESOLVED.code(), 0);
        Waits.await(resolving).initialize(queuePair());
        CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, LONG);
        FakeCm.deliver(id, ConnectionEventType.CONNECT_RESPONSE.code(), 0);
        Waits.await(connecting);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma_bind_addr", "rdma_listen"})
    void shouldLeaveNothingOfAListenerThatWasRefused(String function) {
        FakeCm.failNext(function, EINVAL);

        ConnectionException failure = assertThrows(ConnectionException.class, () -> manager.listen(OURS, 1));

        assertEquals(function, failure.operation());
        assertEquals(OURS, failure.source().orElseThrow());
        assertEquals(0, FakeCm.live());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma_init_qp_attr", "rdma_accept", "rdma_reject"})
    void shouldTellWhichCallOfARequestWasRefused(String function) throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        ConnectionRequest request = request(listener, FakeCm.newest());
        FakeCm.failNext(function, EINVAL);

        ConnectionException failure = assertThrows(ConnectionException.class, () -> {
            if (function.equals("rdma_reject")) {
                request.reject(new byte[148]);
            }
            request.initialize(queuePair());
            request.accept(DEFAULTS, LONG);
        });

        assertEquals(function, failure.operation());
        assertSays("the peer gave up", failure);
        assertEquals(request.source(), failure.source().orElseThrow());
        assertEquals(request.destination(), failure.destination().orElseThrow());
    }

    @Test
    void shouldLeaveNothingOfAChannelThatWasRefused() {
        FakeCm.failNext("rdma_create_event_channel", Errno.ENOENT.number());
        assertSays("rdma_ucm", assertThrows(VerbsException.class, ConnectionManager::open));
        FakeCm.failNext("rdma_create_id", Errno.ENOMEM.number());
        assertThrows(VerbsException.class, () -> manager.connector(PEER));
    }

    // ---- the threads ----

    @Test
    void shouldNumberTheThreadsOfManagers() {
        long one = threads().count();
        keep(ConnectionManager.open());

        assertEquals(one + 1, threads().count());
    }

    private static Stream<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches("verbs4j-events-librdmacm-\\d+"))
                .distinct();
    }

    // ---- no more events ----

    @Test
    void shouldTellAllWhoWaitThatNoMoreEventsCome() throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        FutureTask<Optional<ConnectionRequest>> wait = new FutureTask<>(() -> listener.await(LONG));
        Thread waiter = Thread.ofVirtual().start(wait);
        Connection connection = connected();
        Connector connector = keep(manager.connector(PEER));
        CompletableFuture<Connector> resolving = connector.resolveAsync(LONG);

        FakeCm.fail("rdma_get_cm_event", EIO, 0, -1);
        FakeCm.deliver(FakeCm.newest(), NEWER, 0);

        waiter.join();
        assertSays("no more events", wait.exceptionNow());
        assertSays("no more events", failure(VerbsException.class, resolving));
        assertSays("no more events", failure(VerbsException.class, connection.disconnected()));
        assertSays("no more events", failure(VerbsException.class, connection.addressChanged()));
        assertThrows(VerbsException.class, () -> connection.disconnect(LONG));
        assertSays(
                "no more events",
                failure(VerbsException.class, keep(manager.connector(PEER)).resolveAsync(LONG)));
    }
}
