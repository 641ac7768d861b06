package io.github.verbs4j.it.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark of the suite runs: five shots of each, in this process. */
class SuiteIT {
    private static final List<String> BENCHMARKS = Stream.of("Latency", "Throughput")
            .flatMap(kind -> Stream.of(
                            "compareAndSwap", "datagram", "datagramRpc", "fetchAndAdd", "read", "rpc", "send", "write")
                    .map(name -> kind + "Benchmark." + name))
            .toList();

    private static final int SHOTS = 5;

    private static void run(String size, String inline, String batch, String receives) throws RunnerException {
        var results = new Runner(new OptionsBuilder()
                        .include("bench\\.suite\\.")
                        .mode(Mode.SingleShotTime)
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(SHOTS)
                        .param("device", Rdma.device().name())
                        .param("port", Integer.toString(Rdma.port()))
                        .param("size", size)
                        .param("datagram", Integer.toString(Math.min(Integer.parseInt(size), packet())))
                        .param("inline", inline)
                        .param("batch", batch)
                        .param("receives", receives)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertEquals(
                BENCHMARKS,
                results.stream()
                        .map(result -> result.getParams().getBenchmark().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1"))
                        .sorted()
                        .collect(Collectors.toList()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "64"})
    void shouldRunOnceEach(String batch) throws RunnerException {
        run("4096", "0", batch, "OWN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "65"})
    void shouldSendSmallMessagesInline(String size) throws RunnerException {
        run(size, "64", "16", "OWN");
    }

    @Test
    void shouldShareReceives() throws RunnerException {
        run("64", "0", "64", "SHARED");
    }

    private static int packet() {
        try (DeviceContext context = Rdma.open()) {
            return context.port(Rdma.port()).activeMtu().bytes();
        }
    }
}
