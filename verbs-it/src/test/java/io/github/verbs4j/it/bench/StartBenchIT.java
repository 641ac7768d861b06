package io.github.verbs4j.it.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.bench.Bench;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The comparison of starts runs, once round; how long anything takes is not asked. */
class StartBenchIT {
    private static final String TIMES = " c_us=# java_us=# ratio=#";

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldTellALineForEachCase() {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        int status = Bench.commandLine()
                .setOut(writer)
                .setErr(writer)
                .execute(
                        "start",
                        "--rounds=1",
                        "--processes=1",
                        "--largest=65536",
                        "--pairs=1,16",
                        "--device=" + Rdma.device().name(),
                        "--port=" + Rdma.port());
        assertEquals(0, status, output::toString);
        assertEquals(
                List.of(
                        "start case=first_completion" + TIMES,
                        "start case=open_to_rts" + TIMES,
                        "start case=queue_pair" + TIMES,
                        "start case=register size=4096" + TIMES,
                        "start case=register size=65536" + TIMES,
                        "start case=register size=1048576 skipped=--largest",
                        "start case=register size=16777216 skipped=--largest",
                        "start case=register size=268435456 skipped=--largest",
                        "start case=register size=1073741824 skipped=--largest",
                        "start case=shared_queue pairs=1 java_us=# to_first=1.00",
                        "start case=shared_queue pairs=16 java_us=# to_first=#"),
                output.toString()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.replaceAll("(_us|ratio)=[0-9.]+", "$1=#"))
                        .map(line -> line.replaceAll("(pairs=\\d{2,} .* to_first)=[0-9.]+", "$1=#"))
                        .toList());
    }
}
