package io.github.verbs4j.it.cm;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.it.rdma.Watchdog;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Connects and disconnects, several at a time, with both ends in this process; with every tenth comes an attempt that fails. */
final class Churn implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final int AT_A_TIME = 8;
    private static final int BAD_ONE_IN = 10;
    private static final InetSocketAddress NOBODY = new InetSocketAddress("10.9.0.1", 9);

    /** What becomes of an attempt. */
    private enum Fate {
        CLIENT_DISCONNECTS,
        CLIENT_CLOSES,
        SERVER_CLOSES,
        REJECTED,
        HANDLER_FAILS,
        CLIENT_GIVES_UP,
        NOBODY_LISTENS;

        static Fate good(int number) {
            return values()[number % REJECTED.ordinal()];
        }

        static Fate bad(int number) {
            return values()[REJECTED.ordinal() + number % (values().length - REJECTED.ordinal())];
        }

        boolean isGood() {
            return ordinal() < REJECTED.ordinal();
        }

        /** Tells the server. */
        ConnectionOptions options() {
            return ConnectionOptions.defaults().withPrivateData(new byte[] {(byte) ordinal()});
        }

        static Fate of(ConnectionRequest request) {
            return values()[request.privateData()[0]];
        }
    }

    private final ProtectionDomain domain;
    private final QueuePairOptions options;
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicInteger serving = new AtomicInteger();
    private final ConnectionManager manager;
    private final ExecutorService handlers;
    private final Listener listener;

    Churn(ProtectionDomain domain, CompletionQueue queue) {
        this.domain = domain;
        this.options = QueuePairOptions.sharing(queue).depth(1, 1);
        this.manager = ConnectionManager.open();
        this.listener = manager.listen(new InetSocketAddress("10.9.0.1", 0), 128);
        this.handlers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().uncaughtExceptionHandler(this::failed).factory());
        listener.serve(handlers, this::serve);
    }

    private void failed(Thread thread, Throwable thrown) {
        if (!(thrown instanceof CancellationException)) {
            surprises.add(thrown);
        }
    }

    /** Makes so many connections, and ends them. */
    void connect(int count) {
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AT_A_TIME; i++) {
                clients.execute(() -> connectInTurn(next, count));
            }
        }
        Watchdog.await("the server to be done with them", () -> serving.get() == 0);
        if (!surprises.isEmpty()) {
            throw new AssertionError(surprises.size() + " surprises, the first: ", surprises.peek());
        }
    }

    private void connectInTurn(AtomicInteger next, int count) {
        try {
            for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                attempt(Fate.good(number));
                if (number % BAD_ONE_IN == 0) {
                    attempt(Fate.bad(number / BAD_ONE_IN));
                }
            }
        } catch (Throwable thrown) {
            surprises.add(thrown);
        }
    }

    private void attempt(Fate fate) throws Exception {
        if (fate == Fate.CLIENT_GIVES_UP) {
            giveUp();
            return;
        }
        try (RcQueuePair pair = domain.createRc(options);
                Connector connector = manager.connector(fate == Fate.NOBODY_LISTENS ? NOBODY : listener.address())) {
            connector.resolve(PATIENCE).initialize(pair);
            try (Connection connection = connector.connect(fate.options(), PATIENCE)) {
                end(connection, fate);
            } catch (ConnectionException refused) {
                if (fate.isGood()) {
                    throw refused;
                }
            }
        }
    }

    private void giveUp() throws Exception {
        try (RcQueuePair pair = domain.createRc(options)) {
            CompletableFuture<Void> attempt;
            try (Connector connector = manager.connector(listener.address())) {
                connector.resolve(PATIENCE).initialize(pair);
                attempt = connector
                        .connectAsync(Fate.CLIENT_GIVES_UP.options(), PATIENCE)
                        .handle(Churn::close);
            }
            attempt.join(); // in vain, or just in time
        }
    }

    private static Void close(Connection made, Throwable failure) {
        if (made != null) {
            made.close();
        }
        return null;
    }

    private static void end(Connection connection, Fate fate) throws Exception {
        switch (fate) {
            case CLIENT_DISCONNECTS -> connection.disconnect(PATIENCE);
            case SERVER_CLOSES -> connection.disconnected().get(60, TimeUnit.SECONDS);
            case CLIENT_CLOSES -> {}
            default -> throw new AssertionError(fate + ", and yet " + connection);
        }
    }

    private void serve(ConnectionRequest request) throws Exception {
        serving.incrementAndGet();
        try {
            Fate fate = Fate.of(request);
            switch (fate) {
                case REJECTED -> request.reject(new byte[0]);
                case HANDLER_FAILS -> throw new CancellationException();
                case CLIENT_GIVES_UP -> acceptInVain(request);
                case CLIENT_CLOSES, CLIENT_DISCONNECTS -> acceptFor(request, fate);
                default -> accept(request, fate, PATIENCE);
            }
        } finally {
            serving.decrementAndGet();
        }
    }

    /** The client may be gone already, or go at any moment. */
    private void acceptInVain(ConnectionRequest request) throws Exception {
        try (request) {
            accept(request, Fate.CLIENT_GIVES_UP, SHORT);
        } catch (ConnectionException gaveUp) {
            // as it should
        }
    }

    /** The client's word that it is ready may be overtaken by that of its end. */
    private void acceptFor(ConnectionRequest request, Fate fate) throws Exception {
        try (request) {
            accept(request, fate, PATIENCE);
        } catch (ConnectionException ended) {
            if (ended.event().orElse(null) != ConnectionEventType.DISCONNECTED) {
                throw ended;
            }
        }
    }

    private void accept(ConnectionRequest request, Fate fate, Duration patience) throws Exception {
        try (RcQueuePair pair = domain.createRc(options)) {
            request.initialize(pair);
            try (Connection connection = request.accept(ConnectionOptions.defaults(), patience)) {
                if (fate != Fate.SERVER_CLOSES) {
                    connection.disconnected().get(60, TimeUnit.SECONDS);
                }
            }
        }
    }

    @Override
    public void close() {
        listener.close();
        handlers.close();
        manager.close();
    }
}
