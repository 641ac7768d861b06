package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.bench.report.PingpongResult.Percentiles;
import java.util.List;
import org.junit.jupiter.api.Test;

class PingpongResultTest {
    private static final List<double[]> CURVE = List.of(
            new double[] {50, 1, 2}, new double[] {99, 1, 2}, new double[] {99.9, 1, 2}, new double[] {100, 1, 2});

    private static List<Double> supported(int samples) {
        Percentiles few = new Percentiles(samples, 1, 1, 1, 1);
        Percentiles many = new Percentiles(1_000_000, 1, 1, 1, 1);
        return new PingpongResult(64, 1, 1, many, few, CURVE)
                .supportedCurve().stream().map(row -> row[0]).toList();
    }

    @Test
    void shouldDrawNoPercentileThatTooFewRoundTripsWereMadeFor() {
        assertEquals(List.of(50.0, 99.0), supported(200));
    }

    @Test
    void shouldNotDrawTheLongestWhichIsNowhereOnTheAxis() {
        assertEquals(List.of(50.0, 99.0, 99.9), supported(15_000));
    }
}
