package io.github.verbs4j.bench.pingpong;

import java.util.List;

/**
 * How much is measured. In a round each language has one turn; the order within the rounds alternates.
 *
 * @param sizes of the messages, bytes
 * @param warmupBlocks how often at most Java plays as many round trips as {@code warmupBlock} before everything
 * @param warmupBlock round trips after which its compilers are looked at
 * @param warmupRounds rounds at the beginning of each size that do not count
 * @param rounds rounds of each size that count
 * @param iterations round trips in a turn that count
 * @param yielding whether an end that finds nothing lets others run, or else polls again at once
 */
record PingpongPlan(
        List<Integer> sizes,
        int warmupBlocks,
        int warmupBlock,
        int warmupRounds,
        int rounds,
        int iterations,
        boolean yielding) {
    static PingpongPlan of(List<Integer> sizes, int rounds, int iterations, boolean yielding) {
        return new PingpongPlan(sizes, 40, 10_000, 2, rounds, iterations, yielding);
    }

    /** Enough to see that it works. */
    static PingpongPlan quick(List<Integer> sizes, boolean yielding) {
        return new PingpongPlan(sizes, 1, 100, 1, 2, 100, yielding);
    }

    /** Whether Java is hardly warmed up, so that nothing follows from the figures. */
    boolean isQuick() {
        return warmupBlocks == 1;
    }

    /** Round trips at the beginning of a turn that do not count. */
    int leadIn() {
        return iterations / 10;
    }

    int longest() {
        return sizes.stream().max(Integer::compare).orElseThrow();
    }
}
