package io.github.verbs4j.internal;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resources of a device context that asynchronous events may name, by their addresses.
 *
 * <p>Thread-safe.
 */
public final class EventSources {
    private final Map<Long, Object> byAddress = new ConcurrentHashMap<>();

    EventSources() {}

    /**
     * Adds a resource that was just made.
     *
     * @param handle its structure in C
     * @param resource what events shall name
     */
    public void add(MemorySegment handle, Object resource) {
        byAddress.put(handle.address(), resource);
    }

    /**
     * Forgets a resource that is gone; not before: it may still be named until then.
     *
     * @param handle its structure in C
     * @param resource as added; another one that got the same memory by now stays
     */
    public void remove(MemorySegment handle, Object resource) {
        byAddress.remove(handle.address(), resource);
    }

    /** Null if it was not made by this library. */
    Object find(long address) {
        return byAddress.get(address);
    }
}
