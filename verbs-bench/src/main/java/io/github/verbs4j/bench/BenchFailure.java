package io.github.verbs4j.bench;

/** A measurement cannot be made; the message is the one line that tells why and what to do. */
public final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param reason why, and what to do
     */
    public BenchFailure(String reason) {
        super(reason);
    }

    /**
     * Makes one.
     *
     * @param reason why, and what to do
     * @param cause where it comes from
     */
    public BenchFailure(String reason, Throwable cause) {
        super(reason, cause);
    }
}
