package io.github.verbs4j.it.rdma;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what was added last first. */
public final class Resources implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /**
     * {@return the resource, which closes with this}
     *
     * @param resource to close, which the test may do earlier
     */
    public <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                RuntimeException next = new IllegalStateException("a resource does not close", e);
                if (failure == null) {
                    failure = next;
                } else {
                    failure.addSuppressed(next);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
