package io.github.verbs4j.internal;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.Descriptors;

/** What takes the events of one descriptor, in the {@link EventThread}. */
public interface EventReader {
    /** {@return the descriptor} */
    int descriptor();

    /**
     * Makes the descriptor non-blocking.
     *
     * @param device name of the device, null if there is none
     * @throws VerbsException if the kernel refuses
     */
    default void unblock(String device) {
        int descriptor = descriptor();
        Call.on(
                        "the descriptor of " + operation(),
                        () -> VerbsException.of("fcntl").device(device).argument("fd", descriptor))
                .notNegative(errno -> Descriptors.setNonBlocking(errno, descriptor));
    }

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
