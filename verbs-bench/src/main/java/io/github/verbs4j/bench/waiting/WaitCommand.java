package io.github.verbs4j.bench.waiting;

import io.github.verbs4j.Device;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.bench.DeviceName;
import io.github.verbs4j.bench.Machine;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbs bench wait}. */
@Command(
        name = "wait",
        header = "What each wait strategy costs: processor time, and how late a completion is seen.",
        description = {
            "",
            "Prints a line for each strategy:",
            "  wait strategy=... idle_processor=... seen_us=... p99_us=... processor=...",
            "idle_processor is how much of a processor the wait takes while nothing completes (1.00: all of one);"
                    + " seen_us, the median, and p99_us are from another thread's post of a message to the return of the"
                    + " wait for it, which has begun some time before; processor is how much the waiting takes meanwhile.",
            "Both ends are of this process and device: the way of the message is in all the times alike, so it is the"
                    + " differences that tell.",
            ""
        })
public final class WaitCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages for each strategy. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--pause",
            paramLabel = "MICROSECONDS",
            defaultValue = "1000",
            description = "Between a message and the next. Default: ${DEFAULT-VALUE}.")
    private int pause;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How long to wait for what does not come. Default: ${DEFAULT-VALUE}.")
    private int seconds;

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

    @Option(names = "--check-usage", hidden = true, description = "Look at the options only.")
    private boolean checkUsage;

    /** Made by picocli. */
    public WaitCommand() {}

    @Override
    public void run() {
        requirePositive("--rounds", rounds);
        requirePositive("--pause", pause);
        requirePositive("--seconds", seconds);
        requirePositive("--port", port);
        if (checkUsage) {
            return;
        }
        Device chosen = device == null ? Device.first() : Device.named(device);
        try (Ends ends = new Ends(chosen, port)) {
            Machine machine = Machine.local();
            machine.lines().forEach(line -> tell("# " + line));
            if (machine.isEmulated()) {
                tell("# The machine is emulated: the times are not to be quoted.");
            }
            for (WaitStrategy strategy : WaitStrategy.values()) {
                tell(new Waiter(ends, strategy).measure(Duration.ofSeconds(seconds), rounds, pause * 1000L));
            }
        }
    }

    private void tell(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private void requirePositive(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " " + value + " is not 1 or more");
        }
    }
}
