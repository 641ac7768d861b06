package io.github.verbs4j.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Times of iterations, recorded without allocation, told as percentiles in microseconds. */
final class Latencies {
    /** What {@link #cells} are, for a table. */
    static final List<String> HEADERS = List.of("min", "p50", "p99", "p99.9", "max");

    private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    /** Three digits, so that a percentile is true to 0.1 per cent. */
    private final Histogram histogram = new Histogram(LONGEST, 3);

    void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, LONGEST));
    }

    long count() {
        return histogram.getTotalCount();
    }

    double meanMicros() {
        return histogram.getMean() / 1000;
    }

    /** The percentiles as text, in the order of {@link #HEADERS}. */
    List<String> cells() {
        return List.of(micros(min()), micros(at(50)), micros(at(99)), micros(at(99.9)), micros(max()));
    }

    /** {@code unit}, {@code min}, {@code mean}, {@code p50}, {@code p99}, {@code p999}, {@code max}. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("unit", "us");
        json.put("min", min());
        json.put("mean", Math.round(meanMicros() * 1000) / 1000.0);
        json.put("p50", at(50));
        json.put("p99", at(99));
        json.put("p999", at(99.9));
        json.put("max", max());
        return json;
    }

    static String micros(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.1f", value);
    }

    private double min() {
        return count() == 0 ? 0 : histogram.getMinValue() / 1000.0;
    }

    private double at(double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1000.0;
    }

    private double max() {
        return histogram.getMaxValue() / 1000.0;
    }
}
