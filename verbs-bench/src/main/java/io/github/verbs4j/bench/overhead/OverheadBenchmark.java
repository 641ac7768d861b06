package io.github.verbs4j.bench.overhead;

import com.sun.management.ThreadMXBean;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One round of the comparison: C, the raw bindings and the library, one after the other, each about a millisecond, in an
 * order that changes from round to round. What else the machine does then falls on all three alike, and what falls on one
 * is an outlier that the medians over the rounds leave out. Times are those of the thread, so that the time that it had to
 * give up the processor does not count.
 *
 * <p>Run by {@link OverheadCommand}, which compiles the C side and loads the null provider.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class OverheadBenchmark {
    /** The system property that tells the C side's library. */
    static final String C_LIBRARY = "verbs4j.bench.overhead";

    private static final int REQUESTS = 64 * 1024;
    private static final long WARM_UP = TimeUnit.SECONDS.toNanos(1);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The order of the ways in a round; every level follows every other one. */
    private static final int[][] ORDERS = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}};

    /** What is done. */
    @Param("WRITE")
    public Work work;

    /** Requests in one post. */
    @Param("1")
    public int batch;

    /** Queue pairs, used in turn; a power of two. */
    @Param("1")
    public int pairs;

    private Way[] ways;
    private int round;

    /** The medians of an iteration, and the bytes that it allocated. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Figures {
        private final Rounds rounds = new Rounds();

        /** Starts an iteration. */
        @Setup(Level.Iteration)
        public void clear() {
            rounds.clear();
        }

        /** {@return nanoseconds for each request in C} */
        public double c() {
            return rounds.median(0);
        }

        /** {@return nanoseconds for each request through the bindings} */
        public double ffi() {
            return rounds.median(1);
        }

        /** {@return nanoseconds for each request through the library} */
        public double core() {
            return rounds.median(2);
        }

        /** {@return time of the bindings over that of C} */
        public double ffiRatio() {
            return rounds.medianRatio(1);
        }

        /** {@return time of the library over that of C} */
        public double coreRatio() {
            return rounds.medianRatio(2);
        }

        /** {@return bytes that the library and the bindings allocate for each request} */
        public double bytes() {
            return rounds.bytesPerRequest();
        }
    }

    /** Opens the null provider, three times the same objects. */
    @Setup(Level.Trial)
    public void open() {
        DeviceContext context = Device.first().open();
        ways = new Way[] {
            new CWay(Path.of(System.getProperty(C_LIBRARY)), Ends.open(context, pairs)),
            new FfiWay(Ends.open(context, pairs)),
            new CoreWay(Ends.open(context, pairs))
        };
        requireEqualWork();
        warmUp();
    }

    /** By the thread's time as well: on a busy machine a second of the clock may be too short for the compiler. */
    private void warmUp() {
        int batches = Math.max(1, REQUESTS / batch);
        long end = THREADS.getCurrentThreadCpuTime() + WARM_UP;
        while (THREADS.getCurrentThreadCpuTime() < end) {
            for (Way way : ways) {
                way.run(work, batch, batches);
            }
        }
    }

    /** All three must have seen the same completions. */
    private void requireEqualWork() {
        long expected = ways[0].run(work, batch, 100);
        for (Way way : ways) {
            long sum = way.run(work, batch, 100);
            if (sum != expected || sum < 0) {
                throw new IllegalStateException(
                        way.getClass().getSimpleName() + " took completions of sum " + sum + ", C of " + expected);
            }
        }
    }

    /**
     * A round.
     *
     * @param figures where its times go
     * @return the sum of the ids of all completions
     */
    @Benchmark
    public long round(Figures figures) {
        int batches = Math.max(1, REQUESTS / batch);
        long sum = 0;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int way : ORDERS[round++ % ORDERS.length]) {
            long start = THREADS.getCurrentThreadCpuTime();
            sum += ways[way].run(work, batch, batches);
            figures.rounds.time(way, THREADS.getCurrentThreadCpuTime() - start, (long) batches * batch);
        }
        figures.rounds.end(THREADS.getCurrentThreadAllocatedBytes() - before);
        return sum;
    }
}
