package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.it.rdma.Watchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The system calls of this thread, as {@code strace} sees them.
 *
 * <p>Work is done again and again, each time between two look-ups of files that do not exist, which show in the trace. The
 * virtual machine may stop a thread at a safepoint, which shows as a few calls more now and then. The repetition with the
 * fewest calls is the work's own: what the work calls for, even once, is in every one.
 */
final class SystemCalls {
    private static final String BEGIN = "/begin/of/work";
    private static final String END = "/end/of/work";
    private static final int REPETITIONS = 6;

    private SystemCalls() {}

    /** The system calls of some work, in order. */
    static List<String> of(Runnable work) {
        work.run(); // the first time loads classes
        try {
            Path trace = Files.createTempFile("trace", ".txt");
            try {
                Process strace = attach(trace);
                try {
                    for (int i = 0; i < REPETITIONS; i++) {
                        lookUp(BEGIN);
                        work.run();
                        lookUp(END);
                    }
                } finally {
                    detach(strace);
                }
                return quietest(Files.readAllLines(trace));
            } finally {
                Files.delete(trace);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process attach(Path trace) throws IOException {
        String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString();
        Process strace = new ProcessBuilder("strace", "-qq", "-y", "-o", trace.toString(), "-p", thread)
                .inheritIO()
                .start();
        Watchdog.await("strace to attach", () -> {
            if (!strace.isAlive()) {
                throw new AssertionError(
                        "strace could not attach, see its message: it needs root, or" + " kernel.yama.ptrace_scope=0");
            }
            return isTraced();
        });
        return strace;
    }

    private static boolean isTraced() {
        try {
            return !Files.readAllLines(Path.of("/proc/thread-self/status")).contains("TracerPid:\t0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void detach(Process strace) {
        strace.destroy();
        Watchdog.await("strace to end", () -> !strace.isAlive());
    }

    private static void lookUp(String name) {
        if (Files.exists(Path.of(name))) {
            throw new AssertionError(name + " exists");
        }
    }

    private static List<String> quietest(List<String> lines) {
        List<List<String>> repetitions = new ArrayList<>();
        List<String> calls = new ArrayList<>();
        for (String line : lines) {
            if (line.contains('"' + BEGIN + '"')) {
                calls = new ArrayList<>();
            } else if (line.contains('"' + END + '"')) {
                repetitions.add(calls);
            } else {
                calls.add(line);
            }
        }
        assertEquals(REPETITIONS, repetitions.size(), () -> "repetitions in the trace:\n" + String.join("\n", lines));
        return repetitions.stream().min(Comparator.comparingInt(List::size)).orElseThrow();
    }
}
