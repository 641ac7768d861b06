package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings as people read them; TraceIT reads one of a real program. */
class TraceTest {
    @TempDir
    private Path directory;

    @Name("io.github.verbs4j.Call")
    static final class Call extends Event {
        String operation;
        String object;
        String arguments;
        String result;
        int errno;
        String error;

        static void tell(String operation, String object, String arguments, String result, String error) {
            Call call = new Call();
            call.begin();
            call.operation = operation;
            call.object = object;
            call.arguments = arguments;
            call.result = result;
            call.error = error;
            call.commit();
        }
    }

    @Name("io.github.verbs4j.QueuePairState")
    static final class State extends Event {
        String queuePair = "RcQueuePair 17 of rxe0";
        String from = "RTS";
        String to = "ERR";
        String cause = "a failed completion";
    }

    @Name("io.github.verbs4j.OpenResources")
    static final class Open extends Event {
        String kind = "DeviceContext";
        long open = 1;
    }

    private String recording(Runnable program) throws IOException {
        Path file = directory.resolve("run.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            program.run();
            recording.stop();
            recording.dump(file);
        }
        return file.toString();
    }

    private String program() throws IOException {
        return recording(() -> {
            Call.tell("ibv_alloc_pd", "DeviceContext of rxe0", "", "ProtectionDomain 1 of rxe0", null);
            Call.tell(
                    "ibv_reg_mr",
                    "ProtectionDomain 1 of rxe0",
                    "length=64",
                    "NULL",
                    "ENOMEM (12, Cannot allocate memory)");
            Call.tell(
                    "ibv_reg_mr", "ProtectionDomain 1 of rxe0", "length=32", "MemoryRegion 1 (32 bytes) of rxe0", null);
            new State().commit();
            new Open().commit();
        });
    }

    /** Without what is another each time: the time of day, and how long it took. */
    private static List<String> lines(Run run) {
        assertEquals(0, run.status(), run.err());
        return run.out()
                .lines()
                .peek(line -> assertTrue(line.matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{6}  .*"), line))
                .map(line -> line.substring(line.indexOf("  ") + 2).replaceAll("<\\d+\\.\\d{3} ms>", "<T>"))
                .toList();
    }

    @Test
    void shouldTellEachCall() throws IOException {
        String thread = Thread.currentThread().getName();
        assertEquals(
                List.of(
                        thread + "  ibv_alloc_pd(DeviceContext of rxe0) = ProtectionDomain 1 of rxe0 <T>",
                        thread
                                + "  ibv_reg_mr(ProtectionDomain 1 of rxe0, length=64) = NULL: ENOMEM (12, Cannot allocate"
                                + " memory) <T>",
                        thread
                                + "  ibv_reg_mr(ProtectionDomain 1 of rxe0, length=32) = MemoryRegion 1 (32 bytes) of rxe0"
                                + " <T>",
                        thread + "    RcQueuePair 17 of rxe0: RTS -> ERR, by a failed completion"),
                lines(Run.of("trace", program())));
    }

    @Test
    void shouldTellOnlyWhatFailed() throws IOException {
        List<String> failed = lines(Run.of("trace", "--failed", program()));

        assertEquals(2, failed.size(), failed::toString);
        assertTrue(failed.getFirst().contains("ENOMEM"), failed::toString);
        assertTrue(failed.getLast().contains("RTS -> ERR"), failed::toString);
    }

    @Test
    void shouldSumUp() throws IOException {
        Run run = Run.of("trace", "--summary", program());

        List<String> rows = run.out()
                .lines()
                .map(line -> line.replaceAll("\\d+\\.\\d{3}", "T").replaceAll(" +", " "))
                .toList();
        assertEquals("call calls errors total ms max ms", rows.getFirst());
        assertTrue(rows.contains("ibv_reg_mr 2 1 T T"), run.out());
        assertTrue(rows.contains("ibv_alloc_pd 1 0 T T"), run.out());
        assertEquals("total 3 1 T T", rows.getLast());
    }

    @Test
    void shouldSayWhatCannotBeRead() throws IOException {
        Path absent = directory.resolve("absent.jfr");
        assertEquals("verbs trace: '" + absent + "': there is no such file", failure(absent.toString()));
        assertEquals("verbs trace: '" + directory + "' is not a file", failure(directory.toString()));
        assertEquals("verbs trace: '' is not a file", failure(""));

        Path text = Files.writeString(
                directory.resolve("text.jfr"), "no recording, and long enough to be looked at as one");
        String refusal = failure(text.toString());
        assertTrue(refusal.startsWith("verbs trace: '" + text + "' is not a recording of Flight Recorder: "), refusal);

        String other = recording(() -> {});
        assertEquals(
                "verbs trace: '" + other
                        + "' has no events of Verbs4J: the program did not use it meanwhile, or the settings"
                        + " of the recording left them out",
                failure(other));
    }

    private static String failure(String file) {
        Run run = Run.of("trace", file);
        assertEquals(1, run.status());
        assertEquals("", run.out());
        return run.reason();
    }
}
