package io.github.verbs4j.it.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.Bench;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The costs of waiting are measured and told; how late anything is, is not asked. */
class WaitBenchIT {
    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldTellTheCostOfEachStrategy() {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        int status = Bench.commandLine()
                .setOut(writer)
                .setErr(writer)
                .execute(
                        "wait",
                        "--rounds=20",
                        "--seconds=1",
                        "--device=" + Rdma.device().name(),
                        "--port=" + Rdma.port());

        assertEquals(0, status, output::toString);
        Troubleshooting.line("C2").mustBeIn(output.toString());
        // the others of this process sleep meanwhile
        assertTrue(idle(output, "EVENT") < idle(output, "SPIN"), output::toString);
    }

    private static double idle(StringWriter output, String strategy) {
        Matcher line = Pattern.compile("strategy=" + strategy + " idle_processor=([0-9.]+)")
                .matcher(output.toString());
        assertTrue(line.find(), output::toString);
        return Double.parseDouble(line.group(1));
    }
}
