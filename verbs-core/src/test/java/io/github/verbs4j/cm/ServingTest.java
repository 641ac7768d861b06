package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCm;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever handlers and executors do: every request is decided upon, and the next one is served. */
@Timeout(60)
class ServingTest extends FakeConnections {
    private static final int LISTENER = 1;

    private final Queue<Throwable> told = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingQueue<ConnectionRequest> handled = new LinkedBlockingQueue<>();
    private Thread.UncaughtExceptionHandler usual;
    private Listener listener;

    @BeforeEach
    void listen() {
        usual = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
        listener = keep(manager.listen(OURS, 8));
    }

    @AfterEach
    void forget() {
        Thread.setDefaultUncaughtExceptionHandler(usual);
    }

    private static void ask() {
        FakeCm.deliver(LISTENER, ConnectionEventType.CONNECT_REQUEST.code(), 0);
    }

    /** A request comes, and is gone. */
    private static void requireRejected() {
        int next = FakeCm.newest() + 1;
        ask();
        await(() -> FakeCm.log().contains("rdma_destroy_id id" + next));
    }

    private void requireServed() throws InterruptedException {
        ask();
        handled.take().reject(new byte[0]);
    }

    private void handle(ConnectionRequest request) {
        request.defer();
        handled.add(request);
    }

    // ---- executors ----

    /** Fails at the first task, before or after it has run, and is a good one then. */
    private void serveAfter(boolean run, Throwable failure) {
        AtomicInteger tasks = new AtomicInteger();
        listener.serve(
                task -> {
                    boolean first = tasks.getAndIncrement() == 0;
                    if (run || !first) {
                        task.run();
                    }
                    if (first) {
                        ServingTest.<RuntimeException>raise(failure);
                    }
                },
                this::handle);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void raise(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void shouldGoOnWhenTheExecutorFails() throws Exception {
        OutOfMemoryError failure = new OutOfMemoryError("unable to create native thread");
        serveAfter(false, failure);

        requireRejected();

        requireServed();
        assertEquals(List.of(failure), List.copyOf(told));
    }

    @Test
    void shouldGoOnWhenTheExecutorFailsOnceItsTaskHasRun() throws Exception {
        IllegalStateException failure = new IllegalStateException("cannot count it");
        serveAfter(true, failure);

        requireServed();

        requireServed();
        assertEquals(List.of(failure), List.copyOf(told));
    }

    @Test
    void shouldGoOnWhenARefusedRequestCannotBeClosed() throws Exception {
        serveAfter(false, new RejectedExecutionException("busy"));
        FakeCm.failNext("rdma_destroy_id", EINVAL);

        ask();
        await(() -> told.size() == 2);

        requireServed();
        assertEquals("rdma_destroy_id", ((VerbsException) told.remove()).operation());
        assertEquals("busy", told.remove().getMessage());
        assertEquals(2, FakeCm.live());
        listener.close(); // tries once more
        manager.close();
    }

    @Test
    void shouldRejectWhatNoTaskBeganWithWhenItIsClosed() throws Exception {
        Queue<Runnable> dropped = new ConcurrentLinkedQueue<>();
        listener.serve(dropped::add, this::handle);
        ask();
        ask();
        await(() -> dropped.size() == 2);
        dropped.remove().run();
        ConnectionRequest begun = handled.take();

        listener.close();

        assertEquals(1, FakeCm.live(), "that of the task that began");
        begun.reject(new byte[0]);
        dropped.remove().run();
        assertTrue(handled.isEmpty());
        manager.close();
    }

    @Test
    void shouldGoOnRejectingWhereItStopped() {
        Queue<Runnable> dropped = new ConcurrentLinkedQueue<>();
        listener.serve(dropped::add, this::handle);
        ask();
        ask();
        await(() -> dropped.size() == 2);
        FakeCm.fail("rdma_destroy_id", EINVAL, 1, 1);
        assertThrows(VerbsException.class, listener::close);
        dropped.remove().run();
        assertTrue(handled.isEmpty());

        listener.close();

        manager.close();
    }

    // ---- handlers ----

    @Test
    void shouldRejectWhatAHandlerLeavesUndecidedAndTellOfIt() {
        listener.serve(request -> {});

        requireRejected();

        await(() -> !told.isEmpty());
        assertSays("defer()", told.element());
        listener.close();
        manager.close();
    }

    @Test
    void shouldRejectWhatAHandlerOnlyInitializes() {
        listener.serve(request -> request.initialize(queuePair()));

        requireRejected();
    }

    @Test
    void shouldSayNothingOfWhatAHandlerClosesMigratesOrDecides() throws Exception {
        ConnectionManager other = keep(ConnectionManager.open());
        List<RequestHandler<ConnectionRequest>> handlers = List.of(
                ConnectionRequest::close,
                request -> request.migrate(other).close(),
                request -> request.reject(new byte[0]));
        AtomicInteger next = new AtomicInteger();
        listener.serve(
                Runnable::run, request -> handlers.get(next.getAndIncrement()).handle(request));

        for (int i = 0; i < handlers.size(); i++) {
            requireRejected();
        }

        listener.close();
        assertTrue(told.isEmpty(), told::toString);
    }

    @Test
    void shouldKeepWhatIsBeingAccepted() throws Exception {
        CompletableFuture<CompletableFuture<Connection>> accepting = new CompletableFuture<>();
        listener.serve(Runnable::run, request -> {
            request.initialize(queuePair());
            accepting.complete(request.acceptAsync(DEFAULTS, LONG));
        });
        ask();
        CompletableFuture<Connection> accepted = get(accepting);
        assertFalse(accepted.isDone());

        answer("rdma_accept", FakeCm.newest(), ConnectionEventType.ESTABLISHED);

        keep(get(accepted));
        assertTrue(told.isEmpty(), told::toString);
    }

    @Test
    void shouldCloseWhatIsAcceptedInVainOnceThatIsKnown() {
        listener.serve(request -> {
            request.initialize(queuePair());
            request.acceptAsync(DEFAULTS, SHORT);
        });

        requireRejected();

        listener.close();
        await(() -> FakeCm.live() == 0);
        assertTrue(told.isEmpty(), told::toString);
    }

    @Test
    void shouldGoOnWhenAHandlerInterruptsItsThread() throws Exception {
        listener.serve(Runnable::run, request -> {
            handle(request);
            Thread.currentThread().interrupt();
        });

        requireServed();
        requireServed();
    }

    @Test
    void shouldGoOnWhenWhoIsToldOfAFailureFailsToo() {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            throw new IllegalStateException(thrown);
        });
        listener.serve(Runnable::run, request -> {
            throw new Exception("no room");
        });

        requireRejected();
        requireRejected();
    }
}
