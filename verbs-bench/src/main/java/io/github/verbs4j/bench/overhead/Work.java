package io.github.verbs4j.bench.overhead;

/** What is done over and over: a batch is posted, and what has completed is polled. */
public enum Work {
    /** RDMA writes of 32 bytes; the last of a batch is signalled. */
    WRITE("write"),
    /** RDMA writes of 32 bytes, all signalled. */
    WRITE_SIGNALED("write-signaled"),
    /** Sends of 32 bytes of inline data; the last of a batch is signalled. */
    INLINE("inline"),
    /** Receives, all of which complete. */
    REFILL("refill"),
    /** A poll that finds nothing; no batch. */
    EMPTY_POLL("empty-poll");

    private final String label;

    Work(String label) {
        this.label = label;
    }

    /** {@return its name on the command line and in results} */
    @Override
    public String toString() {
        return label;
    }
}
