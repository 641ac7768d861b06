package io.github.verbs4j.bench.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MediansTest {
    @Test
    void shouldTakeTheMedianOfTheRatiosOfEachRound() {
        // a round is 100, 200, 400 to 100, 800, 800: medians 200 and 800, ratios 1, 4, 2
        Iterator<Long> c = List.of(1L, 100_000L, 200_000L, 400_000L).iterator();
        Iterator<Long> java = List.of(9L, 100_000L, 800_000L, 800_000L).iterator();

        Medians medians = Medians.measure(Map.of("case", "test"), 1, 3, c::next, java::next);
        assertEquals(
                "{case=test, c_us=200.0, java_us=800.0, ratio=2.00}",
                medians.toMap().toString());
    }

    @Test
    void shouldLetEachBeginInTurn() {
        List<String> log = new ArrayList<>();
        Medians.measure(Map.of(), 0, 4, () -> log.add("c") ? 1 : 0, () -> log.add("java") ? 1 : 0);
        assertEquals(List.of("c", "java", "java", "c", "c", "java", "java", "c"), log);
    }

    @Test
    void shouldPrintLargeNumbersPlainly() {
        assertEquals("35679798.1", Medians.rounded(35_679_798.1, 1).toPlainString());
        assertEquals(
                "2.5",
                Medians.rounded(Medians.median(new double[] {4, 1, 3, 2}), 1).toString());
    }
}
