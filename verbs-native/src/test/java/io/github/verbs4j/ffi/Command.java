package io.github.verbs4j.ffi;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child process with a watchdog. */
final class Command {
    private static final long WATCHDOG_MINUTES = 5;

    private Command() {}

    /**
     * What a finished process left behind.
     *
     * @param status exit status
     * @param output standard output, byte for byte
     * @param errors standard error
     */
    record Result(int status, byte[] output, String errors) {
        String text() {
            return new String(output);
        }
    }

    /** Runs a command to its end; an IOException if there is no such program. */
    static Result run(List<String> command) throws IOException {
        Path output = Files.createTempFile(Build.directory("logs"), "out", ".log");
        Path errors = Files.createTempFile(Build.directory("logs"), "err", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            await(process, command);
            return new Result(process.exitValue(), Files.readAllBytes(output), Files.readString(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    /** Runs a command that must succeed. */
    static Result runOrFail(List<String> command) {
        Result result;
        try {
            result = run(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (result.status() != 0) {
            throw new AssertionError("exit status " + result.status() + " of " + String.join(" ", command) + "\n"
                    + result.text() + "\n" + result.errors());
        }
        return result;
    }

    private static void await(Process process, List<String> command) {
        try {
            if (!process.waitFor(WATCHDOG_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError(
                        "still running after " + WATCHDOG_MINUTES + " minutes: " + String.join(" ", command));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + command.getFirst(), e);
        }
    }
}
