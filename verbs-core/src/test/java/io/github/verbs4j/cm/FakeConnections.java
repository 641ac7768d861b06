package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.fake.FakeCm;
import io.github.verbs4j.fake.FakeVerbs;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A manager over the fake librdmacm, and what queue pairs need over the fake libibverbs. All is closed in the end. */
@ExtendWith({FakeVerbs.Reset.class, FakeCm.Reset.class})
abstract class FakeConnections {
    static final Duration LONG = Duration.ofSeconds(50);
    static final Duration SHORT = Duration.ofMillis(30);
    static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();
    static final InetSocketAddress PEER = new InetSocketAddress("10.9.0.2", 7471);
    static final InetSocketAddress OURS = new InetSocketAddress("10.9.0.1", 7471);

    static final int EIO = 5;
    static final int EINVAL = 22;

    ConnectionManager manager;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private ProtectionDomain domain;
    private CompletionQueue queue;

    @BeforeEach
    void open() {
        DeviceContext context = keep(Device.first().open());
        domain = keep(context.allocateProtectionDomain());
        queue = keep(context.createCompletionQueue(1024));
        manager = keep(ConnectionManager.open());
    }

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.removeLast().close();
        }
    }

    /** Closes it when the test is over, the last one first. */
    final <T extends AutoCloseable> T keep(T object) {
        opened.addLast(object);
        return object;
    }

    final RcQueuePair queuePair() {
        return keep(domain.createRc(QueuePairOptions.sharing(queue).depth(8, 8)));
    }

    /** In INIT, with the queue key of the fake librdmacm. */
    final UdQueuePair datagramQueuePair() {
        UdQueuePair queuePair =
                keep(domain.createUd(QueuePairOptions.sharing(queue).depth(8, 8)));
        queuePair.modify(
                Transition.to(QueuePairState.INIT).port(1).partitionKeyIndex(0).queueKey(0));
        return queuePair;
    }

    // ---- the way to a connection; the identifier is the newest one ----

    /** A connector whose way is found. */
    final Connector resolved() throws Exception {
        Connector connector = keep(manager.connector(PEER));
        CompletableFuture<Connector> resolving = connector.resolveAsync(LONG);
        resolve(FakeCm.newest());
        return get(resolving);
    }

    /** Answers what resolves. */
    static void resolve(int id) {
        answer("rdma_resolve_addr", id, ConnectionEventType.ADDR_RESOLVED);
        answer("rdma_resolve_route", id, ConnectionEventType.ROUTE_RESOLVED);
    }

    /** Answers a call, once it was made. */
    static void answer(String call, int id, ConnectionEventType event) {
        await(() -> FakeCm.log().contains(call + " id" + id));
        FakeCm.deliver(id, event.code(), 0);
    }

    /** A connection that we asked for. */
    final Connection connected() throws Exception {
        Connector connector = resolved();
        connector.initialize(queuePair());
        return connected(connector);
    }

    final Connection connected(Connector connector) throws Exception {
        CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, LONG);
        FakeCm.deliver(FakeCm.newest(), ConnectionEventType.CONNECT_RESPONSE.code(), 0);
        return keep(get(connecting));
    }

    /** A request that came to a listener. */
    final ConnectionRequest request(Listener listener, int listening) throws Exception {
        FakeCm.deliver(listening, ConnectionEventType.CONNECT_REQUEST.code(), 0);
        return keep(listener.await(LONG).orElseThrow());
    }

    /** A connection that a peer asked for. */
    final Connection accepted(ConnectionRequest request) throws Exception {
        int id = FakeCm.newest();
        request.initialize(queuePair());
        CompletableFuture<Connection> accepting = request.acceptAsync(DEFAULTS, LONG);
        answer("rdma_accept", id, ConnectionEventType.ESTABLISHED);
        return keep(get(accepting));
    }

    // ---- waiting ----

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "waited in vain");
            Thread.onSpinWait();
        }
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** What a future fails with. */
    static <X extends Exception> X failure(Class<X> type, CompletableFuture<?> future) {
        ExecutionException thrown = assertThrows(ExecutionException.class, () -> get(future));
        return assertThrows(type, () -> {
            throw thrown.getCause();
        });
    }

    static void assertSays(String part, Throwable thrown) {
        assertTrue(thrown.getMessage().contains(part), thrown::getMessage);
    }
}
