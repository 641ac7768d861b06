package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void percentilesOfAThousand() {
        Latencies latencies = new Latencies();
        for (int i = 1; i <= 1000; i++) {
            latencies.record(i * 1000L);
        }
        assertEquals(1000, latencies.count());
        Map<String, Object> json = latencies.toJson();
        assertEquals(List.of("unit", "min", "mean", "p50", "p99", "p999", "max"), List.copyOf(json.keySet()));
        assertEquals(1, (double) json.get("min"), 0.01);
        assertEquals(500, (double) json.get("p50"), 1);
        assertEquals(500.5, (double) json.get("mean"), 1);
        assertEquals(990, (double) json.get("p99"), 1.5);
        assertEquals(999, (double) json.get("p999"), 1.5);
        assertEquals(1000, (double) json.get("max"), 1.5);
        assertEquals(Latencies.HEADERS.size(), latencies.cells().size());
    }

    @Test
    void noneAndTheUnthinkableAreNoFailure() {
        assertEquals(List.of("0.00", "0.00", "0.00", "0.00", "0.00"), new Latencies().cells());
        Latencies latencies = new Latencies();
        latencies.record(-5);
        latencies.record(Long.MAX_VALUE);
        assertEquals(2, latencies.count());
    }

    @Test
    void digitsAreEnoughAndNoMore() {
        assertEquals("1.23", Latencies.micros(1.234));
        assertEquals("1234.5", Latencies.micros(1234.51));
    }
}
