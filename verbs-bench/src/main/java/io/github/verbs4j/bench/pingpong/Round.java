package io.github.verbs4j.bench.pingpong;

/**
 * One turn of each language, one right after the other.
 *
 * @param c round trips in C, nanoseconds
 * @param java round trips in Java, nanoseconds
 */
record Round(long[] c, long[] java) {}
