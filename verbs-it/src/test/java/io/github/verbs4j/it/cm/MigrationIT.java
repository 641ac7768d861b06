package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.RejectReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Requests and connections whose events another manager takes from some time on; and two rare answers to a request. */
class MigrationIT {
    @Test
    void shouldAcceptARequestInAnotherManager() throws Exception {
        try (TwoEnds ends = TwoEnds.listening();
                ConnectionManager worker = ConnectionManager.open()) {
            CompletableFuture<Connection> connecting =
                    ends.connecting(ends.manager().connector(ends.listener().address()));
            ConnectionRequest request = ends.request();
            try (ConnectionRequest moved = request.migrate(worker)) {
                assertThrows(IllegalStateException.class, () -> request.migrate(worker));
                moved.initialize(ends.link().server().queuePair());
                try (Connection server = moved.accept(TwoEnds.DEFAULTS, TwoEnds.PATIENCE)) {
                    ends.add(connecting.get()).close();

                    assertEquals(
                            ConnectionEventType.DISCONNECTED,
                            server.disconnected().get(10, TimeUnit.SECONDS));
                }
            }
        }
    }

    @Test
    void shouldTellTheEndOfAConnectionThatMoved() throws Exception {
        try (TwoEnds ends = TwoEnds.listening();
                ConnectionManager other = ConnectionManager.open()) {
            CompletableFuture<Connection> connecting =
                    ends.connecting(ends.manager().connector(ends.listener().address()));
            Connection server = ends.accept(ends.request());
            Connection client = ends.add(connecting.get());
            try (Connection moved = client.migrate(other)) {
                assertThrows(IllegalStateException.class, () -> client.disconnect(TwoEnds.PATIENCE));
                assertThrows(IllegalStateException.class, other::close);

                moved.disconnect(TwoEnds.PATIENCE);

                assertEquals(
                        ConnectionEventType.DISCONNECTED, server.disconnected().get(10, TimeUnit.SECONDS));
                assertEquals(
                        ConnectionEventType.DISCONNECTED, client.disconnected().get(10, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void shouldRejectForTheSakeOfEnhancements() throws Exception {
        try (TwoEnds ends = TwoEnds.listening()) {
            CompletableFuture<Connection> connecting =
                    ends.connecting(ends.manager().connector(ends.listener().address()));
            ConnectionRequest request = ends.request();
            assertTrue(request.enhancements().isEmpty()); // of Soft-RoCE

            request.rejectEnhancements(new byte[0]);

            ExecutionException failure =
                    assertThrows(ExecutionException.class, () -> connecting.get(20, TimeUnit.SECONDS));
            assertEquals(
                    RejectReason.VENDOR_OPTION_NOT_SUPPORTED,
                    ((ConnectionException) failure.getCause()).rejectReason().orElseThrow());
        }
    }

    @Test
    void shouldRefuseToTellOfAMessageWhileNothingIsAccepted() throws Exception {
        try (TwoEnds ends = TwoEnds.listening()) {
            ends.connecting(ends.manager().connector(ends.listener().address()));
            ConnectionRequest request = ends.request();

            IllegalStateException failure = assertThrows(IllegalStateException.class, request::notifyEstablished);

            assertTrue(failure.getMessage().contains("REQUESTED"), failure.getMessage());
        }
    }
}
