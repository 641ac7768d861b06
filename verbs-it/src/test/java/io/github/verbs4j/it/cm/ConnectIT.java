package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.cm.RejectReason;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of reliable connections in this process, over the address of the device's interface. */
class ConnectIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();

    @Test
    void shouldLetThePeerDoWhatItIsAllowedTo() throws Exception {
        try (TwoEnds ends = TwoEnds.listening()) {
            Connector connector = ends.add(
                            ends.manager().connector(ends.listener().address()))
                    .resolve(PATIENCE);
            connector.initialize(ends.link().client().queuePair());
            CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, PATIENCE);
            ConnectionRequest request = ends.request();
            request.initialize(ends.link().server().queuePair(), Set.of(AccessFlag.REMOTE_ATOMIC));
            ends.add(request.accept(DEFAULTS, PATIENCE));
            ends.add(connecting.get());

            assertEquals(
                    Set.of(AccessFlag.REMOTE_ATOMIC),
                    ends.link().server().queuePair().query().remoteAccess());
            assertEquals(
                    Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE),
                    ends.link().client().queuePair().query().remoteAccess());
            fetchAndAdd(ends.link().client(), ends.link().server());
        }
    }

    private static void fetchAndAdd(End from, End to) {
        try (MemoryRegion shared = to.domain().allocate(8, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC)) {
            shared.segment().set(ValueLayout.JAVA_LONG, 0, 42);
            from.sends().fetchAndAdd(1, from.memory(), 0, shared.remote(), 0, 1).signaled();
            from.post();
            from.await().requireSuccess(1, WorkOpcode.FETCH_AND_ADD);
            assertEquals(43, shared.segment().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.1", "fd09::1"})
    void shouldConnectTalkAndDisconnect(String address) throws Exception {
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(new InetSocketAddress(address, 0), 4);
                Connector connector = manager.connector(listener.address())) {
            assertEquals(Rdma.device().name(), connector.resolve(PATIENCE).device());
            connector.initialize(link.client().queuePair());
            link.client().receive(1, 0, 64);
            CompletableFuture<Connection> connecting =
                    connector.connectAsync(DEFAULTS.withReads(3, 9).withPrivateData(bytes("hello")), PATIENCE);

            try (ConnectionRequest request = listener.await(PATIENCE).orElseThrow()) {
                assertStartsWith("hello", request.privateData());
                assertEquals(Rdma.device().name(), request.device());
                request.initialize(link.server().queuePair());
                link.server().receive(2, 0, 64);
                ConnectionOptions agreed = DEFAULTS.withReads(5, 2).withPrivateData(bytes("welcome"));
                try (Connection server = request.accept(agreed, PATIENCE);
                        Connection client = connecting.get()) {
                    assertStartsWith("welcome", client.privateData());
                    assertEquals(listener.address(), client.destination());
                    assertEquals(client.source(), server.destination());
                    assertEquals(2, client.maxReads());
                    assertEquals(5, client.readsServed());
                    assertEquals(5, server.maxReads());
                    assertEquals(2, server.readsServed());

                    talk(link.client(), link.server(), 2);
                    talk(link.server(), link.client(), 1);

                    client.disconnect(PATIENCE);
                    assertEquals(
                            ConnectionEventType.DISCONNECTED,
                            server.disconnected().get(10, TimeUnit.SECONDS));
                    assertEquals(
                            QueuePairState.ERR,
                            link.client().queuePair().query().state());
                    assertEquals(
                            QueuePairState.ERR,
                            link.server().queuePair().query().state());
                }
            }
        }
    }

    @Test
    void shouldResolveInTwoStepsAndDisconnectWithoutWaiting() throws Exception {
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(new InetSocketAddress("10.9.0.1", 0), 4);
                Connector connector = manager.connector(listener.address())) {
            assertThrows(IllegalStateException.class, () -> connector.resolveRouteAsync(PATIENCE));
            connector.resolveAddressAsync(PATIENCE).get();
            assertEquals(Rdma.device().name(), connector.device());
            assertThrows(
                    IllegalStateException.class,
                    () -> connector.initialize(link.client().queuePair()));
            connector.resolveRouteAsync(PATIENCE).get();
            connector.initialize(link.client().queuePair());
            CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, PATIENCE);
            try (ConnectionRequest request = listener.await(PATIENCE).orElseThrow()) {
                request.initialize(link.server().queuePair());
                try (Connection server = request.accept(DEFAULTS, PATIENCE);
                        Connection client = connecting.get()) {
                    CompletableFuture<ConnectionEventType> answered = client.disconnectAsync(PATIENCE);
                    assertEquals(ConnectionEventType.DISCONNECTED, answered.get(20, TimeUnit.SECONDS));
                    assertEquals(
                            ConnectionEventType.DISCONNECTED,
                            server.disconnected().get(10, TimeUnit.SECONDS));
                }
            }
        }
    }

    private static void talk(End from, End to, long receive) {
        from.fill(1000, 64, receive);
        from.sends().send(7, from.memory(), 1000, 64).signaled();
        from.post();
        from.await().requireSuccess(7, WorkOpcode.SEND);
        to.await().requireSuccess(receive, WorkOpcode.RECEIVE);
        to.verify(0, 64, receive);
    }

    /** Without it, a late receive pauses the peer for 655 ms. */
    @Test
    void shouldSetTheTimerOfLateReceivesAtBothEnds() throws Exception {
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(new InetSocketAddress("10.9.0.1", 0), 4);
                Connector connector = manager.connector(listener.address()).resolve(PATIENCE)) {
            connector.initialize(link.client().queuePair());
            CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, PATIENCE);
            try (ConnectionRequest request = listener.await(PATIENCE).orElseThrow()) {
                request.initialize(link.server().queuePair());
                try (Connection server = request.accept(DEFAULTS.withRnr(6, 14), PATIENCE);
                        Connection client = connecting.get()) {
                    QueuePairAttributes ours = client.queuePair().query();
                    assertEquals(12, ours.minRnrTimer());
                    assertEquals(14, server.queuePair().query().minRnrTimer());
                    assertEquals(7, ours.retryCount());
                    assertEquals(7, ours.rnrRetry());
                    assertEquals(6, server.queuePair().query().rnrRetry());
                }
            }
        }
    }

    @Test
    void shouldTellWhyThePeerRejected() throws Exception {
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(new InetSocketAddress("10.9.0.1", 0), 4);
                Connector connector = manager.connector(listener.address()).resolve(PATIENCE)) {
            connector.initialize(link.client().queuePair());
            CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, PATIENCE);
            listener.await(PATIENCE).orElseThrow().reject(bytes("full"));

            ConnectionException failure = failureOf(connecting);
            assertEquals(RejectReason.CONSUMER_DEFINED, failure.rejectReason().orElseThrow());
            assertEquals(ConnectionEventType.REJECTED, failure.event().orElseThrow());
            assertEquals(listener.address(), failure.destination().orElseThrow());
        }
    }

    @Test
    void shouldTellThatNobodyListens() throws Exception {
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Connector connector =
                        manager.connector(new InetSocketAddress("10.9.0.1", 9)).resolve(PATIENCE)) {
            connector.initialize(link.client().queuePair());

            ConnectionException failure =
                    assertThrows(ConnectionException.class, () -> connector.connect(DEFAULTS, PATIENCE));

            assertEquals(RejectReason.INVALID_SERVICE_ID, failure.rejectReason().orElseThrow());
            assertTrue(failure.getMessage().contains("nobody listens on the port"), failure.getMessage());
        }
    }

    @Test
    void shouldTellThatNoDeviceIsBehindALoopbackAddress() {
        try (ConnectionManager manager = ConnectionManager.open();
                Connector connector = manager.connector(new InetSocketAddress("127.0.0.1", 9))) {
            ConnectionException failure = assertThrows(ConnectionException.class, () -> connector.resolve(PATIENCE));

            assertEquals(Errno.ENODEV, failure.errno().orElseThrow());
            assertTrue(failure.getMessage().contains("without an RDMA device"), failure.getMessage());
        }
    }

    @Test
    void shouldGiveUpOnAServerThatDoesNotAccept() throws Exception {
        Duration timeout = Duration.ofMillis(500);
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(new InetSocketAddress("10.9.0.1", 0), 4);
                Connector connector = manager.connector(listener.address()).resolve(PATIENCE)) {
            connector.initialize(link.client().queuePair());
            long begun = System.nanoTime();

            ConnectionException failure =
                    assertThrows(ConnectionException.class, () -> connector.connect(DEFAULTS, timeout));

            assertTrue(System.nanoTime() - begun >= timeout.toNanos(), "before its deadline");
            assertEquals(Errno.ETIMEDOUT, failure.errno().orElseThrow());
            assertTrue(failure.getMessage().contains("CONNECT_RESPONSE did not come"), failure.getMessage());
        }
    }

    private static ConnectionException failureOf(CompletableFuture<?> future) {
        Exception failure = assertThrows(Exception.class, () -> future.get(20, TimeUnit.SECONDS));
        return (ConnectionException) failure.getCause();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertStartsWith(String expected, byte[] data) {
        assertArrayEquals(bytes(expected), Arrays.copyOf(data, expected.length()));
    }
}
