package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the present thread allocates, by the virtual machine's own counter: exact to the byte, and reading it costs nothing.
 *
 * <p>Until the code is compiled, method handles of the interpreter may allocate, so the best of some series counts: what
 * the product allocates it allocates in every one of them.
 */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SERIES = 5;

    private Allocation() {}

    static void assertAllocatesNothing(Runnable round) {
        assertAllocatesNothing(20_000, round);
    }

    static void assertAllocatesNothing(int rounds, Runnable round) {
        assertEquals(0, of(rounds, round), "bytes in " + rounds + " rounds");
    }

    /** Bytes in the best of some series. */
    static long of(int rounds, Runnable round) {
        long best = Long.MAX_VALUE;
        for (int series = 0; series < SERIES; series++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                round.run();
            }
            best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return best;
    }
}
