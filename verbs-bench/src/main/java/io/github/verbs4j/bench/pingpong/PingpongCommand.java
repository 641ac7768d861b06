package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.bench.BenchFailure;
import io.github.verbs4j.bench.DeviceName;
import io.github.verbs4j.bench.Machine;
import io.github.verbs4j.bench.NamedValue;
import io.github.verbs4j.bench.Results;
import io.github.verbs4j.bench.build.CProgram;
import io.github.verbs4j.bench.build.ScratchDirectory;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbs bench pingpong}. */
@Command(
        name = "pingpong",
        header = "Round trips over a reliable connection, end to end: Java and its C twin, in turns.",
        description = {
            "",
            "Two processes in Java and two in C, all on one device, connected over its own port. A message there and a"
                    + " message back, every send signalled, receives replaced by eight once a send is on its way,"
                    + " both ends polling. In each round both languages have a turn of some hundred round trips, one"
                    + " right after the other; meanwhile the other pair sleeps. Before, Java warms up, and rests until its compilers"
                    + " are idle. The C program keeps the books that the library keeps, and is compiled here, by gcc. The threads that poll have a processor each;"
                    + " on a software device they leave it to the kernel when it wants it (nice 19), because its"
                    + " threads are that device.",
            "",
            "Prints a line for each size of message:",
            "  pingpong transport=RC size=64 c_us=... java_us=... median_ratio=... p99_ratio=...",
            "c_us and java_us are the medians of all round trips. A ratio is Java's median (99th percentile) divided by"
                    + " that of C in the same round, and of these the median of all rounds: what else the machine does"
                    + " meets both turns of a round alike.",
            ""
        })
public final class PingpongCommand implements Callable<Integer> {
    private enum Wait {
        SPIN,
        YIELD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final class WaitByName extends NamedValue<Wait> {
        WaitByName() {
            super(Wait.class);
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            split = ",",
            defaultValue = "64,4096,65536",
            description = "Size of the messages, repeatable. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "100",
            description = "Rounds for each size. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "100",
            description = "Round trips in a turn. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--quick",
            description = "A few hundred round trips, hardly warmed up: shows that it works, not how fast;"
                    + " not with --check.")
    private boolean quick;

    @Option(
            names = "--wait",
            paramLabel = "HOW",
            defaultValue = "spin",
            converter = WaitByName.class,
            description =
                    "What an end does when a poll finds nothing: ${COMPLETION-CANDIDATES}. With yield it lets others"
                            + " run, so that both ends can share a processor. Default: ${DEFAULT-VALUE}.")
    private Wait wait;

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

    @Option(
            names = "--cpus",
            paramLabel = "N",
            split = ",",
            description = "Processor of the servers, processor of the clients. Default: the first two.")
    private List<Integer> processors = List.of();

    @Option(
            names = "--check",
            description = "Mark lines with a median ratio over 1.05 (1.10 below 1,024 bytes) or a p99 ratio over 1.3,"
                    + " which is the budget on Soft-RoCE, and exit with 1 if there are any.")
    private boolean check;

    @Option(
            names = "--json",
            description = "Print one JSON object, with percentiles; the lines go to the error stream, as progress.")
    private boolean json;

    @Option(names = "--check-usage", hidden = true, description = "Look at the options only.")
    private boolean checkUsage;

    @Mixin
    private Results results;

    /** Made by picocli. */
    public PingpongCommand() {}

    @Override
    public Integer call() {
        PingpongPlan plan = plan();
        results.prepare();
        if (checkUsage) {
            return CommandLine.ExitCode.OK;
        }
        Target target = target();
        Placement placement = processors.isEmpty()
                ? Placement.onFirst(target.isSoftware())
                : Placement.on(processors, target.isSoftware());
        Machine machine = Machine.local();
        PingpongReport report = new PingpongReport(target, placement, machine, plan);
        report.header().forEach(this::print);
        measure(report, plan, target, machine, placement);
        if (json) {
            spec.commandLine().getOut().println(Results.json(report.toMap()));
            spec.commandLine().getOut().flush();
        }
        results.keep("pingpong", report.toMap(), "--quick", "--size", "--rounds", "--iterations", "--wait");
        return check && report.isOverBudget() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private PingpongPlan plan() {
        requirePositive("--rounds", rounds);
        requirePositive("--iterations", iterations);
        requirePositive("--port", port);
        sizes.forEach(size -> requirePositive("--size", size));
        if (!processors.isEmpty() && processors.size() != 2) {
            throw new ParameterException(spec.commandLine(), "--cpus takes two processors, not " + processors);
        }
        if (quick && (isGiven("--rounds") || isGiven("--iterations"))) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--quick has its own rounds and iterations: give it, or --rounds and --iterations");
        }
        if (quick && check) {
            throw new ParameterException(
                    spec.commandLine(), "--quick measures too little for --check: give one or the other");
        }
        boolean yielding = wait == Wait.YIELD;
        return quick ? PingpongPlan.quick(sizes, yielding) : PingpongPlan.of(sizes, rounds, iterations, yielding);
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private void requirePositive(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " " + value + " is not 1 or more");
        }
    }

    private Target target() {
        Device chosen = device == null ? Device.first() : Device.named(device);
        try (DeviceContext context = chosen.open()) {
            long longest = context.port(port).maxMessageLength();
            for (int size : sizes) {
                if (size > longest) {
                    throw new BenchFailure("--size " + size + " is over the longest message of " + chosen.name() + ", "
                            + longest + " bytes");
                }
            }
            String driver = Host.local()
                    .rdmaDevice(chosen.name())
                    .flatMap(RdmaDevice::driver)
                    .orElse("unknown");
            return new Target(chosen.name(), driver, context.gids(port).preferred());
        }
    }

    private void measure(
            PingpongReport report, PingpongPlan plan, Target target, Machine machine, Placement placement) {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path program = CProgram.program(scratch.path(), "pingpong", List.of("-libverbs"), "pingpong.c");
            try (Comparison comparison = Comparison.start(plan, target, machine, program, scratch.path())) {
                comparison.connect(placement);
                comparison.warmUp();
                for (int size : plan.sizes()) {
                    SizeResult result = new SizeResult(size, comparison.measure(size));
                    report.add(result);
                    print(result.line() + (check && result.isOverBudget() ? " over budget" : ""));
                }
            }
        }
    }

    /** For people; beside JSON it tells them how far it is. */
    private void print(String line) {
        PrintWriter out =
                json ? spec.commandLine().getErr() : spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
