package io.github.verbs4j.tools;

import io.github.verbs4j.Completions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The ping-pong itself: a message there, a message back. An end sends again when its own send has completed and the
 * peer's message has come, as {@code ibv_rc_pingpong} and its like do. Memory: what is sent, then what is received.
 */
final class RoundTrips {
    private static final long SEND = 2;

    private final Endpoint<?> endpoint;
    private final boolean client;
    private final long room;
    private final Duration patience;
    private final StandingReceives receives;
    private final Supplier<String> stalled = this::stalled;

    // of the present run
    private long size;
    private int iterations;
    private boolean validate;
    private int started;
    private int sent;
    private int received;
    private boolean sending;
    private boolean myTurn;

    /**
     * Makes one.
     *
     * @param endpoint of memory twice the room
     * @param client whether this end begins
     * @param room for the largest message, bytes
     * @param depth receives to keep posted, at most
     * @param patience how long nothing may come
     */
    RoundTrips(Endpoint<?> endpoint, boolean client, long room, int depth, Duration patience) {
        this.endpoint = endpoint;
        this.client = client;
        this.room = room;
        this.patience = patience;
        this.receives = new StandingReceives(
                endpoint.receives(), endpoint.memory(), room, endpoint.headroom() + room, depth, 1);
    }

    /** Posts receives up to the depth; the queue pair is in INIT or later. */
    void postReceives() {
        receives.post();
    }

    /**
     * Plays.
     *
     * @param size of each message, bytes
     * @param iterations messages in each direction
     * @param validate whether each message carries, and is held against, its own contents
     * @param times where the client's times go, nanoseconds each
     * @param progress told after each iteration
     * @return how long it took, nanoseconds
     */
    long run(long size, int iterations, boolean validate, LongConsumer times, Progress progress) {
        begin(size, iterations, validate);
        long start = System.nanoTime();
        long sentAt = start;
        while (sent < iterations || received < iterations) {
            if (myTurn && !sending && started < iterations) {
                sentAt = send();
            }
            take(endpoint.await(patience, stalled));
            if (myTurn && !sending) {
                long now = System.nanoTime();
                if (client) {
                    times.accept(now - sentAt);
                    check(received - 1);
                }
                progress.at(received, now);
            }
        }
        return System.nanoTime() - start;
    }

    private void begin(long size, int iterations, boolean validate) {
        this.size = size;
        this.iterations = iterations;
        this.validate = validate;
        this.started = 0;
        this.sent = 0;
        this.received = 0;
        this.sending = false;
        this.myTurn = client;
    }

    /** Sends the next message; returns when that was. */
    private long send() {
        if (validate) {
            if (!client) {
                check(started);
            }
            Payload.fill(endpoint.memory().segment(), 0, size, Payload.seed(client, started));
        }
        started++;
        myTurn = false;
        sending = true;
        long now = System.nanoTime();
        endpoint.send(SEND, 0, size);
        return now;
    }

    private void take(Completions completions) {
        while (completions.next()) {
            if (!completions.isSuccess()) {
                throw Trouble.failed(completions, size, iterations, done());
            }
            if (completions.isReceive()) {
                receive(completions);
            } else {
                sent++;
                sending = false;
            }
        }
    }

    private void receive(Completions completions) {
        receives.taken();
        if (endpoint.isOfPeer(completions)) {
            Trouble.requireLength(completions.byteLength() - endpoint.headroom(), size);
            received++;
            myTurn = true;
        }
    }

    /** Holds the message that came last, number {@code iteration}, against what it must be. */
    private void check(int iteration) {
        if (!validate) {
            return;
        }
        long seed = Payload.seed(!client, iteration);
        MemorySegment message = endpoint.memory().segment().asSlice(room + endpoint.headroom(), size);
        long wrong = Payload.mismatch(message, 0, size, seed);
        if (wrong >= 0) {
            throw new CommandFailure(String.format(
                    "iteration %d: byte %d of the %d received is 0x%02x, not 0x%02x (is --validate given at both ends?)",
                    iteration, wrong, size, message.get(ValueLayout.JAVA_BYTE, wrong), Payload.expected(seed, wrong)));
        }
    }

    private String stalled() {
        return "nothing came for " + patience.toSeconds() + " s after " + done() + ": "
                + Trouble.silence(endpoint.isReliable(), sending);
    }

    private String done() {
        return received + " of " + iterations + " round trips";
    }
}
