package io.github.verbs4j.bench.start;

/** The steps that are compared, in one language; each tells how many nanoseconds it took. */
interface Steps extends AutoCloseable {
    /** From the list of devices to a queue pair in RTS, connected to itself. */
    long connect();

    /** A queue pair, created and destroyed. */
    long pair();

    /** Memory, mapped and registered. */
    long register(long bytes);

    @Override
    void close();
}
