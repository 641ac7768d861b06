package io.github.verbs4j.bench.suite;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many batches a second, with one under way while the next is staged, but for the requests, which wait for their
 * answers. The counters tell messages and bytes.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"})
@State(Scope.Thread)
public class ThroughputBenchmark {
    /** The largest batch that there is room for. */
    static final int LARGEST_BATCH = 64;

    /** Requests in one post, 1 to 64. */
    @Param({"1", "16", "64"})
    public int batch;

    /** What went through. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Moved {
        /** Messages, or one-sided operations. */
        public long messages;

        /** Their bytes. */
        public long bytes;

        /** Made by JMH. */
        public Moved() {}

        private void count(long many, Link<?> link) {
            messages += many;
            bytes += many * link.bytes();
        }
    }

    /** Made by JMH. */
    public ThroughputBenchmark() {}

    /**
     * Messages, sent and received.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void send(Connection link, Moved moved) {
        link.send(batch);
        link.advance(batch);
        moved.count(batch, link);
    }

    /**
     * RDMA writes.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void write(Connection link, Moved moved) {
        link.write(batch);
        link.advance(batch);
        moved.count(batch, link);
    }

    /**
     * RDMA reads.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void read(Connection link, Moved moved) {
        link.read(batch);
        link.advance(batch);
        moved.count(batch, link);
    }

    /**
     * Requests and their answers, both sent and received; both count.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void rpc(Connection link, Moved moved) {
        link.request(batch);
        link.settle();
        moved.count(2L * batch, link);
    }

    /**
     * Atomic additions.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void fetchAndAdd(Counter link, Moved moved) {
        link.fetchAndAdd(batch);
        link.advance(batch);
        moved.count(batch, link);
    }

    /**
     * Atomic compares and swaps.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void compareAndSwap(Counter link, Moved moved) {
        link.compareAndSwap(batch);
        link.advance(batch);
        moved.count(batch, link);
    }

    /**
     * Datagrams, sent and received.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void datagram(Datagrams link, Moved moved) {
        link.send(batch);
        link.advance(batch);
        moved.count(batch, link);
    }

    /**
     * Datagrams and their answers, both sent and received; both count.
     *
     * @param link the two ends
     * @param moved counts
     */
    @Benchmark
    public void datagramRpc(Datagrams link, Moved moved) {
        link.request(batch);
        link.settle();
        moved.count(2L * batch, link);
    }
}
