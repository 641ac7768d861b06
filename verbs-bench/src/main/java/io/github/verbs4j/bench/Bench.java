package io.github.verbs4j.bench;

import io.github.verbs4j.bench.overhead.OverheadCommand;
import io.github.verbs4j.bench.pingpong.PingpongCommand;
import io.github.verbs4j.bench.report.ReportCommand;
import io.github.verbs4j.bench.start.StartCommand;
import io.github.verbs4j.bench.waiting.WaitCommand;
import io.github.verbs4j.error.VerbsException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The comparisons that {@code ./verbs bench} runs. The JMH suite for one's own hardware is the main class of the same
 * jar: {@code java -jar benchmarks.jar}.
 *
 * <p>Exit status as of the tools: 0 done, 1 it could not be done, 2 wrong usage.
 */
@Command(
        name = "verbs bench",
        subcommands = {
            OverheadCommand.class,
            PingpongCommand.class,
            StartCommand.class,
            WaitCommand.class,
            ReportCommand.class
        },
        header = "How fast it is, held against C in the same run.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        version = "Verbs4J benchmarks 0.1.0-SNAPSHOT",
        scope = ScopeType.INHERIT,
        sortOptions = false,
        usageHelpAutoWidth = true)
public final class Bench implements Runnable {
    @Spec
    private CommandSpec spec;

    private Bench() {}

    /**
     * Runs a command and ends the virtual machine with its exit status.
     *
     * @param arguments the command and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** {@return the commands, ready to {@link CommandLine#execute}; its streams may be set} */
    public static CommandLine commandLine() {
        return new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Bench::misused)
                .setExecutionExceptionHandler((failure, command, _) -> failed(failure, command));
    }

    private static int misused(ParameterException failure, String[] arguments) {
        String name = failure.getCommandLine().getCommandSpec().qualifiedName();
        tell(failure.getCommandLine(), misuse(failure) + "; see '" + name + " --help'");
        return CommandLine.ExitCode.USAGE;
    }

    private static String misuse(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !command.getSubcommands().isEmpty()) {
            String kind = command.getCommandSpec().usageMessage().synopsisSubcommandLabel();
            return "there is no " + kind.toLowerCase(Locale.ROOT) + " '"
                    + unmatched.getUnmatched().getFirst() + "' ("
                    + String.join(", ", command.getSubcommands().keySet()) + ")";
        }
        return failure.getMessage();
    }

    private static int failed(Exception failure, CommandLine command) {
        boolean told = failure instanceof BenchFailure || failure instanceof VerbsException;
        tell(command, told ? failure.getMessage() : "unexpected " + failure);
        if (!told) {
            failure.printStackTrace(command.getErr());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void tell(CommandLine command, String reason) {
        PrintWriter err = command.getErr();
        command.getOut().flush();
        err.println(command.getCommandSpec().qualifiedName() + ": " + reason);
        err.flush();
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
