package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees of the tools on a machine with a device. */
class ToolsIT {
    @Test
    void shouldListTheDevice() {
        Shell.Result result = Tool.run("devices");

        assertEquals(0, result.status(), result.output());
        assertTrue(result.output().contains(Rdma.device().name()), result.output());
    }

    @Test
    void shouldTellTheGidTable() {
        Shell.Result result = Tool.run("devinfo", "-d", Rdma.device().name(), "-v");

        assertEquals(0, result.status(), result.output());
        try (DeviceContext context = Rdma.open()) {
            context.gids(Rdma.port())
                    .entries()
                    .forEach(entry ->
                            assertTrue(result.output().contains(entry.gid().toString()), result.output()));
        }
    }

    @Test
    void shouldNameTheDevicesThereAreWhenAskedForAnother() {
        Shell.Result result = Tool.run("devinfo", "-d", "no_such_device");

        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains(Rdma.device().name()), result.output());
        assertFalse(result.output().contains("\tat "), result.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "uc", "ud"})
    void shouldValidateEveryByteBetweenTwoJavaEnds(String transport) {
        String port = "" + TcpPort.free();
        CompletableFuture<Shell.Result> server =
                Tool.start("pingpong", transport, "-p", port, "-n", "200", "--validate");
        Shell.Result client = Tool.run("pingpong", transport, "-p", port, "-n", "200", "--validate", "127.0.0.1");

        assertEquals(0, client.status(), client.output());
        assertTrue(client.output().contains("every byte of 200 messages was as it must be"), client.output());
        Troubleshooting.line("A3").when("TCP").mustBeIn(client.output());
        Shell.Result served = Tool.await(server);
        assertEquals(0, served.status(), served.output());
    }

    @Test
    void shouldShareReceivesBetweenTwoJavaEnds() {
        CompletableFuture<Shell.Result> server = Tool.start("pingpong", "srq", "-p", "18601", "-n", "200", "-q", "3");
        Shell.Result client = Tool.run("pingpong", "srq", "-p", "18601", "-n", "200", "-q", "3", "127.0.0.1");

        assertEquals(0, client.status(), client.output());
        assertTrue(client.output().contains("200 iters in "), client.output());
        Shell.Result served = Tool.await(server);
        assertEquals(0, served.status(), served.output());
        assertEquals(
                3,
                served.output()
                        .lines()
                        .filter(line -> line.contains("remote address"))
                        .count(),
                served.output());
    }

    @Test
    void shouldRefuseAnEmptyRowOfTheGidTable() {
        Shell.Result result = Tool.run("pingpong", "rc", "-g", "200");

        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("200"), result.output());
        assertFalse(result.output().contains("\tat "), result.output());
    }

    @Test
    void shouldShowTheDemo() {
        Shell.Result result = Tool.run("demo", "--quick");

        assertEquals(0, result.status(), result.output());
        assertTrue(result.output().contains("4096 B"), result.output());
        assertTrue(result.output().contains("RDMA read of 1 MiB"), result.output());
    }
}
