package io.github.verbs4j.tools;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The root command. Programs and tests run it as
 * {@code Main.commandLine().setOut(out).setErr(err).execute("devinfo", "--json")}.
 *
 * <p>Exit status: 0 done, 1 it could not be done, 2 it was not asked for properly. A failure is told on the error stream, in
 * one line where one says it all; a stack trace is shown only with {@code --debug} or {@code VERBS_DEBUG=1} in the
 * environment.
 */
@Command(
        name = "verbs",
        header = "RDMA from plain Java: look at devices, move data over them.",
        synopsisSubcommandLabel = "COMMAND",
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit status%n",
        exitCodeList = {
            "0:done",
            "1:it could not be done; the reason is on the error stream",
            "2:wrong usage",
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print version information and exit.")
    private boolean version;

    @Option(
            names = "--debug",
            hidden = true,
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of a failure (or VERBS_DEBUG=1 in the environment).")
    private boolean debug;

    private Main() {}

    /**
     * Runs a command and ends the virtual machine with its exit status.
     *
     * @param arguments the command and its arguments
     */
    public static void main(String[] arguments) {
        int status = commandLine().execute(arguments);
        System.exit(status == 0 && System.out.checkError() ? Failures.unwritten() : status);
    }

    /** {@return the commands, ready to {@link CommandLine#execute}; its streams may be set} */
    public static CommandLine commandLine() {
        Main main = new Main();
        return new CommandLine(main)
                .addSubcommand(new DevicesCommand())
                .addSubcommand(new DevinfoCommand())
                .addSubcommand(new DoctorCommand())
                .addSubcommand(new CountersCommand())
                .addSubcommand(new CommandLine(new PingpongCommand())
                        .addSubcommand(new RcPingpongCommand())
                        .addSubcommand(new UcPingpongCommand())
                        .addSubcommand(new UdPingpongCommand())
                        .addSubcommand(new SrqPingpongCommand()))
                .addSubcommand(new RpingCommand())
                .addSubcommand(new CmtimeCommand())
                .addSubcommand(new TraceCommand())
                .addSubcommand(new DemoCommand())
                .setParameterExceptionHandler(Failures::misused)
                .setExecutionExceptionHandler(
                        (failure, command, _) -> Failures.failed(failure, command, main.debugs()));
    }

    private boolean debugs() {
        return debug || "1".equals(System.getenv("VERBS_DEBUG"));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
