package io.github.verbs4j.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LineTest {
    private static Line line(Work work, int batch, double ffiRatio, double coreRatio, double bytes) {
        return new Line(new Case(work, batch, 1), 10, 10 * ffiRatio, 10 * coreRatio, ffiRatio, coreRatio, bytes);
    }

    @Test
    void shouldTellWhichFiguresAreOverBudget() {
        assertEquals(List.of(), line(Work.WRITE, 1, 1.6, 2.2, 0.009).excess());
        assertEquals(
                List.of("core_ratio > 2.20"), line(Work.WRITE, 1, 1.6, 2.21, 0).excess());
        assertEquals(
                List.of("core_ratio > 1.60"), line(Work.WRITE, 4, 9, 1.61, 0).excess());
        assertEquals(
                List.of("core_ratio > 1.40", "ffi_ratio > 1.25", "bytes_per_op > 0.01"),
                line(Work.WRITE, 16, 1.26, 1.41, 0.02).excess());
        assertEquals(
                List.of("core_ratio > 3.00"),
                line(Work.EMPTY_POLL, 1, 9, 3.1, 0).excess());
        assertFalse(line(Work.INLINE, 16, 9, 9, 0).isOverBudget());
        assertTrue(line(Work.INLINE, 16, 1, 1, 16).isOverBudget());
    }

    @Test
    void shouldPrintNamesAndValues() {
        assertEquals(
                "overhead case=write-signaled batch=4 c_ns=10.00 ffi_ns=11.00 core_ns=15.00 ffi_ratio=1.10"
                        + " core_ratio=1.50 bytes_per_op=0.0001",
                line(Work.WRITE_SIGNALED, 4, 1.1, 1.5, 0.0001).toString());
        assertTrue(new Line(new Case(Work.WRITE, 1, 16), 1, 1, 1, 1, 1, 0)
                .toString()
                .startsWith("overhead case=write batch=1 queue_pairs=16 c_ns="));
    }
}
