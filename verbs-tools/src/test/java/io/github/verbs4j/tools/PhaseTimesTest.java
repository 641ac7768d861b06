package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told of times. */
class PhaseTimesTest {
    /** Three connections at the same time: all took less than the sum. */
    private static final PhaseTimes TIMES =
            new PhaseTimes("connect", 6_000_000, new long[] {1_000_000, 5_000_000, 3_000_500});

    @Test
    void shouldTellAllAndEach() {
        assertEquals(List.of("connect", "6000.0", "3000.2", "1000.0", "5000.0", "500"), TIMES.cells());
    }

    @Test
    void shouldTellMicrosecondsInJson() {
        assertEquals(
                Map.of(
                        "phase", "connect",
                        "total", 6000.0,
                        "mean", 3000.167,
                        "min", 1000.0,
                        "max", 5000.0,
                        "connectionsPerSecond", 500L),
                TIMES.toJson());
    }
}
