package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Commands of the machine, each under a watchdog. */
public final class Shell {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration DUMP = Duration.ofSeconds(5);

    /**
     * What a command did.
     *
     * @param status its exit status
     * @param output both its streams
     */
    public record Result(int status, String output) {
        /** {@return the output of a command that succeeded} */
        public String requireSuccess() {
            assertEquals(0, status, () -> "exit status; it said:\n" + output);
            return output;
        }
    }

    private Shell() {}

    /**
     * {@return what a command did}
     *
     * @param command and its arguments
     */
    public static Result run(List<String> command) {
        return run(command, PATIENCE);
    }

    /**
     * {@return what a command did}
     *
     * @param command and its arguments
     * @param patience how long it may take
     */
    public static Result run(List<String> command, Duration patience) {
        try {
            Path output = Files.createTempFile("output", ".txt");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                process.getOutputStream().close();
                if (!process.waitFor(patience)) {
                    kill(process);
                    throw new AssertionError(command + " did not end in " + patience.toSeconds() + " s; it said:\n"
                            + Files.readString(output));
                }
                return new Result(process.exitValue(), Files.readString(output));
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(command.getFirst() + " does not run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + command, e);
        }
    }

    /** A virtual machine that still can tells what its threads do; anything else just ends. */
    private static void kill(Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                .start()
                .waitFor();
        process.waitFor(DUMP);
        process.destroyForcibly().waitFor();
    }

    /**
     * {@return what a command printed, which succeeded}
     *
     * @param command and its arguments
     */
    public static String output(String... command) {
        return run(List.of(command)).requireSuccess();
    }
}
