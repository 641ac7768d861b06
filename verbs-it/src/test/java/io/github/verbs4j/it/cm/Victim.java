package io.github.verbs4j.it.cm;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A process that is one end of a connection, goes so far and no further, and is stopped or killed there. */
final class Victim implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

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

    private final Process process;
    private final BufferedReader said;

    private Victim(Process process) {
        this.process = process;
        this.said = process.inputReader();
    }

    /** A server; {@link #await} the phase before LISTENING too, which tells its port. */
    static Victim server(Phase phase) {
        return new Victim(ChildJvm.startHere(Victim.class, phase.name(), "0"));
    }

    /** A client of a server. */
    static Victim client(Phase phase, InetSocketAddress server) {
        return new Victim(ChildJvm.startHere(Victim.class, phase.name(), Integer.toString(server.getPort())));
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

    /** The process. */
    public static void main(String[] arguments) throws Exception {
        Phase phase = Phase.valueOf(arguments[0]);
        InetSocketAddress address = new InetSocketAddress("10.9.0.1", Integer.parseInt(arguments[1]));
        try (ConnectionManager manager = ConnectionManager.open();
                Link link = Link.builder().unconnected()) {
            if (phase.compareTo(Phase.ASKING) < 0) {
                serve(phase, manager.listen(address, 1), link);
            } else {
                ask(phase, manager.connector(address), link);
            }
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }

    private static void serve(Phase phase, Listener listener, Link link) throws Exception {
        say(Phase.LISTENING, listener.address().getPort());
        linger(phase == Phase.LISTENING);
        ConnectionRequest request = listener.await(PATIENCE).orElseThrow();
        say(Phase.TAKEN, 0);
        linger(phase == Phase.TAKEN);
        request.initialize(link.server().queuePair());
        if (phase == Phase.ACCEPTED) {
            request.acceptAsync(TwoEnds.DEFAULTS, PATIENCE);
            Watchdog.await("the acceptance", () -> accepted(link));
            Runtime.getRuntime().halt(9);
        }
        request.accept(TwoEnds.DEFAULTS, PATIENCE);
        say(Phase.SERVING, 0);
        linger(true);
    }

    /** Asking for the state is a system call: when it is RTS, the acceptance is all but sent. */
    private static boolean accepted(Link link) {
        return link.server().queuePair().query().state() == QueuePairState.RTS;
    }

    private static void ask(Phase phase, Connector connector, Link link) throws Exception {
        connector.resolve(PATIENCE).initialize(link.client().queuePair());
        var connecting = connector.connectAsync(TwoEnds.DEFAULTS, PATIENCE);
        say(Phase.ASKING, 0);
        linger(phase == Phase.ASKING);
        Connection connection = connecting.get();
        say(Phase.CONNECTED, connection.source().getPort());
        linger(true);
    }

    private static void say(Phase phase, int number) {
        System.out.println(phase + " " + number);
        System.out.flush();
    }

    /** Until it is killed, or whoever started it is gone. */
    private static void linger(boolean here) throws IOException {
        if (here) {
            System.in.read();
            Runtime.getRuntime().halt(0);
        }
    }
}
