package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.cm.RejectReason;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Watchdog;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A listener that hands its requests out. */
class ServeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();

    private final Resources resources = new Resources();
    private ConnectionManager manager;
    private Listener listener;

    @BeforeEach
    void listen() {
        manager = resources.add(ConnectionManager.open());
        listener = resources.add(manager.listen(new InetSocketAddress("10.9.0.1", 0), 4));
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private Link link() {
        return resources.add(Link.builder().unconnected());
    }

    private CompletableFuture<Connection> ask(Link link) throws InterruptedException {
        Connector connector =
                resources.add(manager.connector(listener.address())).resolve(PATIENCE);
        connector.initialize(link.client().queuePair());
        return connector.connectAsync(DEFAULTS, PATIENCE);
    }

    /** No handler goes on before each has its request. */
    @Test
    void shouldHandEachRequestToAVirtualThreadOfItsOwn() throws Exception {
        List<Link> links = List.of(link(), link(), link());
        Iterator<Link> free = new ConcurrentLinkedQueue<>(links).iterator();
        CountDownLatch all = new CountDownLatch(links.size());
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        listener.serve(request -> {
            threads.add(Thread.currentThread());
            all.countDown();
            assertTrue(all.await(60, TimeUnit.SECONDS));
            accept(request, free);
        });

        List<CompletableFuture<Connection>> asked = new ArrayList<>();
        for (Link link : links) {
            asked.add(ask(link));
        }

        for (CompletableFuture<Connection> connection : asked) {
            resources.add(connection.get(60, TimeUnit.SECONDS));
        }
        assertEquals(3, threads.stream().filter(Thread::isVirtual).distinct().count());
    }

    private void accept(ConnectionRequest request, Iterator<Link> free) throws InterruptedException {
        synchronized (resources) {
            request.initialize(free.next().server().queuePair());
            resources.add(request.accept(DEFAULTS, PATIENCE));
        }
    }

    /** Also where the executor runs a task in the thread that hands requests out. */
    @Test
    void shouldRejectWhatAHandlerFailsAtAndTellOfIt() throws Exception {
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
        try {
            listener.serve(Runnable::run, request -> {
                throw new ExecutionException(
                        "no room for " + request.destination().getAddress(), null);
            });

            requireRejected(ask(link()), RejectReason.CONSUMER_DEFINED);
            requireRejected(ask(link()), RejectReason.CONSUMER_DEFINED);
            Watchdog.await("both failures to be told", () -> told.size() == 2); // which is after the rejection
            listener.close();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(usual);
        }
        assertEquals(
                List.of("no room for /10.9.0.1", "no room for /10.9.0.1"),
                told.stream().map(Throwable::getMessage).toList());
    }

    @Test
    void shouldRejectWhatTheExecutorRefuses() throws Exception {
        listener.serve(
                task -> {
                    throw new RejectedExecutionException("busy");
                },
                request -> request.reject(new byte[0]));

        requireRejected(ask(link()), RejectReason.CONSUMER_DEFINED);
        requireRejected(ask(link()), RejectReason.CONSUMER_DEFINED);
    }

    @Test
    void shouldEndWhenClosedWhileHandlersGoOn() throws Exception {
        Link link = link();
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Connection> accepted = new CompletableFuture<>();
        CompletableFuture<Connection> asked;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch begun = new CountDownLatch(1);
            listener.serve(threads, request -> {
                begun.countDown();
                assertTrue(closed.await(60, TimeUnit.SECONDS));
                request.initialize(link.server().queuePair());
                accepted.complete(request.accept(DEFAULTS, PATIENCE));
            });
            asked = ask(link);
            assertTrue(begun.await(60, TimeUnit.SECONDS));

            listener.close();

            requireRejected(ask(link()), RejectReason.INVALID_SERVICE_ID);
            closed.countDown();
        }
        resources.add(accepted.getNow(null));
        resources.add(asked.get(60, TimeUnit.SECONDS));
        assertThrows(IllegalStateException.class, () -> listener.serve(request -> request.reject(new byte[0])));
    }

    private static void requireRejected(CompletableFuture<Connection> asked, RejectReason reason) {
        Exception failure = assertThrows(Exception.class, () -> asked.get(60, TimeUnit.SECONDS));
        assertEquals(
                reason,
                ((ConnectionException) failure.getCause()).rejectReason().orElseThrow());
    }
}
