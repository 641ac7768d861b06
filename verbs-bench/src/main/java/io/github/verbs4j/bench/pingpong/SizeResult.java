package io.github.verbs4j.bench.pingpong;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What came out for one size of message.
 *
 * <p>A ratio is the median of the ratios of all rounds: a round is short, so what else the machine does meets both of its
 * turns alike, and a round in which it did not is outvoted. The times and percentiles are those of all round trips.
 */
final class SizeResult {
    /** What Java may take of the time of C on Soft-RoCE; why more for short messages is told in docs/adr/0013. */
    private static final double MEDIAN_BUDGET = 1.05;

    private static final double SHORT_MEDIAN_BUDGET = 1.10;
    private static final int SHORT = 1024;
    private static final double P99_BUDGET = 1.3;

    private static final double[] CURVE = {
        0, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 97.5, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 100
    };

    private final int size;
    private final Histogram c = new Histogram(3);
    private final Histogram java = new Histogram(3);
    private final double medianRatio;
    private final double p99Ratio;

    /**
     * Computes it.
     *
     * @param size of the messages, bytes
     * @param rounds at least one
     */
    SizeResult(int size, List<Round> rounds) {
        this.size = size;
        for (Round round : rounds) {
            Arrays.stream(round.c()).forEach(c::recordValue);
            Arrays.stream(round.java()).forEach(java::recordValue);
        }
        this.medianRatio = medianOf(rounds, round -> ratio(round, 50));
        this.p99Ratio = medianOf(rounds, round -> ratio(round, 99));
    }

    private static double ratio(Round round, double percentile) {
        return (double) at(round.java(), percentile) / at(round.c(), percentile);
    }

    private static long at(long[] times, double percentile) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(percentile / 100 * sorted.length) - 1)];
    }

    private static double medianOf(List<Round> rounds, ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    boolean isOverBudget() {
        return medianRatio > (size < SHORT ? SHORT_MEDIAN_BUDGET : MEDIAN_BUDGET) || p99Ratio > P99_BUDGET;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "pingpong transport=RC size=%d c_us=%.1f java_us=%.1f median_ratio=%.3f p99_ratio=%.3f",
                size,
                micros(c, 50),
                micros(java, 50),
                medianRatio,
                p99Ratio);
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("transport", "RC");
        map.put("size", size);
        map.put("c_us", micros(c, 50));
        map.put("java_us", micros(java, 50));
        map.put("median_ratio", medianRatio);
        map.put("p99_ratio", p99Ratio);
        map.put("c", percentiles(c));
        map.put("java", percentiles(java));
        map.put("curve", curve());
        return map;
    }

    private static Map<String, Object> percentiles(Histogram times) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("samples", times.getTotalCount());
        map.put("p50_us", micros(times, 50));
        map.put("p90_us", micros(times, 90));
        map.put("p99_us", micros(times, 99));
        map.put("p99.9_us", micros(times, 99.9));
        map.put("max_us", micros(times, 100));
        return map;
    }

    private List<List<Double>> curve() {
        List<List<Double>> points = new ArrayList<>();
        for (double percentile : CURVE) {
            points.add(List.of(percentile, micros(c, percentile), micros(java, percentile)));
        }
        return points;
    }

    private static double micros(Histogram times, double percentile) {
        return times.getValueAtPercentile(percentile) / 1000.0;
    }
}
