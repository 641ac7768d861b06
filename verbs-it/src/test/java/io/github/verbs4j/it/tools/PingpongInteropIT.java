package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our ping-pongs and the C programs ibv_rc_pingpong and the like, either way round. */
class PingpongInteropIT {
    /** Transport, size, iterations, and what else the C program is told: to wait for events, to check what comes. */
    private static final String RUNS = """
            rc, 1, 1000, ''
            rc, 4096, 1000, -e -c
            rc, 65536, 300, ''
            rc, 1048576, 20, ''
            uc, 1, 500, ''
            uc, 4096, 500, -e -c
            uc, 65536, 200, ''
            ud, 1, 500, ''
            ud, 1024, 500, -e -c
            srq, 1, 1000, ''
            srq, 4096, 1000, -e -c
            srq, 65536, 300, ''
            """;

    @ParameterizedTest(name = "{0}: {1} bytes, {2} iterations {3}")
    @CsvSource(textBlock = RUNS)
    void shouldServeTheCProgram(String transport, int size, int iterations, String more) {
        int port = TcpPort.free();
        CompletableFuture<Shell.Result> server = Tool.start(ours(transport, port, size, iterations));
        TcpPort.awaitListener(port);

        Shell.Result client = Shell.run(theirs(transport, port, size, iterations, more, "127.0.0.1"));

        assertFinished(client, size, iterations);
        assertFinished(Tool.await(server), size, iterations);
    }

    @ParameterizedTest(name = "{0}: {1} bytes, {2} iterations {3}")
    @CsvSource(textBlock = RUNS)
    void shouldBeServedByTheCProgram(String transport, int size, int iterations, String more) {
        int port = TcpPort.free();
        CompletableFuture<Shell.Result> server =
                CompletableFuture.supplyAsync(() -> Shell.run(theirs(transport, port, size, iterations, more)));
        TcpPort.awaitListener(port);

        Shell.Result client = Tool.run(ours(transport, port, size, iterations, "127.0.0.1"));

        assertFinished(client, size, iterations);
        assertFinished(Tool.await(server), size, iterations);
    }

    @ParameterizedTest(name = "{0}: {1} bytes, {2} iterations")
    @CsvSource(textBlock = RUNS)
    void shouldServeItself(String transport, int size, int iterations) {
        int port = TcpPort.free();
        CompletableFuture<Shell.Result> server = Tool.start(ours(transport, port, size, iterations));

        Shell.Result client = Tool.run(ours(transport, port, size, iterations, "127.0.0.1"));

        assertFinished(client, size, iterations);
        assertFinished(Tool.await(server), size, iterations);
    }

    /** Both programs say the same two lines first. */
    private static void assertFinished(Shell.Result end, int size, int iterations) {
        assertEquals(0, end.status(), end.output());
        long bytes = 2L * size * iterations;
        assertTrue(end.output().contains(bytes + " bytes in "), end.output());
        assertTrue(end.output().contains(iterations + " iters in "), end.output());
        assertFalse(end.output().contains("invalid data"), end.output());
    }

    private static String[] ours(String transport, int port, int size, int iterations, String... host) {
        List<String> command = new ArrayList<>(List.of("pingpong", transport));
        command.addAll(options(port, size, iterations));
        command.addAll(List.of(host));
        return command.toArray(String[]::new);
    }

    private static List<String> theirs(
            String transport, int port, int size, int iterations, String more, String... host) {
        List<String> command = new ArrayList<>(List.of("ibv_" + transport + "_pingpong"));
        command.addAll(options(port, size, iterations));
        more.lines().flatMap(line -> Stream.of(line.split(" "))).forEach(command::add);
        command.addAll(List.of(host));
        return command;
    }

    private static List<String> options(int port, int size, int iterations) {
        try (DeviceContext context = Rdma.open()) {
            return List.of(
                    "-d", context.device().name(),
                    "-i", "" + Rdma.port(),
                    "-g", "" + Rdma.gid(context).index(),
                    "-p", "" + port,
                    "-s", "" + size,
                    "-n", "" + iterations);
        }
    }
}
