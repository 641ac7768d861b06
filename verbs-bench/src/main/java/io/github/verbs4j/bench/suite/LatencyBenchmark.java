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
    public void send(Link link) {
        link.send(1);
        link.settle();
    }

    /**
     * An RDMA write.
     *
     * @param link the two ends
     */
    @Benchmark
    public void write(Link link) {
        link.write(1);
        link.settle();
    }

    /**
     * An RDMA read.
     *
     * @param link the two ends
     */
    @Benchmark
    public void read(Link link) {
        link.read(1);
        link.settle();
    }

    /**
     * A request and its answer, both sent and received.
     *
     * @param link the two ends
     */
    @Benchmark
    public void rpc(Link link) {
        link.request(1);
        link.settle();
    }
}
