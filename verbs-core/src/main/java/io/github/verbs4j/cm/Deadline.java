package io.github.verbs4j.cm;

import java.time.Duration;

/**
 * When something has to be there, and what was asked for: of several steps the last one has what the others left of it, and
 * messages tell the whole.
 *
 * @param asked the time for all of it
 * @param begun when it began, as {@link System#nanoTime} tells
 */
record Deadline(Duration asked, long begun) {
    private static final Duration AT_ONCE = Duration.ofNanos(1);

    static Deadline in(Duration timeout) {
        return new Deadline(timeout, System.nanoTime());
    }

    /** More than 0. */
    Duration left() {
        Duration left = asked.minusNanos(System.nanoTime() - begun);
        return left.isPositive() ? left : AT_ONCE;
    }
}
