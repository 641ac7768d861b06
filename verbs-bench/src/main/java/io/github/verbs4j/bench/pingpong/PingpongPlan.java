package io.github.verbs4j.bench.pingpong;

import java.util.List;

/**
 * How much is measured. In a round each language has one turn; the order within the rounds alternates.
 *
 * @param sizes of the messages, bytes
 * @param warmupTurns turns of Java before everything, of the first size
 * @param warmupTurn round trips in each of these
 * @param warmupRounds rounds at the beginning of each size that do not count
 * @param rounds rounds of each size that count
 * @param iterations round trips in a turn that count
 * @param yielding whether an end that finds nothing lets others run, or else polls again at once
 */
record PingpongPlan(
        List<Integer> sizes,
        int warmupTurns,
        int warmupTurn,
        int warmupRounds,
        int rounds,
        int iterations,
        boolean yielding) {
    static PingpongPlan of(List<Integer> sizes, int rounds, int iterations, boolean yielding) {
        // the last step to faster code was seen after some 60,000
        return new PingpongPlan(sizes, 50, 2_000, 2, rounds, iterations, yielding);
    }

    /** Enough to see that it works. */
    static PingpongPlan quick(List<Integer> sizes, boolean yielding) {
        return new PingpongPlan(sizes, 1, 100, 1, 2, 100, yielding);
    }

    /** Whether Java is hardly warmed up, so that nothing follows from the figures. */
    boolean isQuick() {
        return warmupTurns == 1;
    }

    /** Round trips of Java before everything. */
    int warmupRoundTrips() {
        return warmupTurns * warmupTurn;
    }

    /** Round trips at the beginning of a turn that do not count. */
    int leadIn() {
        return Math.max(20, iterations / 10);
    }

    int longest() {
        return sizes.stream().max(Integer::compare).orElseThrow();
    }
}
