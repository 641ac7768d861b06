package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;

/**
 * What is measured in Java: a message there, a message back, every send signalled, receives replaced by eight. Nothing is
 * allocated.
 */
final class RoundTrips {
    /** Completions taken in one poll. */
    static final int POLL_BATCH = 4;

    /** Receives taken before they are replaced, all in one call. */
    private static final int REFILL = 8;

    /**
     * Round trips that one call makes: a loop is compiled when its method is called often, so a turn is made of many calls.
     * Else it would be interpreted, for a turn is too short to change over while it runs.
     */
    private static final int STRETCH = 10;

    private static final int RECEIVE_ID = 1;
    private static final int SEND_ID = 2;
    /** Polls that find nothing, for one message. */
    private static final int PATIENCE = 1 << 30;

    private final MemoryRegion memory;
    private final long room;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Completions completions;
    private final boolean yielding;
    /** Receives to be replaced. */
    private int taken;

    /**
     * Makes one.
     *
     * @param memory what is sent, then what is received
     * @param room for the longest message, bytes
     * @param yielding whether to let others run after a poll that finds nothing
     */
    RoundTrips(
            MemoryRegion memory,
            long room,
            SendQueue sends,
            ReceiveQueue receives,
            Completions completions,
            boolean yielding) {
        this.memory = memory;
        this.room = room;
        this.sends = sends;
        this.receives = receives;
        this.completions = completions;
        this.yielding = yielding;
    }

    void postReceives(int count) {
        for (int i = 0; i < count; i++) {
            receives.receive(RECEIVE_ID, memory, room, room);
        }
        requirePosted(receives.post(), count);
    }

    /** Sends and awaits the answer; the times are those of each round trip, nanoseconds. */
    void ping(int size, long[] times) {
        for (int from = 0; from < times.length; from += STRETCH) {
            pingStretch(size, times, from, Math.min(from + STRETCH, times.length));
        }
    }

    private void pingStretch(int size, long[] times, int from, int to) {
        long start = System.nanoTime();
        for (int i = from; i < to; i++) {
            send(size);
            await(2, size);
            long stop = System.nanoTime();
            times[i] = stop - start;
            start = stop;
        }
    }

    /** Answers each message with one. */
    void pong(int size, int iterations) {
        int sending = 0;
        for (int left = iterations; left > 0; left -= STRETCH) {
            pongStretch(size, sending, Math.min(left, STRETCH));
            sending = 1;
        }
        await(sending, size);
    }

    private void pongStretch(int size, int sendingBefore, int iterations) {
        int sending = sendingBefore;
        for (int i = 0; i < iterations; i++) {
            await(1 + sending, size);
            send(size);
            sending = 1;
        }
    }

    /** Sends, and only then replaces receives, while the message is on its way. */
    private void send(int size) {
        sends.send(SEND_ID, memory, 0, size).signaled();
        requirePosted(sends.post(), 1);
        if (taken >= REFILL) {
            postReceives(taken);
            taken = 0;
        }
    }

    private static void requirePosted(int posted, int count) {
        if (posted != count) {
            throw new IllegalStateException("no room for a request, although its turn has come");
        }
    }

    private void await(int pending, int size) {
        for (int left = pending; left > 0; ) {
            left -= awaitSome();
            while (completions.next()) {
                take(size);
            }
        }
    }

    // Apart from what is done with a completion, which else seems too rare beside so many polls to be worth a
    // compiler's while.
    private int awaitSome() {
        int idle = 0;
        int count = completions.poll();
        while (count == 0) {
            pause(++idle);
            count = completions.poll();
        }
        return count;
    }

    private void pause(int idle) {
        if (idle == PATIENCE) {
            throw new IllegalStateException("nothing came in " + idle + " polls");
        }
        if (yielding) {
            Thread.yield();
        }
    }

    private void take(int size) {
        completions.requireSuccess();
        if (completions.isReceive()) {
            if (completions.byteLength() != size) {
                throw new IllegalStateException(
                        "a message of " + completions.byteLength() + " bytes came, not " + size);
            }
            taken++;
        }
    }
}
