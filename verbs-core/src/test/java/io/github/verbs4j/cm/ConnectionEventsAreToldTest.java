package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.fake.FakeCm;
import io.github.verbs4j.fake.Recorded;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Flight Recorder is told of connections: the steps, how long they took, and the events of librdmacm. */
@Timeout(120)
class ConnectionEventsAreToldTest extends FakeConnections {
    private static List<String> texts(List<RecordedEvent> events, String... fields) {
        return events.stream()
                .map(event -> String.join(
                        " ",
                        List.of(fields).stream()
                                .map(field -> Objects.toString(event.getValue(field)))
                                .toList()))
                .toList();
    }

    @Test
    void shouldTellTheStepsOfAConnection() throws Exception {
        Recorded told = Recorded.during(this::connected);

        List<RecordedEvent> steps = told.of("ConnectionStep");
        assertEquals(
                List.of(
                        "rdma_resolve_addr NEW ADDRESS_RESOLVED null",
                        "rdma_resolve_route ADDRESS_RESOLVED ROUTE_RESOLVED null",
                        "rdma_connect ROUTE_RESOLVED RESPONDED null"),
                texts(steps, "operation", "from", "to", "failure"));
        assertEquals("10.9.0.2:7471", steps.getLast().getString("destination"));
        assertTrue(steps.getLast().getDuration().toNanos() > 0);
        assertEquals(
                List.of(
                        "ADDR_RESOLVED 0 RESOLVING_ADDRESS",
                        "ROUTE_RESOLVED 0 RESOLVING_ROUTE",
                        "CONNECT_RESPONSE 0 CONNECTING"),
                texts(told.of("ConnectionEvent"), "type", "status", "state"));
        String identifier = steps.getFirst().getString("identifier");
        assertTrue(told.of("ConnectionEvent").stream()
                .allMatch(event -> event.getString("identifier").equals(identifier)));
        assertEquals(identifier, told.calls("rdma_create_id").getFirst().getString("result"));
    }

    @Test
    void shouldTellWhyAStepFailed() throws Exception {
        Recorded told = Recorded.during(() -> {
            Connector connector = keep(manager.connector(PEER));
            CompletableFuture<Connector> resolving = connector.resolveAsync(LONG);
            answer("rdma_resolve_addr", FakeCm.newest(), ConnectionEventType.ADDR_ERROR);
            ConnectionException failure = failure(ConnectionException.class, resolving);
            assertNotNull(failure);
        });

        RecordedEvent step = told.of("ConnectionStep").getFirst();
        assertEquals("FAILED", step.getString("to"));
        assertSays("rdma_resolve_addr failed", new AssertionError(step.getString("failure")));
    }

    @Test
    void shouldTellOfACallThatIsRefused() throws Exception {
        Recorded told = Recorded.during(() -> {
            FakeCm.failNext("rdma_resolve_addr", EINVAL);
            failure(ConnectionException.class, keep(manager.connector(PEER)).resolveAsync(LONG));
        });

        RecordedEvent call = told.calls("rdma_resolve_addr").getFirst();
        assertEquals(-1, Integer.parseInt(call.getString("result")));
        assertEquals(EINVAL, call.getInt("errno"));
        assertEquals("EINVAL (22, Invalid argument)", call.getString("error"));
        assertEquals("destination=10.9.0.2:7471", call.getString("arguments"));
        assertNull(told.calls("rdma_create_id").getFirst().getString("error"));
        assertEquals("FAILED", told.of("ConnectionStep").getFirst().getString("to"));
    }
}
