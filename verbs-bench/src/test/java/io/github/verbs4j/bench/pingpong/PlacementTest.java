package io.github.verbs4j.bench.pingpong;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
    @Test
    void shouldReadTheKernelsListOfProcessors() {
        assertEquals(List.of(0), Placement.numbers("\t0"));
        assertEquals(List.of(0, 1, 2, 5, 8, 9), Placement.numbers("\t0-2,5,8-9\n"));
    }

    @Test
    void shouldPlaceAThread() throws IOException {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try {
            int processor = Placement.onFirst(false).client();

            new Placement(processor, processor, 7).placeServer(Long.toString(process.pid()));

            Path directory = Path.of("/proc", Long.toString(process.pid()));
            assertTrue(
                    Files.readString(directory.resolve("status")).contains("Cpus_allowed_list:\t" + processor + "\n"));
            // the niceness is field 19 of the line
            assertEquals("7", Files.readString(directory.resolve("stat")).split(" ")[18]);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldSayWhyAThreadCannotBePlaced() throws IOException {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try {
            Placement nowhere = new Placement(1_000_000, 1_000_000, 0);
            String thread = Long.toString(process.pid());

            BenchFailure failure = assertThrows(BenchFailure.class, () -> nowhere.placeClient(thread));

            assertTrue(failure.getMessage().contains("taskset"), failure.getMessage());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldLeaveItToOthersToTellThatAThreadIsGone() {
        assertDoesNotThrow(() -> new Placement(0, 0, 0).placeClient("nonsense"));
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
