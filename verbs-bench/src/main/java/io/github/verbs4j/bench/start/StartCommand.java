package io.github.verbs4j.bench.start;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.bench.BenchFailure;
import io.github.verbs4j.bench.DeviceName;
import io.github.verbs4j.bench.Machine;
import io.github.verbs4j.bench.Results;
import io.github.verbs4j.bench.build.CProgram;
import io.github.verbs4j.bench.build.ScratchDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbs bench start}. */
@Command(
        name = "start",
        header = "What comes before the first message: start, connection, registration; Java and C in turns.",
        description = {
            "",
            "Prints a line for each comparison, times as medians, the ratio as the median of the rounds' ratios:",
            "  start case=first_completion      a process, from its start to its first completion, a write to itself",
            "  start case=first_completion_aot  the same with Java's classes in a cache (with --aot)",
            "  start case=open_to_rts           from the list of devices to a queue pair in RTS",
            "  start case=queue_pair            a queue pair, created and destroyed",
            "  start case=register size=...     memory, mapped and registered",
            "And how many queue pairs may share a completion queue, a write going round them all:",
            "  start case=shared_queue pairs=... java_us=... to_first=...",
            ""
        })
public final class StartCommand implements Runnable {
    private static final long[] SIZES = {4 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30};
    /** Rounds for the compiler, at most. */
    private static final int WARMUP = 40;

    /** Memory that takes so long to register that two rounds are warm enough. */
    private static final long LARGE = 16 << 20;

    private static final int LARGE_ROUNDS = 5;

    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable: +(\\d+) kB");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "15",
            description = "Rounds of each comparison. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds of those that start processes. Default: ${DEFAULT-VALUE}.")
    private int processes;

    @Option(
            names = "--aot",
            description =
                    "Start Java with a cache of its classes too; to make it takes minutes on an emulated machine.")
    private boolean aot;

    @Option(
            names = "--largest",
            paramLabel = "BYTES",
            defaultValue = "1073741824",
            description =
                    "Largest memory to register. Default: ${DEFAULT-VALUE}, or what fits half of the free memory.")
    private long largest;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,16,256,1024",
            description = "Queue pairs on one completion queue. Default: ${DEFAULT-VALUE}; the first is the measure.")
    private List<Integer> pairs;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            converter = DeviceName.class,
            description = "RDMA device. Default: the first one.")
    private String device;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "1",
            description = "Port of the device. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--json", description = "Print one JSON object; the lines go to the error stream, as progress.")
    private boolean json;

    @Option(names = "--check-usage", hidden = true, description = "Look at the options only.")
    private boolean checkUsage;

    @Mixin
    private Results results;

    private final List<Map<String, Object>> lines = new ArrayList<>();

    /** Made by picocli. */
    public StartCommand() {}

    @Override
    public void run() {
        requirePositive("--rounds", rounds);
        requirePositive("--processes", processes);
        pairs.forEach(count -> requirePositive("--pairs", count));
        requirePositive("--port", port);
        requirePositive("--largest", largest);
        if (largest < SIZES[0]) {
            throw new ParameterException(
                    spec.commandLine(), "--largest " + largest + " is less than the smallest size, " + SIZES[0]);
        }
        results.prepare();
        if (checkUsage) {
            return;
        }
        Target target = target();
        header().forEach(line -> progress("# " + line));
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path program = CProgram.program(scratch.path(), "start", List.of("-libverbs"), "start.c");
            compareProcesses(new ProcessStart(program, target), scratch.path());
            try (Steps c = new CSteps(program, target);
                    Steps java = new JavaSteps(target)) {
                compareSteps(c, java);
            }
            SharedQueues.measure(target, pairs, rounds).forEach(this::tell);
        }
        Map<String, Object> result = toMap(target);
        if (json) {
            print(spec.commandLine().getOut(), Results.json(result));
        }
        results.keep("start", result, "--rounds", "--processes", "--largest", "--pairs");
    }

    private static List<String> header() {
        Machine machine = Machine.local();
        List<String> lines = new ArrayList<>(machine.lines());
        javaOptions().forEach(option -> lines.add("java option " + option));
        if (machine.isEmulated()) {
            lines.add("The machine is emulated: the times are not to be quoted, and starts take many times as long.");
        }
        return lines;
    }

    private static List<String> javaOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:"))
                .toList();
    }

    /** For people; beside JSON it tells them how far it is. */
    private void progress(String line) {
        print(json ? spec.commandLine().getErr() : spec.commandLine().getOut(), line);
    }

    private static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    private Map<String, Object> toMap(Target target) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("command", "start");
        map.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        map.put("machine", Machine.local().toMap());
        map.put("c_options", CProgram.FLAGS);
        map.put("java_options", javaOptions());
        map.put("device", target.device());
        map.put("lines", lines);
        return map;
    }

    private void requirePositive(String option, long value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " " + value + " is not 1 or more");
        }
    }

    private Target target() {
        Device chosen = device == null ? Device.first() : Device.named(device);
        try (DeviceContext context = chosen.open()) {
            return new Target(
                    chosen.name(), port, context.gids(port).preferred().index());
        }
    }

    private void compareProcesses(ProcessStart start, Path directory) {
        int warmup = Math.min(1, processes - 1);
        tell(Medians.measure(Map.of("case", "first_completion"), warmup, processes, start::c, start::java)
                .toMap());
        if (!aot) {
            return;
        }
        Path cache = start.train(directory);
        tell(Medians.measure(
                        Map.of("case", "first_completion_aot"), warmup, processes, start::c, () -> start.java(cache))
                .toMap());
    }

    private void compareSteps(Steps c, Steps java) {
        int warmup = Math.min(WARMUP, 4 * rounds);
        tell(Medians.measure(Map.of("case", "open_to_rts"), warmup, rounds, c::connect, java::connect)
                .toMap());
        tell(Medians.measure(Map.of("case", "queue_pair"), warmup, rounds, c::pair, java::pair)
                .toMap());
        for (long size : SIZES) {
            Map<String, Object> name = new LinkedHashMap<>(Map.of("case", "register"));
            name.put("size", size);
            if (size > Math.min(largest, freeMemory() / 2)) {
                name.put("skipped", size > largest ? "--largest" : "memory");
                tell(name);
            } else {
                boolean large = size >= LARGE; // takes long, and varies little
                tell(Medians.measure(
                                name,
                                large ? 1 : warmup,
                                large ? Math.min(LARGE_ROUNDS, rounds) : rounds,
                                () -> c.register(size),
                                () -> java.register(size))
                        .toMap());
            }
        }
    }

    private static long freeMemory() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.map(AVAILABLE::matcher)
                    .filter(Matcher::matches)
                    .mapToLong(match -> Long.parseLong(match.group(1)) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new BenchFailure("cannot read /proc/meminfo: " + e, e);
        }
    }

    private void tell(Map<String, Object> line) {
        lines.add(line);
        progress(line.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" ", "start ", "")));
    }
}
