package io.github.verbs4j.bench.report;

import java.util.List;

/**
 * What {@code verbs bench pingpong} found for one size of message.
 *
 * @param size of the messages, bytes
 * @param medianRatio Java to C
 * @param p99Ratio Java to C
 * @param c the round trips in C
 * @param java the round trips in Java
 * @param curve rows of a percentile and the microseconds in C and in Java
 */
record PingpongResult(
        int size, double medianRatio, double p99Ratio, Percentiles c, Percentiles java, List<double[]> curve) {
    /**
     * The round trips of one language, microseconds.
     *
     * @param samples how many there were
     * @param median half of them took no longer
     * @param p99 99 of 100 took no longer
     * @param max the longest
     */
    record Percentiles(int samples, double median, double p99, double p999, double max) {
        private static Percentiles of(Recorded recorded) {
            return new Percentiles(
                    recorded.whole("samples"),
                    recorded.number("p50_us"),
                    recorded.number("p99_us"),
                    recorded.number("p99.9_us"),
                    recorded.number("max_us"));
        }
    }

    static List<PingpongResult> all(Recorded recorded) {
        return recorded.objects("results").stream().map(PingpongResult::of).toList();
    }

    private static PingpongResult of(Recorded line) {
        return new PingpongResult(
                line.whole("size"),
                line.number("median_ratio"),
                line.number("p99_ratio"),
                Percentiles.of(line.object("c")),
                Percentiles.of(line.object("java")),
                line.rows("curve", 3));
    }

    /** {@return the rows of the curve that at least one round trip lies beyond} */
    List<double[]> supportedCurve() {
        double samples = Math.min(c.samples(), java.samples());
        return curve.stream()
                .filter(row -> row[0] < 100 && oneIn(row[0]) <= samples)
                .toList();
    }

    /** {@return one in how many round trips takes longer than the percentile} */
    static double oneIn(double percentile) {
        return 100 / (100 - percentile);
    }
}
