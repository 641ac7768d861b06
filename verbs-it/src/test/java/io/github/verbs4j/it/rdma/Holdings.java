package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the kernel holds on the device for everybody, and our open files.
 *
 * @param resources the line of the command {@code rdma resource show}: domains, queues, queue pairs, regions, contexts, identifiers
 *     of connections
 * @param files what is open in this process
 */
public record Holdings(String resources, List<String> files) {
    static { // Java keeps a descriptor from its first socket on, and a failure may be the first to need one
        try {
            new DatagramSocket(null).close();
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

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

    /** What each open descriptor is. */
    private static List<String> openFiles() {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.map(Holdings::target).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
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

    /** Waits until the kernel holds again what it held then, and we have no more open files; fails if it does not come to that. */
    public void requireAgain() {
        try {
            Watchdog.await("resources to be as before", () -> held().equals(resources));
        } catch (AssertionError e) {
            throw new AssertionError("held now: " + held() + ", before: " + resources, e);
        }
        try {
            Watchdog.await("files to be closed", () -> openFiles().size() <= files.size());
        } catch (AssertionError e) {
            throw new AssertionError("open now: " + openFiles() + ", before: " + files, e);
        }
    }
}
