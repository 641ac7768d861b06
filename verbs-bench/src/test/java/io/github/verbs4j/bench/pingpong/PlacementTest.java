package io.github.verbs4j.bench.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.BenchFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
    @Test
    void shouldReadTheKernelsListOfProcessors() {
        assertEquals(List.of(0), Placement.numbers("\t0"));
        assertEquals(List.of(0, 1, 2, 5, 8, 9), Placement.numbers("\t0-2,5,8-9\n"));
    }

    @Test
    void shouldBindEachEndToItsProcessor() {
        Placement placement = new Placement(3, 5, 0);

        assertEquals(
                List.of("taskset", "-c", "3", "nice", "-n", "0", "true"), placement.serverCommand(List.of("true")));
        assertEquals(
                List.of("taskset", "-c", "5", "nice", "-n", "0", "true"), placement.clientCommand(List.of("true")));
    }

    @Test
    void shouldStandBackBehindTheKernelOnASoftwareDevice() {
        assertEquals(19, Placement.onFirst(true).niceness());
        assertEquals(0, Placement.onFirst(false).niceness());
    }

    @Test
    void shouldRefuseProcessorsThatItMayNotUse() {
        BenchFailure failure = assertThrows(BenchFailure.class, () -> Placement.on(List.of(0, 1_000_000), false));

        assertTrue(failure.getMessage().contains("--cpus"), failure.getMessage());
        assertThrows(BenchFailure.class, () -> Placement.on(List.of(0), false));
    }
}
