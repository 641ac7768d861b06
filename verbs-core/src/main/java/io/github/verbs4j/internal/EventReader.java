package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.CapturedErrno;

/** What takes the events of one descriptor, in the {@link EventThread}. */
public interface EventReader {
    /** {@return the descriptor, non-blocking} */
    int descriptor();

    /** {@return the C function that takes an event} */
    String operation();

    /**
     * Takes an event, acknowledges it, and tells those whom it concerns.
     *
     * @param errno receives errno
     * @return false if there was none, with errno
     */
    boolean take(CapturedErrno errno);

    /**
     * No more events come: wakes those who wait for them.
     *
     * @param failure why
     */
    void end(Throwable failure);
}
