package io.github.verbs4j.internal;

import io.github.verbs4j.error.VerbsException;

/** Told of the asynchronous events of a device context, by its event thread: it must not wait. */
public interface AsyncListener {
    /**
     * An event was raised, and is acknowledged.
     *
     * @param code a number of {@code ibv_event_type}
     * @param source the resource that it names; null if it names none, or one that this library did not make
     * @param port the port that it names; 0 if it names none
     */
    void raised(int code, Object source, int port);

    /**
     * No more events come.
     *
     * @param reason what to tell those who wait
     */
    void ended(VerbsException reason);
}
