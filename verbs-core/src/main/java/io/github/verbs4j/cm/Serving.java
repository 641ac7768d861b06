package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Hands the requests of a listener to a handler, each as a task of an executor. Both are code of users, and may do anything: each
 * request is decided upon in the end, and the next one is served.
 *
 * <p>Thread-safe.
 */
final class Serving<R extends Request> {
    private static final Duration ETERNITY = Duration.ofNanos(Long.MAX_VALUE);

    private final RequestListener<R> listener;
    private final Executor executor;
    private final RequestHandler<? super R> handler;
    /** Those that the executor was given, and did not begin with yet; and those that could not be closed. */
    private final Set<R> given = new HashSet<>();

    private boolean ended;

    Serving(RequestListener<R> listener, Executor executor, RequestHandler<? super R> handler) {
        this.listener = listener;
        this.executor = executor;
        this.handler = handler;
    }

    /**
     * Goes on until the listener is closed. In a thread of its own: an executor may be slow, and may run a task in the thread that
     * gives it one.
     */
    void run() {
        while (true) {
            R request;
            try {
                request = listener.await(ETERNITY).orElseThrow();
            } catch (InterruptedException byHandler) {
                continue; // that ran in this thread, which nobody else knows
            } catch (Throwable failed) {
                if (listener.isClosed()) {
                    return;
                }
                tell(failed);
                if (!listener.isListening()) {
                    return; // its device is gone
                }
                continue;
            }
            handOut(request);
        }
    }

    private void handOut(R request) {
        if (!give(request)) {
            close(request);
            return;
        }
        try {
            executor.execute(() -> begin(request));
        } catch (Throwable failed) {
            if (take(request)) {
                close(request);
            }
            tell(failed);
        }
    }

    private void begin(R request) {
        if (!take(request)) {
            return; // it was rejected meanwhile
        }
        try {
            handler.handle(request);
            requireDecision(request);
        } catch (Throwable thrown) {
            close(request);
            tell(thrown);
        }
    }

    private void requireDecision(R request) {
        CompletableFuture<?> deciding = request.deciding();
        if (request.isSettled()) {
            return;
        }
        if (deciding == null) {
            throw new IllegalStateException(
                    request + " was rejected: its handler returned, and had neither accepted nor"
                            + " rejected it; call defer() before, and it stays open for who decides later");
        }
        deciding.whenComplete((decided, thrown) -> close(request));
    }

    private synchronized boolean give(R request) {
        return !ended && given.add(request);
    }

    private synchronized boolean take(R request) {
        return !ended && given.remove(request);
    }

    /**
     * Rejects what no task began with: an executor may have dropped it.
     *
     * @throws VerbsException if C refuses; then it goes on there when it is called again
     */
    void end() {
        synchronized (this) {
            ended = true;
        }
        while (!given.isEmpty()) {
            R request = given.iterator().next();
            request.close();
            given.remove(request);
        }
    }

    private void close(R request) {
        try {
            request.close();
        } catch (VerbsException refused) {
            tell(refused);
            give(request); // closing the listener tries once more
        }
    }

    /** Nobody waits for this thread. */
    private static void tell(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ignored) {
            // as Java ignores what this handler throws
        }
    }
}
