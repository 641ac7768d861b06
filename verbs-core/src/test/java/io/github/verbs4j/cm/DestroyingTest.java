package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code rdma_destroy_id} waits for acknowledgements; nobody waits for ever, in whatever order things are closed. */
@Timeout(60)
class DestroyingTest extends FakeConnections {
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);
    private static final int NEWER = 77;

    // ---- from within what an event set off ----

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 11})
    void shouldCloseAConnectorFromWithinWhatAnEventSetOff(int event) throws Exception {
        Connector connector = keep(manager.connector(PEER));
        CompletableFuture<Boolean> follower =
                connector.resolveAsync(SHORT).handle((resolved, thrown) -> closed(connector));
        for (int more = 0; more < 100; more++) {
            FakeCm.deliver(FakeCm.newest(), more == 50 ? event : NEWER, 0);
        }

        assertTrue(get(follower), "on a virtual thread");
        assertEquals(0, FakeCm.live());
    }

    private static boolean closed(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return Thread.currentThread().isVirtual();
    }

    @Test
    void shouldCloseAConnectionFromWithinItsEnd() throws Exception {
        Connection connection = connected();
        CompletableFuture<Boolean> follower = connection.disconnected().thenApply(event -> closed(connection));

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);

        assertTrue(get(follower));
        assertEquals(0, FakeCm.live());
    }

    // ---- while others are at it ----

    @Test
    void shouldWaitUntilAnEventIsAcknowledged() throws Exception {
        Connector connector = keep(manager.connector(PEER));
        CompletableFuture<Connector> resolving = connector.resolveAsync(LONG);
        FakeCm.raiseBarrier("rdma_ack_cm_event");
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.ADDR_RESOLVED.code(), 0);
        await(FakeCm::waitsAtBarrier);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(connector::close, THREADS);
        await(() -> FakeCm.log().contains("rdma_destroy_id id" + FakeCm.newest()));
        assertFalse(closing.isDone());
        FakeCm.liftBarrier();

        get(closing);
        assertClosedMeanwhile(resolving);
    }

    private static void assertClosedMeanwhile(CompletableFuture<?> attempt) {
        ConnectionException failure = failure(ConnectionException.class, attempt);
        assertSays("closed while it was being made", failure);
        assertEquals(PEER, failure.destination().orElseThrow());
    }

    @Test
    void shouldIgnoreWhatComesWhileItIsDestroyed() throws Exception {
        Connector connector = keep(manager.connector(PEER));
        CompletableFuture<Connector> resolving = connector.resolveAsync(LONG);
        FakeCm.raiseBarrier("rdma_destroy_id");
        CompletableFuture<Void> closing = CompletableFuture.runAsync(connector::close, THREADS);
        await(FakeCm::waitsAtBarrier);

        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.ADDR_RESOLVED.code(), 0);
        await(() -> FakeCm.calls("rdma_ack_cm_event") == 1);
        FakeCm.liftBarrier();

        get(closing);
        assertClosedMeanwhile(resolving);
        Connector next = keep(manager.connector(PEER)); // at the same address
        CompletableFuture<Connector> another = next.resolveAsync(LONG);
        resolve(FakeCm.newest());
        assertEquals(next, get(another));
    }

    @Test
    void shouldRejectARequestWhoseListenerIsBeingClosed() throws Exception {
        Listener listener = keep(manager.listen(OURS, 1));
        FakeCm.raiseBarrier("rdma_ack_cm_event");
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.CONNECT_REQUEST.code(), 0);
        await(FakeCm::waitsAtBarrier);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(listener::close, THREADS);
        await(() -> FakeCm.log().contains("rdma_destroy_id id1"));

        FakeCm.liftBarrier();

        get(closing);
        await(() -> FakeCm.live() == 0);
        assertTrue(FakeCm.log().contains("rdma_destroy_id id2"));
    }

    @Test
    void shouldSurviveThatARequestCannotBeRejected() throws Exception {
        Connector connector = resolved();
        FakeCm.failNext("rdma_destroy_id", EINVAL);
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.CONNECT_REQUEST.code(), 0); // nobody listens on it
        await(() -> FakeCm.calls("rdma_destroy_id") == 1);
        connector.initialize(queuePair());
        CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, LONG);
        FakeCm.deliver(1, ConnectionEventType.CONNECT_RESPONSE.code(), 0);
        get(connecting).close();

        assertEquals(1, FakeCm.live(), "what the kernel does not let go, until the channel is destroyed");
        FakeCm.forget(2);
    }

    @Test
    void shouldRejectTheRequestsThatNobodyTook() {
        Listener listener = keep(manager.listen(OURS, 3));
        for (int requests = 0; requests < 3; requests++) {
            FakeCm.deliver(1, ConnectionEventType.CONNECT_REQUEST.code(), 0);
        }
        await(() -> FakeCm.live() == 4);

        listener.close();

        assertEquals(0, FakeCm.live());
    }

    // ---- orders ----

    @Test
    void shouldCloseInEveryOrder() throws Exception {
        for (List<Integer> order : orders(List.of(0, 1, 2, 3, 4))) {
            Connector connector = resolved();
            RcQueuePair queuePair = queuePair();
            connector.initialize(queuePair);
            Connection connection = connected(connector);
            Listener listener = keep(manager.listen(OURS, 1));
            ConnectionRequest request = request(listener, FakeCm.newest());
            List<AutoCloseable> resources = List.of(connector, queuePair, connection, listener, request);

            assertThrows(IllegalStateException.class, manager::close);
            boolean tooEarly = order.indexOf(1) < order.indexOf(2);
            for (int next : order) {
                if (next == 1 && tooEarly) {
                    assertSays(
                            "still open on it: " + connection,
                            assertThrows(IllegalStateException.class, queuePair::close));
                    continue;
                }
                resources.get(next).close();
                FakeCm.deliver(FakeCm.newest(), ConnectionEventType.DISCONNECTED.code(), 0);
            }

            assertEquals(0, FakeCm.live(), order::toString);
        }
    }

    private static List<List<Integer>> orders(List<Integer> things) {
        if (things.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Integer>> all = new ArrayList<>();
        for (Integer first : things) {
            List<Integer> rest = new ArrayList<>(things);
            rest.remove(first);
            for (List<Integer> order : orders(rest)) {
                List<Integer> whole = new ArrayList<>(List.of(first));
                whole.addAll(order);
                all.add(whole);
            }
        }
        return all;
    }

    // ---- what cannot be destroyed ----

    static Stream<Arguments> resources() {
        return Stream.of(
                argumentSet("a connector", (Maker) DestroyingTest::resolved),
                argumentSet("a connection", (Maker) DestroyingTest::connected),
                argumentSet("a listener", (Maker) test -> test.keep(test.manager.listen(OURS, 1))),
                argumentSet("a request", (Maker)
                        test -> test.request(test.keep(test.manager.listen(OURS, 1)), FakeCm.newest())));
    }

    /** Makes something that is closed. */
    private interface Maker {
        AutoCloseable make(DestroyingTest test) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("resources")
    void shouldStayOpenIfItCannotBeDestroyed(Maker maker) throws Exception {
        AutoCloseable resource = maker.make(this);
        int live = FakeCm.live();
        FakeCm.failNext("rdma_destroy_id", EINVAL);

        VerbsException failure = assertThrows(VerbsException.class, resource::close);

        assertEquals("rdma_destroy_id", failure.operation());
        assertTrue(failure.is(Errno.EINVAL));
        assertThrows(IllegalStateException.class, manager::close, "it is open");
        resource.close();
        assertEquals(live - 1, FakeCm.live());
    }

    @Test
    void shouldGoOnClosingAListenerWhereItStopped() {
        Listener listener = keep(manager.listen(OURS, 3));
        for (int requests = 0; requests < 3; requests++) {
            FakeCm.deliver(1, ConnectionEventType.CONNECT_REQUEST.code(), 0);
        }
        await(() -> FakeCm.live() == 4);
        FakeCm.fail("rdma_destroy_id", EINVAL, 1, 1);
        assertThrows(VerbsException.class, listener::close);
        assertEquals(3, FakeCm.live());

        listener.close();

        assertEquals(0, FakeCm.live());
    }

    @Test
    void shouldTellBothThatItFailedAndThatItCannotBeDestroyed() {
        FakeCm.failNext("rdma_listen", EINVAL);
        FakeCm.fail("rdma_destroy_id", EINVAL, 0, 1);

        ConnectionException failure = assertThrows(ConnectionException.class, () -> manager.listen(OURS, 1));

        assertEquals("rdma_listen", failure.operation());
        assertEquals(1, failure.getSuppressed().length);
        FakeCm.forget(FakeCm.newest());
    }
}
