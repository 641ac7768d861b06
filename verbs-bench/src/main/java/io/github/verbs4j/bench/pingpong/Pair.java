package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.bench.BenchFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The two ends of one language, connected to each other. */
final class Pair implements AutoCloseable {
    /** Four starts at a time on an emulated machine with busy processors. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final Duration PATIENCE_WITH_MESSAGE = Duration.ofMillis(20);

    private static final Duration LOOK = Duration.ofMillis(20);

    /** Looks in a row that see all threads asleep: a compiler may pause for a moment. */
    private static final int AT_REST = 3;

    private final EndProcess server;
    private final EndProcess client;

    private Pair(EndProcess server, EndProcess client) {
        this.server = server;
        this.client = client;
    }

    /**
     * Starts both ends.
     *
     * @param language for messages
     * @param command of each end
     * @param directory where their error streams are kept
     * @param inbox where what they say goes
     */
    static Pair start(String language, List<String> command, Path directory, Inbox inbox) {
        EndProcess server = EndProcess.start("the " + language + " server", command, directory, inbox);
        boolean started = false;
        try {
            EndProcess client = EndProcess.start("the " + language + " client", command, directory, inbox);
            started = true;
            return new Pair(server, client);
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    /** Places them, and lets them meet. */
    void connect(Placement placement) {
        placement.placeServer(server.await("thread", PATIENCE));
        placement.placeClient(client.await("thread", PATIENCE));
        String serverAddress = server.await("address", PATIENCE);
        String clientAddress = client.await("address", PATIENCE);
        server.tell("connect " + clientAddress);
        server.await("connected", PATIENCE);
        client.tell("connect " + serverAddress);
        client.await("connected", PATIENCE);
    }

    /** {@return how long each round trip took, nanoseconds, by the client's clock} Then both are at rest. */
    long[] run(int size, int iterations) {
        Duration patience = PATIENCE.plus(PATIENCE_WITH_MESSAGE.multipliedBy(iterations));
        server.tell("pong " + size + " " + iterations);
        server.await("ready", patience);
        client.tell("ping " + size + " " + iterations);
        String times = client.await("times", patience);
        server.await("done", patience);
        rest();
        return Arrays.stream(times.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Waits until both processes do nothing: what the compilers of a virtual machine still do would meet the next turn. */
    private void rest() {
        int quiet = 0;
        for (long waited = 0; quiet < AT_REST && waited < PATIENCE.toMillis(); waited += LOOK.toMillis()) {
            sleep();
            quiet = server.isAtRest() && client.isAtRest() ? quiet + 1 : 0;
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted between two turns", e);
        }
    }

    void kill() {
        server.kill();
        client.kill();
    }

    @Override
    public void close() {
        try (server) {
            client.close();
        }
    }
}
