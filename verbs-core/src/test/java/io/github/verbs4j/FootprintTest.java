package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.RcPath;
import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

/** What a connected queue pair of the default depth keeps on the heap, with its send and its receive queue. */
class FootprintTest extends FakeDevice {
    private static final int WARM_UP = 100;
    private static final int PAIRS = 1000;
    private static final long BUDGET = 2048;
    private static final int COLLECTIONS = 4;

    private QueuePairOptions options;
    private GidEntry gid;

    private RcQueuePair connection() {
        RcQueuePair pair = keep(domain.createRc(options));
        pair.connect(pair.initialize(gid), RcPath.defaults());
        keep(SendQueue.over(pair));
        keep(ReceiveQueue.over(pair));
        return pair;
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    @Test
    void shouldTakeAtMostTwoKibibytesOfHeap() {
        options = QueuePairOptions.sharing(queue).allowOverrun();
        gid = gid();
        RcQueuePair[] pairs = new RcQueuePair[WARM_UP + PAIRS];
        for (int i = 0; i < WARM_UP; i++) {
            pairs[i] = connection();
        }
        long before = used();
        for (int i = WARM_UP; i < pairs.length; i++) {
            pairs[i] = connection();
        }
        long each = (used() - before) / PAIRS;
        Reference.reachabilityFence(pairs);
        assertTrue(each <= BUDGET, () -> each + " bytes of heap for each queue pair");
    }
}
