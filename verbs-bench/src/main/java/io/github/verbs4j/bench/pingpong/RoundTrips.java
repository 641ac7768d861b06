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
        long start = System.nanoTime();
        for (int i = 0; i < times.length; i++) {
            long stop = roundTrip(size);
            times[i] = stop - start;
            start = stop;
        }
    }

    /** Answers each message with one. */
    void pong(int size, int iterations) {
        int sending = 0;
        for (int i = 0; i < iterations; i++) {
            answer(sending, size);
            sending = 1;
        }
        await(sending, size);
    }

    // Methods of their own: a turn is too short for the loops around them, which the virtual machine only interprets.
    private long roundTrip(int size) {
        send(size);
        await(2, size);
        return System.nanoTime();
    }

    private void answer(int sending, int size) {
        await(1 + sending, size);
        send(size);
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
