package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.bench.BenchFailure;
import io.github.verbs4j.bench.Machine;
import io.github.verbs4j.bench.NamedValue;
import io.github.verbs4j.bench.Results;
import io.github.verbs4j.bench.build.CProgram;
import io.github.verbs4j.bench.build.ScratchDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbs bench overhead}: what the library adds to a provider that does nothing, as a multiple of what C adds. */
@Command(
        name = "overhead",
        header = "What posting and polling cost beside C, on a provider that does nothing.",
        description = {
            "",
            "In one JVM C, the raw bindings (ffi) and the library (core) take turns of about a millisecond, on one core. A"
                    + " ratio is that of one round; a line tells the median over the rounds, and over several JVMs. One"
                    + " operation is one request, posted and, if signalled, polled. All checks of the library are on; C"
                    + " fills the same fields and keeps the same books (slots, state, queue pair by number), the bindings"
                    + " keep none: so they may be faster than C.",
            "",
            "Both calls are linked critically, as on hardware providers that post and poll in user space.",
        })
public final class OverheadCommand implements Callable<Integer> {
    private static final List<String> CRITICAL = List.of("none", "post", "poll", "post,poll");

    private static final class WorkByName extends NamedValue<Work> {
        WorkByName() {
            super(Work.class);
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object; the lines go to the error stream, as progress.")
    private boolean json;

    @Option(names = "--check", description = "Mark lines that are over their budget, and exit with 1 if there are any.")
    private boolean check;

    @Option(
            names = "--only",
            paramLabel = "CASE",
            split = ",",
            converter = WorkByName.class,
            description = "Only these cases, of: ${COMPLETION-CANDIDATES}.")
    private List<Work> only = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How long each line is measured, seconds, each in another JVM after its warm-up. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--critical",
            paramLabel = "CALLS",
            defaultValue = "post,poll",
            description = "Which calls the library links critically: none, post, poll, or post,poll. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String critical;

    @Option(
            names = "--recording",
            description = "Measure with a recording of JDK Flight Recorder under way, as it is by default.")
    private boolean recording;

    @Mixin
    private Results results;

    /** Parsed by picocli. */
    public OverheadCommand() {}

    @Override
    public Integer call() {
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds " + seconds + " is not 1 or more");
        }
        if (!CRITICAL.contains(critical)) {
            throw new ParameterException(spec.commandLine(), "--critical " + critical + " is none of " + CRITICAL);
        }
        List<Case> cases = Case.all().stream()
                .filter(line -> only.isEmpty() || only.contains(line.work()))
                .toList();
        results.prepare();
        Machine machine = Machine.local();
        progress(header(machine));
        List<Line> lines = measure(cases);
        Map<String, Object> all = toMap(machine, lines);
        if (json) {
            print(spec.commandLine().getOut(), List.of(Results.json(all)));
        }
        results.keep("overhead", all, "--only", "--seconds", "--critical", "--recording");
        return check && lines.stream().anyMatch(Line::isOverBudget)
                ? CommandLine.ExitCode.SOFTWARE
                : CommandLine.ExitCode.OK;
    }

    /** For people; beside JSON it tells them how far it is. */
    private void progress(List<String> lines) {
        print(json ? spec.commandLine().getErr() : spec.commandLine().getOut(), lines);
    }

    private static void print(PrintWriter out, List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    private List<String> header(Machine machine) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "# a provider that does nothing: a 64-byte descriptor a request, a store fence and a doorbell a post");
        lines.add("# processor " + machine.processor() + ", " + machine.processors() + " in use");
        lines.add("# java " + machine.java() + ", critical calls: " + critical
                + (recording ? ", with a recording of Flight Recorder" : ""));
        lines.add("# c " + machine.compiler() + ", " + CProgram.FLAGS);
        lines.add("# one op is one request, posted and, where it is signalled, polled; times are of the thread");
        return lines;
    }

    private Map<String, Object> toMap(Machine machine, List<Line> lines) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("command", "overhead");
        all.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        all.put("machine", machine.toMap());
        all.put("c_options", CProgram.FLAGS);
        all.put("critical", critical);
        all.put("recording", recording);
        all.put("results", lines.stream().map(Line::toMap).toList());
        return all;
    }

    private List<Line> measure(List<Case> cases) {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path provider = CProgram.library(
                    scratch.path(), "libibverbs.so.1", List.of("-Wl,-soname,libibverbs.so.1"), "null_provider.c");
            Path loop = CProgram.library(scratch.path(), "overhead.so", List.of(), "overhead.c");
            List<Line> lines = new ArrayList<>();
            for (Case one : cases) {
                Line line = run(one, provider, loop, scratch.path());
                lines.add(line);
                progress(List.of(line + (check && line.isOverBudget() ? " over budget: " + line.excess() : "")));
            }
            return lines;
        }
    }

    private Line run(Case one, Path provider, Path loop, Path scratch) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(OverheadBenchmark.class.getName() + ".round$")
                .param("work", one.work().name())
                .param("batch", Integer.toString(one.batch()))
                .param("pairs", Integer.toString(one.pairs()))
                .jvmArgsAppend(options(provider, loop, scratch).toArray(String[]::new))
                .forks(seconds) // where memory happens to lie counts: another process, another place
                .warmupIterations(0) // the benchmark warms itself up
                .measurementIterations(1)
                .measurementTime(TimeValue.seconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        try {
            return Line.of(one, new Runner(options.build()).runSingle());
        } catch (RunnerException e) {
            throw new BenchFailure(one + " could not be measured: " + e.getMessage(), e);
        }
    }

    private List<String> options(Path provider, Path loop, Path scratch) {
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", // JMH's own
                "-Dio.github.verbs4j.libibverbs=" + provider,
                "-Dio.github.verbs4j.critical=" + critical,
                "-D" + OverheadBenchmark.C_LIBRARY + "=" + loop));
        if (recording) {
            options.add("-XX:StartFlightRecording:filename=" + scratch.resolve("overhead.jfr"));
            options.add("-XX:FlightRecorderOptions:repository=" + scratch);
            options.add("-Xlog:jfr+startup=error");
        }
        return options;
    }
}
