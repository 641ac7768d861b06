package io.github.verbs4j.tools;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import jdk.jfr.consumer.RecordedEvent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbs trace}: what a program asked of the kernel. */
@Command(
        name = "trace",
        header = "Show what a program asked of libibverbs and librdmacm, from a recording.",
        description = {
            "",
            "One line for each call of the control path, in the order of time: when it began, which thread made it, the C"
                    + " function with the object and the arguments, what came of it, and how long the function took. Between"
                    + " them, indented, what happened without a call: states of queue pairs, work that failed, events of the"
                    + " device and of connections, memory that was registered. The first call of each function takes longer:"
                    + " Java links it then.",
            "",
            "The recording is one of JDK Flight Recorder, of a program that uses Verbs4J:",
            "  java -XX:StartFlightRecording:filename=run.jfr ...",
            "or, of one that runs already:",
            "  jcmd PID JFR.start; jcmd PID JFR.dump filename=run.jfr",
            ""
        },
        footer = {
            "",
            "Example",
            "  verbs trace run.jfr --failed",
        })
final class TraceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RECORDING", description = "The file, usually *.jfr.")
    private Path file;

    @Option(
            names = {"-s", "--summary"},
            description = "One line for each C function instead: calls, errors, time in total and at most.")
    private boolean summary;

    @Option(names = "--failed", description = "Only what failed.")
    private boolean failed;

    @Override
    public Integer call() {
        List<RecordedEvent> events = Trace.read(file);
        if (failed) {
            events = events.stream().filter(Trace::isFailure).toList();
        }
        PrintWriter out = spec.commandLine().getOut();
        (summary ? Trace.summary(events) : Trace.lines(events)).forEach(out::println);
        return 0;
    }
}
