package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Holdings;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Watchdog;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is closed, in whatever order, by whatever thread, while connections are made: it ends, and nothing is left. */
class ClosingOrderIT {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration WATCHDOG = Duration.ofSeconds(60);
    private static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 0);
    private static final int ROUNDS = 10;
    private static final int CLIENTS = 6;
    private static final int CLOSERS = 3;
    private static final int CLOSES = 12;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    private final Resources resources = new Resources();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private ProtectionDomain domain;
    private CompletionQueue queue;

    /** Everything that is open, and may be closed by anyone. */
    private final Queue<AutoCloseable> open = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void open() {
        DeviceContext context = resources.add(Rdma.open());
        domain = resources.add(context.allocateProtectionDomain());
        queue = resources.add(context.createCompletionQueue(256));
    }

    @AfterEach
    void close() {
        resources.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldCloseInAnyOrderWhileConnectionsAreMade(long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        round(random); // what is made once and kept
        Holdings before = Holdings.now();
        for (int i = 0; i < ROUNDS; i++) {
            round(random);
        }
        before.requireAgain();
        assertEquals(List.of(), List.copyOf(surprises));
    }

    private void round(SplittableRandom random) throws InterruptedException {
        ConnectionManager manager = opened(ConnectionManager.open());
        Listener listener = opened(manager.listen(ADDRESS, CLIENTS));
        InetSocketAddress address = listener.address();
        try (ExecutorService handlers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().uncaughtExceptionHandler(this::failed).factory())) {
            listener.serve(handlers, this::accept);
            List<Thread> threads = IntStream.range(0, CLIENTS + CLOSERS)
                    .mapToObj(i -> start(i < CLIENTS ? () -> connect(manager, address) : closing(random.split())))
                    .toList();
            for (Thread thread : threads) {
                requireEnd(thread);
            }
        }
        Watchdog.await("everything to be closed: " + open, () -> {
            open.removeIf(this::close);
            return open.isEmpty();
        });
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private RcQueuePair pair() {
        return opened(domain.createRc(QueuePairOptions.sharing(queue).depth(1, 1)));
    }

    private void connect(ConnectionManager manager, InetSocketAddress address) {
        try {
            Connector connector = opened(manager.connector(address)).resolve(PATIENCE);
            connector.initialize(pair());
            opened(connector.connect(DEFAULTS, PATIENCE));
        } catch (VerbsException | IllegalStateException | InterruptedException closed) {
            // by one of the threads that do nothing else
        }
    }

    private void accept(ConnectionRequest request) throws InterruptedException {
        opened(request).initialize(pair());
        opened(request.accept(DEFAULTS, PATIENCE));
    }

    private Runnable closing(SplittableRandom random) {
        return () -> {
            for (int i = 0; i < CLOSES; i++) {
                LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE_NANOS));
                AutoCloseable[] all = open.toArray(AutoCloseable[]::new);
                close(all[random.nextInt(all.length)]);
            }
        };
    }

    /** False if something is still open on it. */
    private boolean close(AutoCloseable resource) {
        try {
            resource.close();
            return true;
        } catch (IllegalStateException stillNeeded) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(resource + " does not close", e);
        }
    }

    private Thread start(Runnable task) {
        return Thread.ofPlatform().uncaughtExceptionHandler(this::failed).start(task);
    }

    private void failed(Thread thread, Throwable thrown) {
        if (!(thrown instanceof VerbsException || thrown instanceof IllegalStateException)) {
            surprises.add(thrown);
        }
    }

    private static void requireEnd(Thread thread) throws InterruptedException {
        assertTrue(
                thread.join(WATCHDOG),
                () -> "a thread did not end, it is in\n" + Arrays.toString(thread.getStackTrace()));
    }

    @Test
    void shouldCloseAConnectionFromWhatDependsOnItsEnd() throws Exception {
        ConnectionManager manager = resources.add(ConnectionManager.open());
        try (Listener listener = manager.listen(ADDRESS, 1);
                Connector connector = manager.connector(listener.address())) {
            connector.resolve(WATCHDOG).initialize(pair());
            CompletableFuture<Connection> connecting = connector.connectAsync(DEFAULTS, WATCHDOG);
            Connection server = acceptNext(listener);
            Connection client = connecting.get();
            CompletableFuture<Void> ours = client.disconnected().thenRun(client::close);
            CompletableFuture<Void> theirs = server.disconnected().thenRun(server::close);

            client.close();

            ours.get(20, TimeUnit.SECONDS);
            theirs.get(20, TimeUnit.SECONDS);
        } finally {
            open.forEach(this::close);
        }
    }

    /** Nobody could end it otherwise, and the queue pair is closed next. */
    @Test
    void shouldEndAnAttemptThatIsInterrupted() throws Exception {
        ConnectionManager manager = resources.add(ConnectionManager.open());
        try (Listener listener = manager.listen(ADDRESS, 1);
                Connector connector = manager.connector(listener.address())) {
            RcQueuePair pair = pair();
            connector.resolve(WATCHDOG).initialize(pair);
            Thread client = start(() -> {
                assertThrows(InterruptedException.class, () -> connector.connect(DEFAULTS, WATCHDOG));
                pair.close();
            });
            try (ConnectionRequest request = listener.await(WATCHDOG).orElseThrow()) {
                client.interrupt();
                requireEnd(client);

                assertThrows(ConnectionException.class, () -> {
                    request.initialize(pair());
                    request.accept(DEFAULTS, PATIENCE);
                });
            }
            assertFalse(pair.isOpen());
        } finally {
            open.forEach(this::close);
        }
        assertEquals(List.of(), List.copyOf(surprises));
    }

    private Connection acceptNext(Listener listener) throws InterruptedException {
        try (ConnectionRequest request = listener.await(WATCHDOG).orElseThrow()) {
            return accepted(request);
        }
    }

    private Connection accepted(ConnectionRequest request) throws InterruptedException {
        request.initialize(pair());
        return request.accept(DEFAULTS, WATCHDOG);
    }
}
