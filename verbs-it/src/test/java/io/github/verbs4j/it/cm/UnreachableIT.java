package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.cm.RejectReason;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is wrong with an address, or with who should be there: the exception says what, between whom, and what to do. */
@SoftRoceMachine
class UnreachableIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration DEADLINE = Duration.ofMillis(700);

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

    private Connector connector(String host, int port) {
        return resources.add(manager.connector(new InetSocketAddress(host, port)));
    }

    private Connector ready(String host, int port) throws InterruptedException {
        Link link = resources.add(Link.builder().unconnected()); // closed after the connector, which may be connecting
        Connector connector = connector(host, port).resolve(PATIENCE);
        connector.initialize(link.client().queuePair());
        return connector;
    }

    /** The machine is as before when the test is over. */
    private void ip(String change, String undo) {
        Shell.output(("ip " + change).split(" "));
        resources.add(() -> Shell.output(("ip " + undo).split(" ")));
    }

    private static void notBeforeTheDeadline(Runnable attempt) {
        long begun = System.nanoTime();
        attempt.run();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.compareTo(DEADLINE) >= 0, () -> "after " + took);
        assertTrue(took.compareTo(DEADLINE.multipliedBy(20)) < 0, () -> "after " + took);
    }

    // ---- nobody there ----

    @Test
    void shouldTellThatNobodyListens() throws Exception {
        Connector connector = ready("10.9.0.1", 9);

        ConnectionException failure = Told.by(
                () -> connector.connect(TwoEnds.DEFAULTS, PATIENCE),
                "rdma_connect failed on " + Rdma.device().name() + ": REJECTED, INVALID_SERVICE_ID",
                "source=10.9.0.1:",
                "destination=10.9.0.1:9",
                "nobody listens on the port",
                "start the server, or give the port that it listens on",
                "rdma resource show cm_id");
        assertEquals(RejectReason.INVALID_SERVICE_ID, failure.rejectReason().orElseThrow());
        assertEquals(ConnectionEventType.REJECTED, failure.event().orElseThrow());
    }

    @Test
    void shouldTellThatNoHostHasTheAddress() {
        ip("link set eth0 arp on", "link set eth0 arp off");
        Connector connector = connector("10.9.0.99", 9);

        notBeforeTheDeadline(() -> {
            ConnectionException failure = Told.by(
                    () -> connector.resolve(DEADLINE),
                    "source=10.9.0.1",
                    "destination=10.9.0.99:9",
                    "nobody answered for the address on eth0 (ARP, neighbour discovery)",
                    "ip neighbour show 10.9.0.99");
            assertEquals(Errno.ETIMEDOUT, failure.errno().orElseThrow());
        });
    }

    /** A neighbour that somebody has entered by hand, and where nothing is. */
    @Test
    void shouldTellThatAPeerIsSilent() throws Exception {
        ip(
                "neighbour replace 10.9.0.98 lladdr 02:00:00:00:00:98 nud permanent dev eth0",
                "neighbour del 10.9.0.98 dev eth0");
        Connector connector = ready("10.9.0.98", 7471);

        notBeforeTheDeadline(() -> Told.by(
                () -> connector.connect(TwoEnds.DEFAULTS, DEADLINE),
                "rdma_connect failed on " + Rdma.device().name() + ": ETIMEDOUT",
                "source=10.9.0.1:",
                "destination=10.9.0.98:7471",
                "event=CONNECT_RESPONSE did not come",
                "nothing came from the peer, neither an acceptance nor a rejection",
                "UDP port 4791",
                "on 10.9.0.98, read /sys/class/infiniband/*/ports/1/cm_rx_msgs/req"));
    }

    // ---- busy ----

    @Test
    void shouldTellThatTheBacklogIsFull() throws Exception {
        Listener listener = resources.add(manager.listen(new InetSocketAddress("10.9.0.1", 0), 1));
        int port = listener.address().getPort();
        Connector first = ready("10.9.0.1", port);
        first.connectAsync(TwoEnds.DEFAULTS, PATIENCE); // taken by nobody
        Connector second = ready("10.9.0.1", port);

        ConnectionException failure = Told.by(
                () -> second.connect(TwoEnds.DEFAULTS, PATIENCE),
                "source=10.9.0.1:",
                "destination=10.9.0.1:" + port,
                "backlog of 1 is full");
        assertEquals(RejectReason.CONSUMER_DEFINED, failure.rejectReason().orElseThrow());
    }

    /** The kernel drops what its own backlog does not hold. */
    @Test
    void shouldTellThatAServerHangs(@TempDir Path directory) throws Exception {
        Victim server = resources.add(Victim.Program.compiledIn(directory).server(Victim.Phase.LISTENING));
        int port = server.await(Victim.Phase.LISTENING);
        server.stop();

        for (int i = 0; i < 2; i++) {
            Connector connector = ready("10.9.0.1", port);
            notBeforeTheDeadline(() -> Told.by(
                    () -> connector.connect(TwoEnds.DEFAULTS, DEADLINE),
                    "destination=10.9.0.1:" + port,
                    "event=CONNECT_RESPONSE did not come",
                    "its backlog is full"));
        }
    }

    // ---- no device, no way ----

    @Test
    void shouldTellThatLoopbackHasNoDevice() {
        ConnectionException failure = Told.by(
                () -> connector("127.0.0.1", 9).resolve(PATIENCE),
                "source=127.0.0.1:",
                "destination=127.0.0.1:9",
                "the address is reached through lo, an interface without an RDMA device",
                "eth0 (" + Rdma.device().name() + ")");
        assertEquals(Errno.ENODEV, failure.errno().orElseThrow());
    }

    @Test
    void shouldNotListenWhereNobodyComes() {
        ConnectionException failure = Told.by(
                () -> manager.listen(new InetSocketAddress("127.0.0.1", 0), 1),
                "source=127.0.0.1:",
                "the address is reached through lo, an interface without an RDMA device");
        assertEquals(Errno.ENODEV, failure.errno().orElseThrow());
    }

    @Test
    void shouldTellThatAnInterfaceHasNoDevice() {
        ip("link add dummy9 type dummy", "link del dummy9");
        ip("address add 10.77.0.1/24 dev dummy9", "address del 10.77.0.1/24 dev dummy9");
        ip("link set dummy9 up", "link set dummy9 down");
        for (String host : new String[] {"10.77.0.1", "10.77.0.2"}) {
            ConnectionException failure = Told.by(
                    () -> connector(host, 9).resolve(PATIENCE),
                    "source=10.77.0.1:",
                    "destination=" + host + ":9",
                    "the address is reached through dummy9, an interface without an RDMA device",
                    "eth0 (" + Rdma.device().name() + ")");
            assertEquals(Errno.ENODEV, failure.errno().orElseThrow());
        }
    }

    /** Without a way there is no address of ours to tell. */
    @ParameterizedTest
    @CsvSource({
        "none, ENETUNREACH, no route of this machine",
        "unreachable, EHOSTUNREACH, a route says so",
        "prohibit, EACCES, a route or rule of this machine prohibits the address",
        "blackhole, EINVAL, a route of type blackhole",
    })
    void shouldTellWhatTheRoutesSay(String route, String errno, String cause) {
        if (!route.equals("none")) {
            ip("route add " + route + " 10.78.0.1", "route del " + route + " 10.78.0.1");
        }

        ConnectionException failure = Told.withoutSource(
                () -> connector("10.78.0.1", 9).resolve(PATIENCE),
                "destination=10.78.0.1:9",
                cause,
                "ip route get 10.78.0.1");

        assertEquals(errno, failure.errno().orElseThrow().name());
        assertEquals("rdma_resolve_addr", failure.operation());
    }

    // ---- addresses of ours ----

    @Test
    void shouldTellWhyItCannotListen() throws Exception {
        Listener listener = resources.add(manager.listen(new InetSocketAddress("10.9.0.1", 0), 1));
        assertRefused("EADDRINUSE", listener.address(), "another listener has this address and port");
        assertRefused("EADDRNOTAVAIL", new InetSocketAddress("10.79.0.1", 0), "is not one of this machine");
    }

    private void assertRefused(String errno, InetSocketAddress address, String cause) {
        ConnectionException failure =
                assertThrows(ConnectionException.class, () -> resources.add(manager.listen(address, 1)));
        assertEquals(errno, failure.errno().orElseThrow().name());
        assertEquals(address, failure.source().orElseThrow());
        assertTrue(failure.getMessage().contains(cause), failure::getMessage);
        assertTrue(failure.nextStep().isPresent(), failure::getMessage);
    }

    // ---- too much ----

    @Test
    void shouldRefusePrivateDataThatNobodyCarries() throws Exception {
        try (TwoEnds ends = TwoEnds.listening()) {
            Connector connector =
                    ends.add(ends.manager().connector(ends.listener().address()));
            CompletableFuture<Connection> connecting = ends.connecting(connector);
            ConnectionRequest request = ends.request();

            assertRefused(56, () -> connector.connectAsync(TwoEnds.DEFAULTS.withPrivateData(new byte[57]), PATIENCE));
            assertRefused(196, () -> TwoEnds.DEFAULTS.withPrivateData(new byte[197]));
            assertRefused(148, () -> request.reject(new byte[149]));
            ends.accept(request).close();
            ends.add(connecting.get());
        }
    }

    private static void assertRefused(int bytes, Executable call) {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, call);
        assertTrue(failure.getMessage().contains("privateData has " + (bytes + 1) + " bytes"), failure::getMessage);
        assertTrue(failure.getMessage().contains("at most " + bytes), failure::getMessage);
        assertTrue(failure.getMessage().contains("send the rest as a message"), failure::getMessage);
    }
}
