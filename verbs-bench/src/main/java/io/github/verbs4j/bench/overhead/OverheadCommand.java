package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.bench.BenchFailure;
import io.github.verbs4j.bench.Environment;
import io.github.verbs4j.bench.Results;
import io.github.verbs4j.bench.build.CProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbs bench overhead}: what the library adds to a provider that does nothing, as a multiple of what C adds. */
@Command(
        name = "overhead",
        header = "What posting and polling cost beside C, on a provider that does nothing.",
        description = {
            "",
            "Each line is one JVM. In it C, the raw bindings (ffi) and the library (core) take turns of about a millisecond,"
                    + " on one core; every ratio is the median over the rounds of a ratio within one round. One operation is"
                    + " one request, posted and, if signalled, polled. All checks of the library are on; C fills the same"
                    + " fields and keeps the same books.",
            "",
            "Both calls are linked critically, as on hardware providers that post and poll in user space.",
        })
public final class OverheadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object instead of lines.")
    private boolean json;

    @Option(names = "--check", description = "Exit with 1 if a line is over its budget.")
    private boolean check;

    @Option(
            names = "--only",
            paramLabel = "CASE",
            split = ",",
            description = "Only these cases: write, write-signaled, inline, refill, empty-poll.")
    private List<String> only = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "How long each line is measured, seconds, after a warm-up of at most 3 (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--critical",
            paramLabel = "CALLS",
            defaultValue = "post,poll",
            description = "Which calls the library links critically: none, post, poll, or post,poll (the default).")
    private String critical;

    @ArgGroup(exclusive = false)
    private Results results = new Results();

    /** Parsed by picocli. */
    public OverheadCommand() {}

    @Override
    public Integer call() {
        List<Case> cases = Case.all().stream()
                .filter(line -> only.isEmpty() || only.contains(line.work().label()))
                .toList();
        if (cases.isEmpty()) {
            throw new BenchFailure("--only " + only + " names no case; see --help");
        }
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Object> environment = Environment.describe();
        if (!json) {
            environment.forEach((name, value) -> out.println("# " + name + ": " + value));
            out.flush();
        }
        List<Line> lines = measure(cases, out);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("environment", environment);
        all.put("lines", lines.stream().map(Line::toJson).toList());
        results.keep("overhead", all);
        if (json) {
            out.println(Results.json(all));
        }
        out.flush();
        return check && lines.stream().anyMatch(line -> !line.excess().isEmpty()) ? 1 : 0;
    }

    private List<Line> measure(List<Case> cases, PrintWriter out) {
        try {
            Path directory = Files.createTempDirectory("verbs4j-overhead");
            try {
                Path provider = CProgram.library(
                        directory, "libibverbs.so.1", List.of("-Wl,-soname,libibverbs.so.1"), "null_provider.c");
                Path loop = CProgram.library(directory, "overhead.so", List.of(), "overhead.c");
                List<Line> lines = new ArrayList<>();
                for (Case one : cases) {
                    Line line = run(one, provider, loop);
                    lines.add(line);
                    if (!json) {
                        out.println(line);
                        out.flush();
                    }
                }
                return lines;
            } finally {
                CProgram.delete(directory);
            }
        } catch (IOException e) {
            throw new BenchFailure("no temporary directory can be made: " + e, e);
        }
    }

    private Line run(Case one, Path provider, Path loop) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(OverheadBenchmark.class.getName() + ".round$")
                .param("work", one.work().name())
                .param("batch", Integer.toString(one.batch()))
                .param("pairs", Integer.toString(one.pairs()))
                .jvmArgsAppend(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow", // JMH's own
                        "-Dio.github.verbs4j.libibverbs=" + provider,
                        "-Dio.github.verbs4j.critical=" + critical,
                        "-D" + OverheadBenchmark.C_LIBRARY + "=" + loop)
                .warmupIterations(Math.min(3, seconds))
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(seconds)
                .measurementTime(TimeValue.seconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        try {
            return Line.of(one, new Runner(options.build()).runSingle());
        } catch (RunnerException e) {
            throw new BenchFailure(one + " could not be measured: " + e.getMessage(), e);
        }
    }
}
