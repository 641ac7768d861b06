package io.github.verbs4j.bench.overhead;

/** A way to do the work: C, the raw bindings, or the library. */
interface Way {
    /** Bytes of a write or send. */
    int BYTES = 32;

    /** Room of a receive, bytes. */
    int ROOM = 64;

    /** Completions taken in one poll. */
    int POLL_CAPACITY = 64;

    /** Requests that a queue holds. */
    int DEPTH = 128;

    /**
     * Does the work, request after request with ids from 0.
     *
     * @param work what
     * @param batch requests in one post
     * @param batches how many times
     * @return the sum of the ids of all completions
     */
    long run(Work work, int batch, int batches);

    /** Where in the memory a request's bytes are: not always the same, as in life. */
    static long offset(long id) {
        return (id & 63) * 64;
    }
}
