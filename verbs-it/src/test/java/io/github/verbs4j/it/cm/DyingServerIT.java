package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.RejectReason;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Resources;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of a server is killed in each phase of the handshake, and its client is told. */
class DyingServerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static Victim.Program victims;

    private final Resources resources = new Resources();
    private ConnectionManager manager;
    private Link link;
    private int port;

    @BeforeAll
    static void compile(@TempDir Path directory) {
        victims = Victim.Program.compiledIn(directory);
    }

    @BeforeEach
    void open() {
        link = resources.add(Link.builder().unconnected());
        manager = resources.add(ConnectionManager.open());
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private Victim server(Victim.Phase phase) {
        Victim server = resources.add(victims.server(phase));
        port = server.await(Victim.Phase.LISTENING);
        return server;
    }

    private CompletableFuture<Connection> connecting() throws InterruptedException {
        Connector connector = resources.add(manager.connector(new InetSocketAddress("10.9.0.1", port)));
        connector.resolve(PATIENCE).initialize(link.client().queuePair());
        return connector.connectAsync(TwoEnds.DEFAULTS, PATIENCE);
    }

    @Test
    void shouldTellThatItDiedBeforeItWasAsked() throws Exception {
        server(Victim.Phase.LISTENING).kill();

        ConnectionException failure =
                Told.by(connecting(), "destination=10.9.0.1:" + port, "nobody listens on the port");

        assertEquals(RejectReason.INVALID_SERVICE_ID, failure.rejectReason().orElseThrow());
    }

    @Test
    void shouldTellThatItDiedBeforeItAccepted() throws Exception {
        Victim server = server(Victim.Phase.TAKEN);
        CompletableFuture<Connection> connecting = connecting();
        server.await(Victim.Phase.TAKEN);

        server.kill();

        ConnectionException failure = Told.by(
                connecting,
                "REJECTED, CONSUMER_DEFINED",
                "destination=10.9.0.1:" + port,
                "ended before it accepted",
                "the log of the peer");
        assertEquals(RejectReason.CONSUMER_DEFINED, failure.rejectReason().orElseThrow());
    }

    /** What gets here first is the kernel's affair: the acceptance, the end of the process, or the end right behind it. */
    @Test
    void shouldTellThatItDiedWhileItAccepted() throws Exception {
        Victim server = server(Victim.Phase.ACCEPTED);
        CompletableFuture<Connection> connecting = connecting();

        server.awaitEnd();

        try {
            assertDisconnected(resources.add(connecting.get(50, TimeUnit.SECONDS)));
        } catch (ExecutionException e) {
            Told.by(connecting, "destination=10.9.0.1:" + port, "ended", "the log of the peer");
        }
    }

    private void assertDisconnected(Connection connection) throws Exception {
        assertEquals(ConnectionEventType.DISCONNECTED, connection.disconnected().get(50, TimeUnit.SECONDS));
        assertEquals(QueuePairState.ERR, link.client().queuePair().query().state());
    }

    @Test
    void shouldTellThatItDiedOnceConnected() throws Exception {
        Victim server = server(Victim.Phase.SERVING);
        Connection connection = resources.add(connecting().get(50, TimeUnit.SECONDS));
        server.await(Victim.Phase.SERVING);

        server.kill();

        assertDisconnected(connection);
    }
}
