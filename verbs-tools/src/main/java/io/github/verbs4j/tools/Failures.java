package io.github.verbs4j.tools;

import io.github.verbs4j.error.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.NoSuchElementException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How failures are told: the reason, never a stack trace unless asked for. */
final class Failures {
    private Failures() {}

    static int misused(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + misuse(failure) + "; see '" + name + " --help'");
        err.flush();
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
        return failure.getMessage().lines().findFirst().orElse("wrong usage");
    }

    static int failed(Exception failure, CommandLine command, boolean debug) {
        PrintWriter err = command.getErr();
        command.getOut().flush();
        err.println(command.getCommandSpec().qualifiedName() + ": " + reason(failure));
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Standard output did not take all that was said. Whoever closed a pipe, as {@code head} does, knows that. */
    static int unwritten() {
        if (!isPipe(Path.of("/proc/self/fd/1"))) {
            System.err.println("verbs: standard output could not be written; is the disk full?");
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static boolean isPipe(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
        } catch (IOException unknown) {
            return false;
        }
    }

    /** What to print of a failure. */
    static String reason(Exception failure) {
        return switch (failure) {
            case CommandFailure told -> told.getMessage();
            case VerbsException told -> told.getMessage();
            // the core's words for a value or a moment that cannot be right
            case IllegalArgumentException told when told.getMessage() != null -> told.getMessage();
            case IllegalStateException told when told.getMessage() != null -> told.getMessage();
            case NoSuchElementException told when told.getMessage() != null -> told.getMessage();
            default -> "unexpected " + failure + "; VERBS_DEBUG=1 shows where, please report it";
        };
    }
}
