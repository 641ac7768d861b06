package io.github.verbs4j.tools;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** Resources made one after the other, closed in the reverse order, however far one got. */
final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** What is made of resources that it adds; if it cannot be finished, those that there are already are closed. */
    static <T> T whole(Function<Closing, T> making) {
        Closing closing = new Closing();
        T whole = null;
        try {
            whole = making.apply(closing);
            return whole;
        } finally {
            if (whole == null) {
                closing.close();
            }
        }
    }

    <T extends AutoCloseable> T add(T resource) {
        resources.push(resource);
        return resource;
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
