package io.github.verbs4j.tools;

import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Listener;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The end of an rping that waits for clients: for one, or for any number at the same time. */
final class RpingServer {
    private static final int BACKLOG = 16;
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final RpingOptions options;
    private final RpingOutput output;

    RpingServer(RpingOptions options, RpingOutput output) {
        this.options = options;
        this.output = output;
    }

    /** Serves one client, or clients until interrupted. */
    void run() {
        try (ConnectionManager manager = ConnectionManager.open()) {
            if (options.persistent()) {
                serveAll(manager);
            } else {
                ConnectionRequest request = first(manager);
                session(request).run(request);
            }
        } catch (InterruptedException _) {
            output.note("interrupted");
        }
    }

    /** Nobody listens any more once it is there: a second client is told so, and does not wait for the first to end. */
    private ConnectionRequest first(ConnectionManager manager) throws InterruptedException {
        try (Listener listener = listen(manager)) {
            Duration wait = options.clientWait();
            return listener.await(wait.isZero() ? FOR_EVER : wait)
                    .orElseThrow(() -> new CommandFailure("no client came to " + Text.address(listener.address())
                            + " for " + wait.toSeconds() + " s"));
        }
    }

    private void serveAll(ConnectionManager manager) throws InterruptedException {
        try (Listener listener = listen(manager);
                ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                while (true) {
                    listener.await(FOR_EVER).ifPresent(request -> sessions.execute(() -> serve(request)));
                }
            } finally {
                sessions.shutdownNow();
            }
        }
    }

    private Listener listen(ConnectionManager manager) {
        Listener listener = manager.listen(options.address(), BACKLOG);
        output.note("listening on " + Text.address(listener.address()) + " for "
                + (options.persistent() ? "clients" : "a client"));
        return listener;
    }

    /** What one client does wrong does not concern the others. */
    private void serve(ConnectionRequest request) {
        try {
            session(request).run(request);
        } catch (InterruptedException _) {
            // the server ends, which it says
        } catch (RuntimeException e) {
            output.note("client " + Text.address(request.destination()) + ": " + Failures.reason(e));
        }
    }

    private RpingSession session(ConnectionRequest request) {
        return new RpingSession(options, output, Text.address(request.destination()));
    }
}
