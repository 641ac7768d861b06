package io.github.verbs4j.tools;

import io.github.verbs4j.Completions;
import io.github.verbs4j.SendQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The ping-pong over several connections at a time: on each, an end sends again when its own send has completed and the
 * peer's message has come, until all together have sent and received enough, as {@code ibv_srq_pingpong} does. Memory: what
 * is sent, then what is received.
 */
final class SharedRoundTrips {
    private static final long SEND = 2;

    private final SharedEndpoint endpoint;
    private final PingpongOptions options;
    private final Map<Integer, Connection> connections = new HashMap<>();
    private final Supplier<String> stalled = this::stalled;
    private final StandingReceives receives;
    private int sent;
    private int received;

    private static final class Connection {
        private final SendQueue sends;
        private boolean sending;
        private boolean awaiting = true;

        Connection(SendQueue sends) {
            this.sends = sends;
        }
    }

    SharedRoundTrips(SharedEndpoint endpoint, PingpongOptions options) {
        this.endpoint = endpoint;
        this.options = options;
        this.receives = new StandingReceives(
                endpoint.receives(),
                endpoint.memory(),
                options.size(),
                options.size(),
                options.depth(),
                endpoint.sends().size());
        for (int i = 0; i < endpoint.sends().size(); i++) {
            connections.put(
                    endpoint.queuePairs().get(i).number(),
                    new Connection(endpoint.sends().get(i)));
        }
    }

    /** Posts receives up to the depth. */
    void postReceives() {
        receives.post();
    }

    /** Plays; returns how long it took, nanoseconds. */
    long run() {
        long start = System.nanoTime();
        if (options.isClient()) {
            connections.values().forEach(this::send);
        }
        while (sent < options.iterations() || received < options.iterations()) {
            take(Endpoint.await(endpoint.completions(), options.patience(), stalled));
        }
        return System.nanoTime() - start;
    }

    private void take(Completions completions) {
        while (completions.next()) {
            if (!completions.isSuccess()) {
                throw Trouble.failed(completions, options.size(), options.iterations(), done());
            }
            Connection connection = connections.get(completions.queuePairNumber());
            if (completions.isReceive()) {
                receive(completions.byteLength());
                connection.awaiting = false;
            } else {
                sent++;
                connection.sending = false;
            }
            if (!connection.sending && !connection.awaiting && sent < options.iterations()) {
                send(connection);
            }
        }
    }

    private void send(Connection connection) {
        connection.sending = true;
        connection.awaiting = true;
        Endpoint.requirePosted(connection
                .sends
                .send(SEND, endpoint.memory(), 0, options.size())
                .signaled()
                .post());
    }

    private void receive(long length) {
        Trouble.requireLength(length, options.size());
        received++;
        receives.taken();
    }

    private String stalled() {
        return "nothing came for " + options.patience().toSeconds() + " s after " + done()
                + ": see the peer's output, whether transport, -n, -s and -q are the same at both ends, and whether packets get"
                + " through (GIDs, MTU, firewall)";
    }

    private String done() {
        return received + " of " + options.iterations() + " round trips";
    }
}
