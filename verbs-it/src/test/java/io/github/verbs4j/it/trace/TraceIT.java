package io.github.verbs4j.it.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.tools.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A program that ran with a recording, looked at afterwards; and what it did not close. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TraceIT {
    private String recording;
    private String said;
    private String trace;

    @BeforeAll
    void runWithRecording(@TempDir Path directory) {
        recording = directory.resolve("run.jfr").toString();
        Shell.Result run = ChildJvm.runHere(
                List.of(
                        "-XX:StartFlightRecording:settings=none,filename=" + recording,
                        "-Dio.github.verbs4j.leaks=true"),
                Traced.class);
        said = run.requireSuccess();
        trace = trace();
        System.out.println(trace);
    }

    private String trace(String... options) {
        String[] line = new String[options.length + 2];
        line[0] = "trace";
        System.arraycopy(options, 0, line, 1, options.length);
        line[line.length - 1] = recording;
        return Tool.run(line).requireSuccess();
    }

    @Test
    void shouldTellEachCallWithObjectResultAndDuration() {
        Troubleshooting.line("B9").mustBeIn(trace);
    }

    @Test
    void shouldTellHowLongTheRegistrationOfALargeRegionTook() {
        Troubleshooting.line("B4").mustBeIn(trace);
        assertTrue(trace.contains("length=" + Traced.LARGE), trace);
    }

    @Test
    void shouldTellThatNobodyListens() {
        String failed = trace("--failed");
        assertTrue(failed.contains("ROUTE_RESOLVED -> FAILED, by rdma_connect to 10.9.0.1:7999"), failed);
        assertTrue(failed.contains("event REJECTED, status 8"), failed);
        assertFalse(failed.contains("ibv_alloc_pd"), failed);
    }

    @Test
    void shouldSumUp() {
        String summary = trace("--summary");
        assertTrue(summary.lines().anyMatch(line -> line.matches("ibv_create_qp +2 +1 +[\\d.]+ +[\\d.]+")), summary);
        assertTrue(summary.lines().anyMatch(line -> line.matches("ibv_reg_mr +1 +0 +[\\d.]+ +[\\d.]+")), summary);
    }

    @Test
    void shouldTellWhatWasNeverClosedAndWhereItWasMade() {
        List<String> report =
                said.lines().dropWhile(line -> !line.startsWith("Verbs4J: ")).toList();
        assertEquals("Verbs4J: 1 resource was never closed:", report.getFirst(), said);
        assertTrue(report.get(1).startsWith("DeviceContext of "), said);
        assertTrue(said.contains("Traced.forget(Traced.java:"), said);
    }
}
