package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.DatagramConnector;
import io.github.verbs4j.cm.DatagramDestination;
import io.github.verbs4j.cm.DatagramListener;
import io.github.verbs4j.cm.DatagramRequest;
import io.github.verbs4j.cm.RejectReason;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that ask a listener where to send datagrams to, in this process, over the address of the device's interface. */
class DatagramsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] NOTHING = new byte[0];
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 0);

    private final Resources resources = new Resources();
    private DatagramEnd client;
    private DatagramEnd server;
    private ConnectionManager manager;

    @BeforeEach
    void open() {
        client = resources.add(new DatagramEnd());
        server = resources.add(new DatagramEnd());
        manager = resources.add(ConnectionManager.open());
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private DatagramListener listening() {
        return resources.add(manager.listenDatagrams(ADDRESS, 4));
    }

    private DatagramConnector resolved(InetSocketAddress address) throws InterruptedException {
        return resources.add(manager.datagramConnector(address)).resolve(PATIENCE);
    }

    private DatagramRequest taken(DatagramListener listener) throws InterruptedException {
        return resources.add(listener.await(PATIENCE).orElseThrow());
    }

    private DatagramDestination connected(DatagramListener listener) throws Exception {
        CompletableFuture<DatagramDestination> connecting =
                resolved(listener.address()).connectAsync(NOTHING, PATIENCE);
        taken(listener).accept(server.queuePair(), NOTHING);
        return connecting.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.1", "fd09::1"})
    void shouldTalkBothWays(String address) throws Exception {
        DatagramListener listener = resources.add(manager.listenDatagrams(new InetSocketAddress(address, 0), 4));
        DatagramConnector connector = resolved(listener.address());
        assertEquals(Rdma.device().name(), connector.device());
        connector.initialize(client.queuePair());
        client.activate(4);
        CompletableFuture<DatagramDestination> connecting = connector.connectAsync(bytes("hello"), PATIENCE);

        DatagramRequest request = taken(listener);
        assertStartsWith("hello", request.privateData());
        assertEquals(Rdma.device().name(), request.device());
        assertEquals(listener.address(), request.source());
        assertEquals(listener.address().getAddress(), request.destination().getAddress());
        request.initialize(server.queuePair());
        server.activate(4);
        request.accept(server.queuePair(), bytes("welcome"));

        DatagramDestination destination = connecting.get();
        connector.close();
        assertStartsWith("welcome", destination.privateData());
        assertEquals(server.queuePair().number(), destination.queuePairNumber());
        assertEquals(DatagramDestination.QUEUE_KEY, destination.queueKey());
        for (int round = 0; round < 4; round++) {
            client.send(destination, round);
            assertEquals(
                    destination.way().destination(),
                    server.requireReceived(round, round).destination());
            server.answer(round, 100 + round);
            client.requireReceived(round, 100 + round);
        }
    }

    @Test
    void shouldServeSeveralPeersWithOneQueuePair() throws Exception {
        DatagramListener listener = listening();
        DatagramConnector connector = resolved(listener.address());
        connector.initialize(server.queuePair());
        server.activate(2);
        DatagramEnd other = resources.add(new DatagramEnd());
        connector.initialize(client.queuePair());
        client.activate(0);
        connector.initialize(other.queuePair());
        other.activate(0);

        client.send(connected(listener), 1);
        server.requireReceived(0, 1);
        other.send(connected(listener), 2);
        server.requireReceived(1, 2);
    }

    @Test
    void shouldTellThatTheListenerRejected() throws Exception {
        DatagramListener listener = listening();
        CompletableFuture<DatagramDestination> connecting =
                resolved(listener.address()).connectAsync(NOTHING, PATIENCE);
        taken(listener).reject(bytes("full"));

        ConnectionException failure = failureOf(connecting);
        assertEquals(RejectReason.CONSUMER_DEFINED, failure.rejectReason().orElseThrow());
        assertEquals(ConnectionEventType.UNREACHABLE, failure.event().orElseThrow());
        assertEquals(listener.address(), failure.destination().orElseThrow());
        assertStartsWith("full", failure.privateData());
    }

    @Test
    void shouldRejectWhatIsClosedUndecided() throws Exception {
        DatagramListener listener = listening();
        CompletableFuture<DatagramDestination> connecting =
                resolved(listener.address()).connectAsync(NOTHING, PATIENCE);
        taken(listener).close();

        assertEquals(
                RejectReason.CONSUMER_DEFINED,
                failureOf(connecting).rejectReason().orElseThrow());
    }

    @Test
    void shouldTellThatNobodyListens() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress("10.9.0.1", 9);
        DatagramConnector connector = resolved(nobody);

        ConnectionException failure =
                assertThrows(ConnectionException.class, () -> connector.connect(NOTHING, PATIENCE));

        assertEquals(RejectReason.INVALID_SERVICE_ID, failure.rejectReason().orElseThrow());
        assertTrue(failure.getMessage().contains("nobody listens on the port"), failure::getMessage);
        assertEquals(nobody, failure.destination().orElseThrow());
        assertEquals(ADDRESS.getAddress(), failure.source().orElseThrow().getAddress());
    }

    @Test
    void shouldGiveUpOnAListenerThatDoesNotAnswer() throws Exception {
        Duration timeout = Duration.ofMillis(500);
        DatagramConnector connector = resolved(listening().address());
        long begun = System.nanoTime();

        ConnectionException failure =
                assertThrows(ConnectionException.class, () -> connector.connect(NOTHING, timeout));

        assertTrue(System.nanoTime() - begun >= timeout.toNanos(), "before its deadline");
        assertEquals(Errno.ETIMEDOUT, failure.errno().orElseThrow());
        assertTrue(failure.getMessage().contains("ESTABLISHED did not come"), failure::getMessage);
    }

    @Test
    void shouldCarryAllThePrivateDataThatFitsAndRefuseMore() throws Exception {
        DatagramListener listener = listening();
        DatagramConnector connector = resolved(listener.address());
        connector.initialize(server.queuePair());
        server.activate(0);
        assertTooLong("180", () -> connector.connectAsync(new byte[181], PATIENCE));
        CompletableFuture<DatagramDestination> connecting = connector.connectAsync(pattern(180), PATIENCE);

        DatagramRequest request = taken(listener);
        assertArrayEquals(pattern(180), request.privateData());
        assertTooLong("136", () -> request.accept(server.queuePair(), new byte[137]));
        assertTooLong("136", () -> request.reject(new byte[137]));
        request.accept(server.queuePair(), pattern(136));
        assertArrayEquals(pattern(136), connecting.get().privateData());
    }

    private static void assertTooLong(String max, Runnable call) {
        String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
        assertTrue(message.contains("at most " + max), message);
    }

    @Test
    void shouldNotTellAPeerWhatWouldLoseItsDatagrams() throws Exception {
        DatagramListener listener = listening();
        resolved(listener.address()).connectAsync(NOTHING, PATIENCE);
        DatagramRequest request = taken(listener);

        request.initialize(server.queuePair());
        assertTrue(assertThrows(IllegalStateException.class, () -> request.accept(server.queuePair(), NOTHING))
                .getMessage()
                .contains("is in INIT"));
        client.queuePair().initialize(Rdma.gid(client.queuePair().domain().context()), 0x1111_1111);
        client.activate(0);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> request.accept(client.queuePair(), NOTHING))
                .getMessage()
                .contains("0x11111111, but peers send with 0x01234567"));
    }

    @Test
    void shouldAskOnce() throws Exception {
        DatagramListener listener = listening();
        DatagramConnector connector = resources.add(manager.datagramConnector(listener.address()));
        assertThrows(IllegalStateException.class, connector::device);
        assertThrows(IllegalStateException.class, () -> connector.initialize(server.queuePair()));
        assertThrows(IllegalStateException.class, () -> connector.connect(NOTHING, PATIENCE));
        connector.resolve(PATIENCE);
        connector.initialize(server.queuePair());
        server.activate(0);
        CompletableFuture<DatagramDestination> connecting = connector.connectAsync(NOTHING, PATIENCE);
        DatagramRequest request = taken(listener);
        request.accept(server.queuePair(), NOTHING);
        connecting.get();

        assertThrows(IllegalStateException.class, () -> connector.connect(NOTHING, PATIENCE));
        assertThrows(IllegalStateException.class, () -> request.accept(server.queuePair(), NOTHING));
    }

    private static ConnectionException failureOf(CompletableFuture<?> future) {
        Exception failure = assertThrows(Exception.class, () -> future.get(20, TimeUnit.SECONDS));
        return (ConnectionException) failure.getCause();
    }

    private static byte[] pattern(int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (i * 7 + 1);
        }
        return data;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertStartsWith(String expected, byte[] data) {
        assertArrayEquals(bytes(expected), Arrays.copyOf(data, expected.length()));
    }
}
