package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.bench.BenchFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One end, a process: it is told what to do by lines, and answers by lines. While it has nothing to do it sleeps. */
final class EndProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Path errors;
    private final Inbox inbox;
    private final PrintWriter orders;

    private EndProcess(String name, Process process, Path errors, Inbox inbox) {
        this.name = name;
        this.process = process;
        this.errors = errors;
        this.inbox = inbox;
        this.orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("what " + name + " says").start(this::listen);
    }

    /**
     * Starts one.
     *
     * @param name for messages
     * @param command its command line
     * @param directory where its error stream is kept
     * @param inbox where what it says goes
     */
    static EndProcess start(String name, List<String> command, Path directory, Inbox inbox) {
        Path errors = directory.resolve(name.replace(' ', '-') + ".err");
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            return new EndProcess(name, process, errors, inbox);
        } catch (IOException e) {
            throw new BenchFailure("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(line -> inbox.add(this, line));
        } catch (IOException | RuntimeException _) {
            // the same as its end
        }
        inbox.addLast(this);
    }

    void tell(String order) {
        orders.println(order);
    }

    /**
     * {@return what follows a word in the line that it says next}
     *
     * @param word the line begins with it
     * @param patience how long it may take
     */
    String await(String word, Duration patience) {
        String line = inbox.await(this, patience);
        if (!line.equals(word) && !line.startsWith(word + " ")) {
            throw new BenchFailure(name + " said '" + line + "' instead of '" + word + "'");
        }
        return line.substring(word.length()).strip();
    }

    /** {@return whether all its threads sleep} One that works is running, or waits for a processor. */
    boolean isAtRest() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.allMatch(EndProcess::sleeps);
        } catch (IOException | UncheckedIOException _) {
            return true; // it has ended, and who next listens to it tells that
        }
    }

    private static boolean sleeps(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            return line.startsWith("S", line.lastIndexOf(')') + 2);
        } catch (IOException _) {
            return true; // it has ended
        }
    }

    /** What its error stream holds, and how it ended, for a message. */
    String complaint() {
        StringBuilder text = new StringBuilder();
        try {
            if (process.waitFor(1, TimeUnit.SECONDS)) {
                text.append(", with status ").append(process.exitValue());
            }
            String said = Files.readString(errors).strip();
            text.append(said.isEmpty() ? "" : ": " + said);
        } catch (IOException e) {
            text.append(" (").append(e).append(')');
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return text.toString();
    }

    /** Stops it at once, whatever it does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Ends it: its input ends, and if that does not do, it is stopped. */
    @Override
    public void close() {
        orders.close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
