package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The demo's second process, as the first one sees it: orders go down a pipe, each is answered by one line. */
final class PeerProcess implements AutoCloseable {
    /** The answer to an order that was obeyed. */
    static final String OBEYED = "ok";

    /** What stands for the end of its output. */
    private static final String END = "";

    private final Process process;
    private final PrintWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private QueuePairAddress address;
    private RemoteRegion memory;

    private PeerProcess(Process process) {
        this.process = process;
        this.orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("answers of the peer").start(this::listen);
    }

    /**
     * Starts it; it makes its end while we make ours.
     *
     * @param device both use it
     * @param port of the device
     * @param gidIndex row of the GID table, null for the preferred one
     */
    static PeerProcess start(Device device, int port, Integer gidIndex) {
        String gid = gidIndex == null ? DemoPeer.PREFERRED : gidIndex.toString();
        try {
            return new PeerProcess(
                    new ProcessBuilder(ChildJvm.command(DemoPeer.class, device.name(), Integer.toString(port), gid))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new CommandFailure("cannot start a second Java process: " + e.getMessage(), e);
        }
    }

    /** Waits until it has told its address. */
    PeerProcess hello() {
        hello(answer(DemoPlan.PATIENCE_WITH_START));
        return this;
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException _) {
            // the same as its end
        }
        answers.add(END);
    }

    private void hello(String line) {
        String[] words = line.split(" ");
        if (words.length != 5 || !words[0].equals("hello")) {
            throw new CommandFailure("the second Java process said '" + line + "' instead of its address");
        }
        address = QueuePairAddress.parse(words[1]);
        memory = new RemoteRegion(
                Long.parseLong(words[2]), Long.parseLong(words[3]), new RemoteKey(Integer.parseInt(words[4])));
    }

    QueuePairAddress address() {
        return address;
    }

    RemoteRegion memory() {
        return memory;
    }

    void connect(QueuePairAddress mine) {
        order("connect " + mine.toText());
        obeyed();
    }

    /** Lets it take part in a ping-pong; {@link #played} waits for its end. */
    void play(long size, int iterations, boolean validate) {
        order("play " + size + " " + iterations + " " + validate);
    }

    void played() {
        obeyed();
    }

    void fill(long seed) {
        order("fill " + seed);
        obeyed();
    }

    void compare(long seed) {
        order("compare " + seed);
        obeyed();
    }

    private void order(String line) {
        orders.println(line);
    }

    private void obeyed() {
        String answer = answer(DemoPlan.PATIENCE);
        if (!answer.equals(OBEYED)) {
            throw new CommandFailure("the second Java process says: " + answer);
        }
    }

    private String answer(Duration patience) {
        String line;
        try {
            line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while waiting for the second Java process", e);
        }
        if (line == null) {
            throw new CommandFailure("the second Java process did not answer within " + patience.toSeconds() + " s");
        }
        if (line.equals(END)) {
            throw new CommandFailure("the second Java process ended early; its reason is above");
        }
        return line;
    }

    /** Ends it: its input ends, and if that does not do, it is stopped. */
    @Override
    public void close() {
        orders.close();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
