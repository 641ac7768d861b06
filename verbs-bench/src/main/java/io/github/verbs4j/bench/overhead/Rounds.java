package io.github.verbs4j.bench.overhead;

import java.util.Arrays;

/** The times of the rounds of one iteration. */
final class Rounds {
    private static final int WAYS = 3;
    /** More than fit into an iteration; what comes after does not count. */
    private static final int CAPACITY = 1 << 16;

    private final double[][] nanosPerRequest = new double[WAYS][CAPACITY];
    private int count;
    private long requests;
    private long bytes;

    void clear() {
        count = 0;
        requests = 0;
        bytes = 0;
    }

    void time(int way, long nanos, long requests) {
        nanosPerRequest[way][Math.min(count, CAPACITY - 1)] = (double) nanos / requests;
        this.requests += requests;
    }

    void end(long allocated) {
        count = Math.min(count + 1, CAPACITY - 1);
        bytes += allocated;
    }

    double median(int way) {
        return median(Arrays.copyOf(nanosPerRequest[way], count));
    }

    /** The median over the rounds of the way's time by that of C in the same round. */
    double medianRatio(int way) {
        double[] ratios = new double[count];
        for (int round = 0; round < count; round++) {
            ratios[round] = nanosPerRequest[way][round] / nanosPerRequest[0][round];
        }
        return median(ratios);
    }

    double bytesPerRequest() {
        return requests == 0 ? 0 : (double) bytes / requests;
    }

    static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        if (values.length == 0) {
            return 0;
        }
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
