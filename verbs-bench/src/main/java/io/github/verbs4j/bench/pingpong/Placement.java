package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where the ends poll: each on a processor of its own, the same ones for both languages. Two ends that spin on one processor,
 * where a scheduler may well put them, take milliseconds for what takes microseconds.
 *
 * @param server processor of the servers
 * @param client processor of the clients
 * @param niceness how far the threads that poll stand back
 */
record Placement(int server, int client, int niceness) {
    /** The kernel's threads do the work of a software device: while an end spins at their priority, they wait for milliseconds. */
    private static final int BEHIND_THE_KERNEL = 19;

    private static final String ALLOWED = "Cpus_allowed_list:";

    /**
     * {@return the first two processors that we may use}
     *
     * @param software whether the device is software
     */
    static Placement onFirst(boolean software) {
        List<Integer> allowed = allowed();
        return new Placement(
                allowed.getFirst(), allowed.size() > 1 ? allowed.get(1) : allowed.getFirst(), niceness(software));
    }

    /**
     * {@return two given processors}
     *
     * @param processors of the servers and of the clients
     * @param software whether the device is software
     */
    static Placement on(List<Integer> processors, boolean software) {
        List<Integer> allowed = allowed();
        if (processors.size() != 2 || !allowed.containsAll(processors)) {
            throw new BenchFailure("--cpus takes two of the processors that this process may use: " + allowed);
        }
        return new Placement(processors.getFirst(), processors.getLast(), niceness(software));
    }

    private static int niceness(boolean software) {
        return software ? BEHIND_THE_KERNEL : 0;
    }

    private static List<Integer> allowed() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(ALLOWED))
                    .findFirst()
                    .map(line -> numbers(line.substring(ALLOWED.length())))
                    .orElse(List.of(0));
        } catch (IOException _) {
            return List.of(0);
        }
    }

    /** {@return the numbers of a list like 0-1,4} */
    static List<Integer> numbers(String list) {
        return Stream.of(list.strip().split(","))
                .map(range -> range.split("-"))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .toList();
    }

    /** Places the thread that polls, by its number in the kernel; the compilers of its virtual machine stay free. */
    void placeServer(String thread) {
        place(server, thread);
    }

    /** As {@link #placeServer}. */
    void placeClient(String thread) {
        place(client, thread);
    }

    private void place(int processor, String thread) {
        run(thread, "taskset", "-c", "-p", Integer.toString(processor), thread);
        run(thread, "renice", "-n", Integer.toString(niceness), "-p", thread);
    }

    /** That an end is lost meanwhile is told by who next listens to it, with its status. */
    private static void run(String thread, String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0 && Files.exists(Path.of("/proc", thread))) {
                throw new BenchFailure("'" + String.join(" ", command) + "' failed: " + said.strip());
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot run " + command[0] + ", which is in util-linux: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted while " + command[0] + " ran", e);
        }
    }

    @Override
    public String toString() {
        return "servers on processor " + server + ", clients on " + client + ", niceness " + niceness;
    }
}
