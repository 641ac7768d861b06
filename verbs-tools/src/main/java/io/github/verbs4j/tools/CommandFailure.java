package io.github.verbs4j.tools;

/** A command cannot do what it was asked for; the message is the one line that tells why. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailure(String reason) {
        super(reason);
    }

    CommandFailure(String reason, Throwable cause) {
        super(reason, cause);
    }
}
