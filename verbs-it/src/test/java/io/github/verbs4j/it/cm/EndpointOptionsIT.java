package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.EndpointOptions;
import io.github.verbs4j.cm.Listener;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is set before an end has its address arrives in the kernel, and in the queue pairs. */
class EndpointOptionsIT {
    private static final EndpointOptions DEFAULTS = EndpointOptions.defaults();

    @Test
    void shouldMarkPacketsOfBothEndsAsTheOneThatConnectsWants() throws Exception {
        try (TwoEnds ends = TwoEnds.listeningOn("10.9.0.1", DEFAULTS.withTypeOfService(0x68))) {
            CompletableFuture<Connection> connecting = ends.connecting(
                    ends.manager().connector(ends.listener().address(), DEFAULTS.withTypeOfService(0x48)));
            Connection server = ends.accept(ends.request());
            Connection client = ends.add(connecting.get());

            assertEquals(0x48, client.queuePair().query().path().trafficClass());
            assertEquals(0x48, server.queuePair().query().path().trafficClass());
        }
    }

    @Test
    void shouldSetTheAckTimeoutOfBothEndsFromTheOneThatConnects() throws Exception {
        try (TwoEnds ends = TwoEnds.listening()) {
            CompletableFuture<Connection> connecting =
                    ends.connecting(ends.manager().connector(ends.listener().address(), DEFAULTS.withAckTimeout(16)));
            Connection server = ends.accept(ends.request());
            Connection client = ends.add(connecting.get());

            assertEquals(16, client.queuePair().query().ackTimeout());
            assertEquals(17, server.queuePair().query().ackTimeout()); // Soft-RoCE's own delay beside it
        }
    }

    @Test
    void shouldSetTheAckTimeoutOfAListenersOwnEnds() throws Exception {
        try (TwoEnds ends = TwoEnds.listeningOn("10.9.0.1", DEFAULTS.withAckTimeout(15))) {
            CompletableFuture<Connection> connecting =
                    ends.connecting(ends.manager().connector(ends.listener().address(), DEFAULTS.withAckTimeout(17)));
            Connection server = ends.accept(ends.request());
            Connection client = ends.add(connecting.get());

            assertEquals(17, client.queuePair().query().ackTimeout());
            assertEquals(15, server.queuePair().query().ackTimeout());
        }
    }

    @Test
    void shouldConnectFromAnAddressInUseOnlyIfBothEndsAllowIt() throws Exception {
        try (TwoEnds ends = TwoEnds.listening()) {
            InetSocketAddress source = new InetSocketAddress("10.9.0.1", 18777);
            InetSocketAddress target = ends.listener().address();
            EndpointOptions reuse = DEFAULTS.withReuseAddress();
            ends.add(ends.manager().connector(target, source, reuse));

            ConnectionException failure =
                    assertThrows(ConnectionException.class, () -> ends.manager().connector(target, source, DEFAULTS));
            assertEquals("EADDRINUSE", failure.errno().orElseThrow().name());
            assertEquals(source, failure.source().orElseThrow());

            CompletableFuture<Connection> connecting =
                    ends.connecting(ends.manager().connector(target, source, reuse));
            assertEquals(source, ends.accept(ends.request()).destination());
            ends.add(connecting.get());
        }
    }

    @Test
    void shouldKeepAWildcardOfIpv6ForItselfOnlyIfAsked() {
        InetSocketAddress six = new InetSocketAddress("::", 18778);
        InetSocketAddress four = new InetSocketAddress("0.0.0.0", 18778);
        try (ConnectionManager manager = ConnectionManager.open()) {
            try (Listener only = manager.listen(six, 4, DEFAULTS.withIpv6Only());
                    Listener other = manager.listen(four, 4)) {
                assertEquals(only.address().getPort(), other.address().getPort());
            }
            try (Listener both = manager.listen(six, 4)) {
                ConnectionException failure = assertThrows(ConnectionException.class, () -> manager.listen(four, 4));
                assertTrue(failure.getMessage().contains("on a wildcard"), failure.getMessage());
                assertEquals(18778, both.address().getPort());
            }
        }
    }

    @Test
    void shouldTellThatASourceIsNotOurs() {
        InetSocketAddress foreign = new InetSocketAddress("192.0.2.77", 0);
        try (ConnectionManager manager = ConnectionManager.open()) {
            ConnectionException failure = assertThrows(
                    ConnectionException.class,
                    () -> manager.connector(new InetSocketAddress("10.9.0.1", 1), foreign, DEFAULTS));

            assertEquals("EADDRNOTAVAIL", failure.errno().orElseThrow().name());
            assertEquals(foreign, failure.source().orElseThrow());
        }
    }
}
