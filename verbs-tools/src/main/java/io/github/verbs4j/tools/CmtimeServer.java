package io.github.verbs4j.tools;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Listener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections, and lets each be until its client disconnects; a virtual thread for each. */
final class CmtimeServer {
    private static final int BACKLOG = 1024;
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final CmtimeOptions options;
    private final PrintWriter err;
    private final Map<String, CmtimeDevice> devices = new HashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();

    CmtimeServer(CmtimeOptions options, PrintWriter err) {
        this.options = options;
        this.err = err;
    }

    /** As many connections as asked, or until interrupted. */
    void run() {
        try (ConnectionManager manager = ConnectionManager.open();
                Closing closing = new Closing();
                Listener listener = manager.listen(options.address(), BACKLOG)) {
            note("listening on " + Text.address(listener.address()));
            serve(listener, closing);
        } catch (InterruptedException _) {
            note("interrupted; " + served + " connections served");
        }
    }

    private void serve(Listener listener, Closing closing) throws InterruptedException {
        try (ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; options.connections() == 0 || i < options.connections(); i++) {
                    ConnectionRequest request = listener.await(FOR_EVER).orElseThrow();
                    CmtimeDevice device =
                            devices.computeIfAbsent(request.device(), name -> closing.add(CmtimeDevice.open(name)));
                    open.incrementAndGet();
                    sessions.execute(() -> serve(request, device));
                }
            } catch (InterruptedException | RuntimeException e) {
                sessions.shutdownNow();
                throw e;
            }
        }
    }

    private void serve(ConnectionRequest request, CmtimeDevice device) {
        try (request;
                RcQueuePair queuePair = device.createQueuePair()) {
            request.initialize(queuePair);
            try (Connection connection = request.accept(ConnectionOptions.defaults(), options.patience())) {
                served.incrementAndGet();
                connection.disconnected().get();
            }
        } catch (InterruptedException | ExecutionException _) {
            // the server ends, or has lost its events, which the next request tells
        } catch (RuntimeException e) {
            note("client " + Text.address(request.destination()) + ": " + Failures.reason(e));
        }
        if (open.decrementAndGet() == 0) {
            note(served + " connections served");
        }
    }

    private void note(String line) {
        err.println(line);
        err.flush();
    }
}
