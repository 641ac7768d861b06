package io.github.verbs4j.tools;

import java.time.Duration;
import java.util.List;

/**
 * How much the demo does.
 *
 * @param checked round trips of each size with every byte compared
 * @param warmUp round trips of each size before the measurement
 * @param measured round trips of each size
 * @param ofC round trips of each size that the C program is given, 0 for none
 */
record DemoPlan(int checked, int warmUp, int measured, int ofC) {
    static final DemoPlan FULL = new DemoPlan(100, 2_000, 10_000, 1_000);
    static final DemoPlan QUICK = new DemoPlan(20, 100, 500, 0);

    /** The messages. */
    static final List<Long> SIZES = List.of(64L, 4096L);

    /** Room for the largest of them. */
    static final long ROOM = 4096;

    /** What is written and read in one piece. */
    static final long BLOCK = 1 << 20;

    /** Where it lies, behind what is sent and received. */
    static final long BLOCK_AT = 2 * ROOM;

    /** Receives to keep posted. */
    static final int DEPTH = 64;

    /** With a peer or device that shows no sign of life. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A Java process starts slowly on an emulated machine. */
    static final Duration PATIENCE_WITH_START = Duration.ofSeconds(180);
}
