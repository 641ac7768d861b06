package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections made and ended phase by phase, with ourselves and with the C program. */
class CmtimeIT {
    private static final List<String> PHASES = List.of(
            "create id",
            "resolve address",
            "resolve route",
            "create queue pair",
            "initialize queue pair",
            "connect",
            "disconnect",
            "destroy");

    private final int port = CmPort.free();

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.1", "fd09::1"})
    void shouldTimeEachPhase(String address) {
        CompletableFuture<Shell.Result> server = ours("-b", address, "-c", "50");
        CmPort.awaitListener(port);

        String said = Tool.await(ours("-s", address, "-c", "50")).requireSuccess();

        assertTrue(said.startsWith("50 connections to "), said);
        assertTrue(said.contains(" through " + Rdma.device().name()), said);
        for (String phase : PHASES) {
            assertEquals(
                    1,
                    said.lines().filter(line -> line.startsWith(phase + "  ")).count(),
                    said);
        }
        assertTrue(Tool.await(server).requireSuccess().contains("50 connections served"));
    }

    @Test
    void shouldTellOneJsonObject() {
        CompletableFuture<Shell.Result> server = ours("-c", "1");
        CmPort.awaitListener(port);

        String said = Tool.await(ours("-s", "10.9.0.1", "-b", "10.9.0.1", "-c", "1", "--json"))
                .requireSuccess();

        assertTrue(said.startsWith("{") && said.strip().endsWith("}"), said);
        PHASES.forEach(phase -> assertTrue(said.contains("\"phase\" : \"" + phase + "\""), said));
        Tool.await(server).requireSuccess();
    }

    /** From rdma-core 52 on the ends of the C program meet over TCP too, by a protocol that changes from version to version. */
    private static void assumeThatItNeedsNoOtherOfItsKind() {
        String version = Rdma.libraryVersion();
        assumeTrue(
                Integer.parseInt(version.replaceFirst("\\..*", "")) < 52,
                () -> "cmtime of rdma-core " + version + " talks to its own kind only, over TCP");
    }

    @Test
    void shouldServeTheCProgram() {
        assumeThatItNeedsNoOtherOfItsKind();
        CompletableFuture<Shell.Result> server = ours("-c", "20");
        CmPort.awaitListener(port);

        Shell.output("cmtime", "-s", "10.9.0.1", "-p", "" + port, "-c", "20");

        assertTrue(Tool.await(server).requireSuccess().contains("20 connections served"));
    }

    /** Whose server goes on until it is killed. */
    @Test
    void shouldBeServedByTheCProgram() throws Exception {
        assumeThatItNeedsNoOtherOfItsKind();
        Process server = new ProcessBuilder("cmtime", "-b", "10.9.0.1", "-p", "" + port).start();
        try {
            CmPort.awaitListener(port);

            String said = Tool.await(ours("-s", "10.9.0.1", "-c", "20")).requireSuccess();

            assertTrue(said.startsWith("20 connections to 10.9.0.1:" + port), said);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldTellThatNobodyListens() {
        Shell.Result client = Tool.await(ours("-s", "10.9.0.1", "-c", "3"));

        assertEquals(1, client.status(), client.output());
        assertTrue(client.output().contains("verbs cmtime: connect, connection 1 of 3: "), client.output());
        assertTrue(client.output().contains("nobody listens on the port"), client.output());
    }

    @Test
    void shouldServeUntilItIsStopped() {
        Tool.Running server = Tool.begin("cmtime", "-p", "" + port);
        CmPort.awaitListener(port);
        Tool.await(ours("-s", "10.9.0.1", "-c", "2")).requireSuccess();

        server.thread().interrupt();

        String said = Tool.await(server.result()).requireSuccess();
        assertTrue(said.contains("interrupted; 2 connections served"), said);
    }

    private CompletableFuture<Shell.Result> ours(String... options) {
        List<String> line = new ArrayList<>(List.of("cmtime", "-p", "" + port));
        line.addAll(List.of(options));
        return Tool.start(line.toArray(String[]::new));
    }
}
