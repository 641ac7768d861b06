package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the kernel holds on the device for everybody, and our open files.
 *
 * @param resources the line of the command {@code rdma resource show}: domains, queues, queue pairs, regions, contexts, identifiers
 *     of connections
 * @param files open files of this process
 */
public record Holdings(String resources, long files) {
    /** {@return what it is now} */
    public static Holdings now() {
        return new Holdings(held(), openFiles());
    }

    private static String held() {
        return Shell.output("rdma", "resource", "show")
                .lines()
                .filter(line -> line.contains(" " + Rdma.device().name() + ": "))
                .findFirst()
                .orElseThrow();
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@return how many there are of a kind}
     *
     * @param kind {@code qp} for example
     */
    public long count(String kind) {
        Matcher matcher = Pattern.compile("\\b" + kind + " (\\d+)").matcher(resources);
        assertTrue(matcher.find(), resources);
        return Long.parseLong(matcher.group(1));
    }

    /** Waits until the kernel holds again what it held then, and fails if it does not, or if we have more open files. */
    public void requireAgain() {
        Watchdog.await("resources to be as before: " + resources, () -> held().equals(resources));
        assertTrue(openFiles() <= files, () -> openFiles() + " open files, " + files + " before");
    }
}
