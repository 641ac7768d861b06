package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.attr.GidEntry;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The C program {@code ibv_rc_pingpong}, both ends, run for scale. */
final class CPingpong {
    private static final String PROGRAM = "ibv_rc_pingpong";
    private static final Pattern MEAN = Pattern.compile("\\d+ iters in .* = ([0-9.]+) usec/iter");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private CPingpong() {}

    static boolean isInstalled() {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
    }

    /** The mean round trip that its client reports, microseconds; empty if it fails or takes too long. */
    static OptionalDouble mean(Device device, GidEntry gid, long size, int iterations) {
        Process server = null;
        try {
            List<String> command = command(device, gid, size, iterations, freePort());
            server = start(command);
            command.add("127.0.0.1");
            return client(command, server);
        } catch (IOException _) {
            return OptionalDouble.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return OptionalDouble.empty();
        } finally {
            if (server != null) {
                server.destroyForcibly();
            }
        }
    }

    /** The server may not listen yet when the client first tries; the client itself does not try again. */
    private static OptionalDouble client(List<String> command, Process server)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && server.isAlive()) {
            Process client = start(command);
            try {
                if (!client.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    break;
                }
                if (client.exitValue() == 0) {
                    return meanIn(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                }
            } finally {
                client.destroyForcibly();
            }
            Thread.sleep(100);
        }
        return OptionalDouble.empty();
    }

    static OptionalDouble meanIn(String output) {
        Matcher match = MEAN.matcher(output);
        return match.find() ? OptionalDouble.of(Double.parseDouble(match.group(1))) : OptionalDouble.empty();
    }

    private static List<String> command(Device device, GidEntry gid, long size, int iterations, int port) {
        return new ArrayList<>(List.of(
                PROGRAM,
                "-d",
                device.name(),
                "-i",
                Integer.toString(gid.port()),
                "-g",
                Integer.toString(gid.index()),
                "-s",
                Long.toString(size),
                "-n",
                Integer.toString(iterations),
                "-p",
                Integer.toString(port)));
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** What to say below the table. */
    static List<String> note(boolean measured) {
        if (measured) {
            return List.of(
                    "  C mean: what rdma-core's own ibv_rc_pingpong reports on the same device, for scale; it ran"
                            + " after ours.");
        }
        return isInstalled()
                ? List.of("  C mean: ibv_rc_pingpong failed or took longer than " + PATIENCE.toSeconds() + " s.")
                : List.of(
                        "  C mean: ibv_rc_pingpong is not installed; it is in the package ibverbs-utils (Debian, Ubuntu)"
                                + " or libibverbs-utils (RHEL, Fedora).");
    }
}
