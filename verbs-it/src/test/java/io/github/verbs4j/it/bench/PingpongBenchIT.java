package io.github.verbs4j.it.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.Bench;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java and its C twin play ping-pong on the device; how fast is not asked. */
class PingpongBenchIT {
    /** Two programs are started in C and two in Java, and one is compiled, on an emulated machine. */
    private static final int SECONDS = 300;

    private static final Pattern LINE = Pattern.compile(
            "pingpong transport=RC size=(\\d+) c_us=([0-9.]+) java_us=([0-9.]+) median_ratio=([0-9.]+) p99_ratio=([0-9.]+)");

    @TempDir
    private Path results;

    private static CompletableFuture<Shell.Result> start(String... arguments) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            StringWriter output = new StringWriter();
                            PrintWriter writer = new PrintWriter(output, true);
                            int status = Bench.commandLine()
                                    .setOut(writer)
                                    .setErr(writer)
                                    .execute(arguments);
                            return new Shell.Result(status, output.toString());
                        },
                        command -> Thread.ofPlatform().daemon().name("bench").start(command))
                .orTimeout(SECONDS, TimeUnit.SECONDS);
    }

    private static List<ProcessHandle> ends() {
        Predicate<ProcessHandle> isEnd = child ->
                commandLine(child).contains("verbs-bench") || commandLine(child).contains("PingpongEnd");
        return ProcessHandle.current().children().filter(isEnd).toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException _) {
            return "";
        }
    }

    @AfterEach
    void shouldLeaveNoProcess() {
        assertEquals(List.of(), ends());
    }

    @Test
    void shouldHoldJavaAgainstC() throws IOException {
        String device = Rdma.device().name();

        Shell.Result result = start(
                        "pingpong", "--quick", "--device", device, "--size", "64,4096", "--results", results.toString())
                .join();

        result.requireSuccess();
        assertTrue(result.output().startsWith("# device " + device), result.output());
        List<Matcher> lines = result.output()
                .lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .toList();
        assertEquals(
                List.of("64", "4096"), lines.stream().map(line -> line.group(1)).toList(), result.output());
        for (Matcher line : lines) {
            for (int value = 2; value <= line.groupCount(); value++) {
                assertTrue(Double.parseDouble(line.group(value)) > 0, line.group());
            }
        }
        assertTrue(Files.readString(results.resolve("pingpong.json")).contains("\"curve\""));
    }

    @Test
    void shouldEndAndTellWhenAnEndIsLost() {
        CompletableFuture<Shell.Result> running = start("pingpong", "--size", "64", "--rounds", "1000000");
        Watchdog.await("four ends", () -> ends().size() == 4 || running.isDone());

        ends().getFirst().destroyForcibly();

        Shell.Result result = running.join();
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("ended early, with status 137"), result.output());
    }
}
