package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.it.rdma.Watchdog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of a client is killed, or hangs, in each phase of the handshake, and its server is told. */
class VanishingClientIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration DEADLINE = Duration.ofMillis(700);

    private static Victim.Program victims;

    private TwoEnds ends;
    private ConnectionRequest request;

    @BeforeAll
    static void compile(@TempDir Path directory) {
        victims = Victim.Program.compiledIn(directory);
    }

    @BeforeEach
    void open() {
        ends = TwoEnds.listening();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    private Victim client(Victim.Phase phase) throws InterruptedException {
        Victim client = ends.add(victims.client(phase, ends.listener().address()));
        client.await(Victim.Phase.ASKING);
        request = ends.add(ends.listener().await(PATIENCE).orElseThrow());
        return client;
    }

    private CompletableFuture<Connection> accepting(Duration timeout) {
        request.initialize(ends.link().server().queuePair());
        return request.acceptAsync(TwoEnds.DEFAULTS, timeout);
    }

    @Test
    void shouldTellThatItDiedBeforeItWasAccepted() throws Exception {
        client(Victim.Phase.ASKING).kill();
        Watchdog.await("its end to be known", this::isGone);

        ConnectionException failure = Told.by(
                () -> request.initialize(ends.link().server().queuePair()),
                "source=10.9.0.1:" + ends.listener().address().getPort(),
                "destination=10.9.0.1:",
                "the peer gave up, closed, or its process ended",
                "close this");
        assertEquals(Errno.EINVAL, failure.errno().orElseThrow());
    }

    private boolean isGone() {
        RcQueuePair queuePair = ends.link().server().queuePair();
        try {
            request.initialize(queuePair);
            queuePair.reset();
            return false;
        } catch (ConnectionException gone) {
            return true;
        }
    }

    @Test
    void shouldTellThatItDiedWhileItWasAccepted() throws Exception {
        Victim client = client(Victim.Phase.ASKING);
        client.stop(); // it cannot answer
        CompletableFuture<Connection> accepting = accepting(PATIENCE);
        Watchdog.await(
                "the acceptance", () -> ends.link().server().queuePair().query().state() == QueuePairState.RTS);

        client.kill();

        Told.by(accepting, "source=10.9.0.1:", "destination=10.9.0.1:");
    }

    @Test
    void shouldTellThatItHangs() throws Exception {
        client(Victim.Phase.ASKING).stop();
        long begun = System.nanoTime();

        Told.by(
                accepting(DEADLINE),
                "rdma_accept failed",
                "ETIMEDOUT",
                "event=ESTABLISHED did not come",
                "does not confirm the connection that we accepted",
                "it gave up meanwhile",
                "look into the log of the peer");

        assertTrue(System.nanoTime() - begun >= DEADLINE.toNanos(), "before its deadline");
    }

    @Test
    void shouldTellThatItDiedOnceConnected() throws Exception {
        Victim client = client(Victim.Phase.CONNECTED);
        Connection connection = ends.add(accepting(PATIENCE).get(50, TimeUnit.SECONDS));
        client.await(Victim.Phase.CONNECTED);

        client.kill();

        assertEquals(ConnectionEventType.DISCONNECTED, connection.disconnected().get(50, TimeUnit.SECONDS));
        assertEquals(
                QueuePairState.ERR, ends.link().server().queuePair().query().state());
    }
}
