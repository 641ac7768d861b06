package io.github.verbs4j.internal;

import java.util.concurrent.locks.LockSupport;

/**
 * What a completion event of one queue rings, and the thread that waits for the queue sleeps beside. It may ring for
 * nothing: who hears it looks, and sleeps again.
 *
 * <p>One listener at a time; anyone may ring.
 */
public final class Bell {
    private final int number;
    private final boolean mute;
    private volatile Thread listener;
    private volatile boolean rung;

    private Bell(int number, boolean mute) {
        this.number = number;
        this.mute = mute;
    }

    /** A bell that events with this number ring. */
    static Bell ofNumber(int number) {
        return new Bell(number, false);
    }

    /** {@return the bell of a queue without events, which nobody rings} */
    public static Bell mute() {
        return new Bell(0, true);
    }

    boolean isMute() {
        return mute;
    }

    /** {@return what the queue's user pointer says, and its events with it} */
    public int number() {
        return number;
    }

    /** Wakes the listener, or whoever listens next before it is silenced. */
    public void ring() {
        rung = true;
        Thread thread = listener;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Makes the calling thread the one that it wakes. */
    public void listen() {
        listener = Thread.currentThread();
    }

    /** Wakes nobody any more. */
    public void leave() {
        listener = null;
    }

    /** Forgets that it rang. Before the event is asked for, never after: that could be this very event. */
    void silence() {
        rung = false;
    }

    /**
     * Sleeps until it rings, unless it rang already; or for no reason.
     *
     * @param nanoseconds at most
     */
    public void sleep(long nanoseconds) {
        if (!rung) {
            LockSupport.parkNanos(this, nanoseconds);
        }
    }
}
