package io.github.verbs4j.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds();

    private void round(long c, long ffi, long core) {
        rounds.time(0, c, 10);
        rounds.time(1, ffi, 10);
        rounds.time(2, core, 10);
        rounds.end(3);
    }

    @Test
    void shouldTakeTheMedianOfTheRatiosWithinARound() {
        round(100, 110, 150);
        round(1000, 1100, 1400); // all three slow: the ratios hold
        round(100, 100, 9000); // one disturbed
        assertEquals(10, rounds.median(0));
        assertEquals(140, rounds.median(2));
        assertEquals(1.1, rounds.medianRatio(1), 1e-9);
        assertEquals(1.5, rounds.medianRatio(2), 1e-9);
        assertEquals(0.1, rounds.bytesPerRequest(), 1e-9);
    }

    @Test
    void shouldForgetTheIterationBefore() {
        round(100, 100, 100);
        rounds.clear();
        assertEquals(0, rounds.median(0));
        assertEquals(0, rounds.bytesPerRequest());
        round(200, 300, 400);
        assertEquals(2, rounds.medianRatio(2));
    }

    @Test
    void shouldTakeTheMiddleOfAnEvenNumber() {
        assertEquals(2.5, Rounds.median(new double[] {4, 1, 3, 2}));
    }
}
