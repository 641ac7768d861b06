package io.github.verbs4j.internal;

import java.util.concurrent.TimeUnit;

/**
 * How long one reader of completions has had to wait of late, and so whether to stay awake in the next wait.
 *
 * <p>One thread at a time.
 */
public final class Rhythm {
    /** A wait of up to this is short, nanoseconds. */
    public static final long SHORT = TimeUnit.MILLISECONDS.toNanos(5);

    /** A pause counts no more than this, so that one between two bursts is not remembered for long. */
    private static final long LONGEST = 4 * SHORT;

    private static final int WEIGHT = 8;
    /** Every so many long waits it is tried again: to be woken takes time, which hides that waits are short by now. */
    private static final int TRY = 16;

    private long average;
    private int longWaits;

    /** Begins with the expectation of short waits. */
    public Rhythm() {}

    /** {@return whether to stay awake, for {@link #SHORT} at most, before sleeping} */
    public boolean isQuick() {
        return average <= SHORT || ++longWaits % TRY == 0;
    }

    /**
     * Takes note of a wait.
     *
     * @param nanoseconds how long it was; {@link Long#MAX_VALUE} if nothing came
     */
    public void learn(long nanoseconds) {
        if (nanoseconds <= SHORT && average > SHORT) {
            average = nanoseconds;
        } else {
            average += (Math.min(nanoseconds, LONGEST) - average) / WEIGHT;
        }
    }
}
