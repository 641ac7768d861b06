package io.github.verbs4j.bench.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SizeResultTest {
    /** A hundred round trips, two of which take longer. */
    private static long[] turn(long usual, long slow) {
        long[] times = new long[100];
        Arrays.fill(times, usual);
        times[17] = slow;
        times[71] = slow;
        return times;
    }

    private static Round round(int javaPercent) {
        return new Round(turn(1000, 4000), turn(10L * javaPercent, 40L * javaPercent));
    }

    @Test
    void shouldPrintTheLine() {
        SizeResult result = new SizeResult(64, List.of(new Round(turn(50_000, 80_000), turn(51_000, 100_000))));

        assertEquals(
                "pingpong transport=RC size=64 c_us=50.0 java_us=51.0 median_ratio=1.020 p99_ratio=1.250",
                result.line());
    }

    @Test
    void shouldLetTheOtherRoundsOutvoteADisturbedOne() {
        SizeResult result = new SizeResult(64, List.of(round(102), round(900), round(104), round(10), round(103)));

        assertTrue(result.line().endsWith("median_ratio=1.030 p99_ratio=1.030"), result.line());
    }

    @Test
    void shouldTakeTheMiddleOfAnEvenNumberOfRounds() {
        SizeResult result = new SizeResult(64, List.of(round(900), round(110), round(130), round(10)));

        assertTrue(result.line().endsWith("median_ratio=1.200 p99_ratio=1.200"), result.line());
    }

    @Test
    void shouldTellWhetherTheBudgetIsKept() {
        assertFalse(new SizeResult(1024, List.of(round(105))).isOverBudget());
        assertTrue(new SizeResult(1024, List.of(round(106))).isOverBudget());
        assertFalse(new SizeResult(1023, List.of(round(110))).isOverBudget());
        assertTrue(new SizeResult(1023, List.of(round(111))).isOverBudget());
        assertTrue(new SizeResult(64, List.of(new Round(turn(1000, 4000), turn(1000, 5300)))).isOverBudget());
    }

    @Test
    void shouldKeepPercentilesAndTheCurve() {
        Map<String, Object> map = new SizeResult(4096, List.of(round(200), round(200))).toMap();

        assertEquals(4096, map.get("size"));
        Map<?, ?> java = (Map<?, ?>) map.get("java");
        assertEquals(200L, java.get("samples"));
        assertEquals(2.0, (double) java.get("p50_us"), 0.01);
        assertEquals(8.0, (double) java.get("max_us"), 0.01);
        List<?> curve = (List<?>) map.get("curve");
        assertEquals(3, ((List<?>) curve.getFirst()).size());
        assertEquals(100.0, ((List<?>) curve.getLast()).getFirst());
    }
}
