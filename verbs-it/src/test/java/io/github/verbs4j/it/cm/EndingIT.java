package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.cm.RejectReason;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** However a connection ends, or an attempt at one, nobody waits for ever and nothing is left. */
class EndingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();

    private final Resources resources = new Resources();
    private Link link;
    private ConnectionManager manager;
    private Listener listener;

    @BeforeEach
    void listen() {
        link = resources.add(Link.builder().unconnected());
        manager = resources.add(ConnectionManager.open());
        listener = resources.add(manager.listen(new InetSocketAddress("10.9.0.1", 0), 4));
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private Connector asking() throws InterruptedException {
        Connector connector =
                resources.add(manager.connector(listener.address())).resolve(PATIENCE);
        connector.initialize(link.client().queuePair());
        return connector;
    }

    @Test
    void shouldTellThatThePeerClosedItsConnection() throws Exception {
        CompletableFuture<Connection> connecting = asking().connectAsync(DEFAULTS, PATIENCE);
        ConnectionRequest request = resources.add(listener.await(PATIENCE).orElseThrow());
        request.initialize(link.server().queuePair());
        Connection server = resources.add(request.accept(DEFAULTS, PATIENCE));
        Connection client = resources.add(connecting.get());

        server.close();

        assertEquals(ConnectionEventType.DISCONNECTED, client.disconnected().get(10, TimeUnit.SECONDS));
        assertEquals(QueuePairState.ERR, link.client().queuePair().query().state());
        client.disconnect(PATIENCE); // done already
    }

    @Test
    void shouldRejectARequestThatNobodyTookWhenTheListenerIsClosed() throws Exception {
        CompletableFuture<Connection> connecting = asking().connectAsync(DEFAULTS, PATIENCE);
        Watchdog.await("the kernel to have an identifier for each end", () -> identifiersOfConnections() == 2);

        listener.close();

        Exception failure = assertThrows(Exception.class, () -> connecting.get(20, TimeUnit.SECONDS));
        assertEquals(
                RejectReason.CONSUMER_DEFINED,
                ((ConnectionException) failure.getCause()).rejectReason().orElseThrow());
    }

    private static long identifiersOfConnections() {
        return Shell.output("rdma", "resource", "show", "cm_id")
                .lines()
                .filter(line -> line.contains("state CONNECT"))
                .count();
    }

    @Test
    void shouldEndAnAttemptThatIsClosedMeanwhile() throws Exception {
        Connector connector = asking();
        CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, PATIENCE);

        connector.close();

        Exception failure = assertThrows(Exception.class, () -> connecting.get(20, TimeUnit.SECONDS));
        assertTrue(
                ((VerbsException) failure.getCause()).getMessage().contains("closed while it was being made"),
                failure.getMessage());
    }

    @Test
    void shouldNoticeAtTheAcceptanceThatThePeerGaveUp() throws Exception {
        Connector connector = asking();
        connector.connectAsync(DEFAULTS, PATIENCE);
        ConnectionRequest request = resources.add(listener.await(PATIENCE).orElseThrow());

        connector.close();

        AtomicReference<ConnectionException> failure = new AtomicReference<>();
        Watchdog.await("the rejection to arrive", () -> isOver(request, failure));
        assertTrue(failure.get().getMessage().contains("the peer gave up"), failure.get()::getMessage);
    }

    private boolean isOver(ConnectionRequest request, AtomicReference<ConnectionException> failure) {
        try {
            request.initialize(link.server().queuePair());
            link.server().queuePair().reset();
            return false;
        } catch (ConnectionException e) {
            failure.set(e);
            return true;
        }
    }

    @Test
    void shouldNotCloseTheManagerUnderWhatIsOpenOnIt() throws Exception {
        Connector connector = asking();

        IllegalStateException failure = assertThrows(IllegalStateException.class, manager::close);

        assertTrue(failure.getMessage().contains(listener.toString()), failure.getMessage());
        assertTrue(failure.getMessage().contains(connector.toString()), failure.getMessage());
    }
}
