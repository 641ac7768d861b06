package io.github.verbs4j.bench.pingpong;

import java.util.List;

/**
 * How much is measured. In a round each language has one turn; the order within the rounds alternates.
 *
 * @param sizes of the messages, bytes
 * @param warmupTurns turns of each language before everything, of the first size, that do not count
 * @param warmupRounds rounds at the beginning of each size that do not count
 * @param rounds rounds of each size that count
 * @param iterations round trips in a turn that count
 * @param yielding whether an end that finds nothing lets others run, or else polls again at once
 */
record PingpongPlan(
        List<Integer> sizes, int warmupTurns, int warmupRounds, int rounds, int iterations, boolean yielding) {
    /** After so many round trips the compilers of the virtual machine have nothing left to do. */
    private static final int WARMUP = 20_000;

    static PingpongPlan of(List<Integer> sizes, int rounds, int iterations, boolean yielding) {
        return new PingpongPlan(sizes, Math.ceilDiv(WARMUP, iterations), 2, rounds, iterations, yielding);
    }

    /** Enough to see that it works. */
    static PingpongPlan quick(List<Integer> sizes, boolean yielding) {
        return new PingpongPlan(sizes, 1, 1, 2, 100, yielding);
    }

    /** Round trips at the beginning of a turn that do not count. */
    int leadIn() {
        return iterations / 10;
    }

    int longest() {
        return sizes.stream().max(Integer::compare).orElseThrow();
    }
}
