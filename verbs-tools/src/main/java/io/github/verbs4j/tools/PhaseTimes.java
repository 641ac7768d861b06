package io.github.verbs4j.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * How long a phase took, nanoseconds: of all connections together, of which many may be under way at the same time, and of each
 * one from its begin to its end.
 *
 * @param phase its name
 * @param total from the begin of the first to the end of the last
 * @param each of every connection
 */
record PhaseTimes(String phase, long total, long[] each) {
    static Table table() {
        return Table.of("phase", ">total us", ">mean us", ">min us", ">max us", ">connections/s");
    }

    List<String> cells() {
        LongSummaryStatistics times = statistics();
        return List.of(
                phase,
                micros(total),
                micros(times.getAverage()),
                micros(times.getMin()),
                micros(times.getMax()),
                String.format(Locale.ROOT, "%.0f", perSecond()));
    }

    /** {@code phase}, {@code total}, {@code mean}, {@code min}, {@code max}, {@code connectionsPerSecond}. */
    Map<String, Object> toJson() {
        LongSummaryStatistics times = statistics();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("phase", phase);
        json.put("total", total / 1e3);
        json.put("mean", Math.round(times.getAverage()) / 1e3);
        json.put("min", times.getMin() / 1e3);
        json.put("max", times.getMax() / 1e3);
        json.put("connectionsPerSecond", Math.round(perSecond()));
        return json;
    }

    private LongSummaryStatistics statistics() {
        return LongStream.of(each).summaryStatistics();
    }

    private double perSecond() {
        return each.length * 1e9 / Math.max(1, total);
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e3);
    }
}
