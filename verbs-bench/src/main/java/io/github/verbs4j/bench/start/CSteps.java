package io.github.verbs4j.bench.start;

import io.github.verbs4j.bench.BenchFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The steps in a C program, which obeys line by line. */
final class CSteps implements Steps {
    private final Process process;
    private final PrintWriter requests;
    private final BufferedReader answers;

    CSteps(Path program, Target target) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(target.arguments());
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new BenchFailure("cannot start the C program: " + e, e);
        }
        requests = new PrintWriter(process.outputWriter(), true);
        answers = process.inputReader();
    }

    private long ask(String request) {
        requests.println(request);
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw new BenchFailure("the C program ended, asked for '" + request + "'; it said why above");
            }
            return Long.parseLong(answer);
        } catch (IOException e) {
            throw new BenchFailure("the C program does not answer: " + e, e);
        }
    }

    @Override
    public long connect() {
        return ask("connect");
    }

    @Override
    public long pair() {
        return ask("pair");
    }

    @Override
    public long register(long bytes) {
        return ask("register " + bytes);
    }

    /** Its end of input ends it; it is not left behind if it does not. */
    @Override
    public void close() {
        requests.close();
        try {
            if (!process.waitFor(Duration.ofSeconds(10))) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
