package io.github.verbs4j.bench.suite;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** How long one message takes, from staging to the last completion that it has at either end. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"})
public class LatencyBenchmark {
    /** Made by JMH. */
    public LatencyBenchmark() {}

    /**
     * A message, sent and received.
     *
     * @param link the two ends
     */
    @Benchmark
    public void send(Connection link) {
        link.send(1);
        link.settle();
    }

    /**
     * An RDMA write.
     *
     * @param link the two ends
     */
    @Benchmark
    public void write(Connection link) {
        link.write(1);
        link.settle();
    }

    /**
     * An RDMA read.
     *
     * @param link the two ends
     */
    @Benchmark
    public void read(Connection link) {
        link.read(1);
        link.settle();
    }

    /**
     * A request and its answer, both sent and received.
     *
     * @param link the two ends
     */
    @Benchmark
    public void rpc(Connection link) {
        link.request(1);
        link.settle();
    }

    /**
     * An atomic addition.
     *
     * @param link the two ends
     */
    @Benchmark
    public void fetchAndAdd(Counter link) {
        link.fetchAndAdd(1);
        link.settle();
    }

    /**
     * An atomic compare and swap.
     *
     * @param link the two ends
     */
    @Benchmark
    public void compareAndSwap(Counter link) {
        link.compareAndSwap(1);
        link.settle();
    }

    /**
     * A datagram, sent and received.
     *
     * @param link the two ends
     */
    @Benchmark
    public void datagram(Datagrams link) {
        link.send(1);
        link.settle();
    }

    /**
     * A datagram and its answer, both sent and received.
     *
     * @param link the two ends
     */
    @Benchmark
    public void datagramRpc(Datagrams link) {
        link.request(1);
        link.settle();
    }
}
