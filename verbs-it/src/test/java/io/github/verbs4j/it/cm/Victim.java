package io.github.verbs4j.it.cm;

import io.github.verbs4j.bench.build.CProgram;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that is one end of a connection, goes so far and no further, and is stopped or killed there. It is in C, for what
 * the other end is told does not depend on it, and it starts at once.
 */
final class Victim implements AutoCloseable {
    /** How far it goes. */
    enum Phase {
        /** A server that never looks at its requests. */
        LISTENING,
        /** A server that has taken a request, and does nothing about it. */
        TAKEN,
        /** A server that ends itself as soon as it has accepted, whatever the peer answers. */
        ACCEPTED,
        /** A server that is connected. */
        SERVING,
        /** A client that has asked. */
        ASKING,
        /** A client that is connected. */
        CONNECTED
    }

    /** What it runs, compiled once for a class. */
    record Program(Path file) {
        static Program compiledIn(Path directory) {
            return new Program(CProgram.program(directory, "victim", List.of("-lrdmacm", "-libverbs"), "victim.c"));
        }

        /** A server; {@link #await} the phase LISTENING, which tells its port. */
        Victim server(Phase phase) {
            return start(phase, 0);
        }

        /** A client of a server. */
        Victim client(Phase phase, InetSocketAddress server) {
            return start(phase, server.getPort());
        }

        private Victim start(Phase phase, int port) {
            try {
                return new Victim(new ProcessBuilder(file.toString(), phase.name(), "10.9.0.1", Integer.toString(port))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Process process;
    private final BufferedReader said;

    private Victim(Process process) {
        this.process = process;
        this.said = process.inputReader();
    }

    /** The number that it says when it has got so far. */
    int await(Phase phase) {
        try {
            String line = said.readLine();
            while (line != null && !line.startsWith(phase + " ")) {
                line = said.readLine();
            }
            if (line == null) {
                throw new AssertionError("it ended before it was " + phase + ", with status " + process.waitFor());
            }
            return Integer.parseInt(line.substring(line.indexOf(' ') + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Not a thread of it runs any more; its kernel goes on. */
    void stop() {
        Shell.output("kill", "-STOP", Long.toString(process.pid()));
    }

    /** Ends it as the kernel does to what takes too much memory. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    void awaitEnd() {
        Watchdog.await("the end of the process", () -> !process.isAlive());
    }

    @Override
    public void close() {
        kill();
    }
}
