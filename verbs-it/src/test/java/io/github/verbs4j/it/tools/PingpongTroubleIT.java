package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SideBySide;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ping-pongs whose ends do not fit each other, or of which one is gone: both end, and say why in a line. */
class PingpongTroubleIT {
    private static final String PATIENCE = "4";

    private final int port = TcpPort.free();

    @ParameterizedTest
    @SideBySide
    @ValueSource(strings = {"rc", "uc", "ud", "srq"})
    void shouldTellThatTheSizesDiffer(String transport) {
        CompletableFuture<Shell.Result> server = server(transport, "-s", "64");
        Shell.Result client = client(transport, "-s", "65");

        assertFailed(client);
        assertTrue(assertFailed(Tool.await(server)).contains("-s"), client.output());
    }

    @ParameterizedTest
    @SideBySide
    @CsvSource({
        "rc, the peer sends no more",
        "uc, a message was lost and nothing repeats it",
        "ud, a message was lost and nothing repeats it",
    })
    void shouldTellThatThePeerSendsNoMore(String transport, String reason) {
        CompletableFuture<Shell.Result> server = server(transport, "-n", "20", "-r", "20");
        Shell.Result client = client(transport, "-n", "7", "-r", "20");

        assertEquals(0, client.status(), client.output());
        String said = assertFailed(Tool.await(server));
        assertTrue(said.contains("nothing came for " + PATIENCE + " s after"), said);
        assertTrue(said.contains(reason), said);
    }

    @ParameterizedTest
    @SideBySide
    @CsvSource({"rc, uc", "uc, ud", "ud, rc", "srq, ud", "uc, srq"})
    void shouldTellThatTheTransportsDiffer(String ours, String theirs) {
        CompletableFuture<Shell.Result> server = server(ours);
        Shell.Result client = client(theirs);

        assertFailed(client);
        String said = assertFailed(Tool.await(server));
        assertTrue((client.output() + said).contains("transport"), client.output() + said);
    }

    @ParameterizedTest
    @SideBySide
    @ValueSource(strings = {"rc", "uc", "ud", "srq"})
    void shouldEndWhenThePeerIsKilled(String transport) throws Exception {
        CompletableFuture<Shell.Result> server = server(transport, "-n", "10000000");
        TcpPort.awaitListener(port);
        Process peer = new ProcessBuilder(program(transport)).start();
        TcpPort.awaitMeeting(port);
        Thread.sleep(300);
        assertTrue(peer.isAlive());
        peer.destroyForcibly().waitFor();

        assertFailed(Tool.await(server));
    }

    private List<String> program(String transport) {
        try (DeviceContext context = Rdma.open()) {
            return List.of(
                    "ibv_" + transport + "_pingpong",
                    "-d",
                    context.device().name(),
                    "-g",
                    "" + Rdma.gid(context).index(),
                    "-n",
                    "10000000",
                    "-p",
                    "" + port,
                    "127.0.0.1");
        }
    }

    @ParameterizedTest
    @SideBySide
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: verbs4j.example\r\nUser-Agent: somebody/1.0\r\n\r\n",
                "0000:000011:abcdef:00000000000000000000000000000000\0",
                "0000:000000:000000:00000000000000000000ffff0a090001\0",
                "0000:ffffff:ffffff:ffffffffffffffffffffffffffffffff\0done\0",
                "0000:000011:abcdef:00000000000000000000ffff0a090001\0don't",
            })
    void shouldSurviveAStrangerAtItsTcpPort(String said) throws IOException {
        for (String transport : List.of("rc", "uc", "ud")) {
            CompletableFuture<Shell.Result> server = server(transport);
            TcpPort.awaitListener(port);
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                stranger.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
                assertFailed(Tool.await(server));
            }
        }
    }

    @Test
    @SideBySide
    void shouldRefuseADatagramOfMoreThanAPacket() {
        try (DeviceContext context = Rdma.open()) {
            PortAttributes attributes = context.port(Rdma.port());
            int packet = attributes.activeMtu().bytes();
            Shell.Result result = Tool.run("pingpong", "ud", "-s", "" + (packet + 1));

            assertEquals(
                    "verbs pingpong ud: size (-s) " + (packet + 1) + " is over " + packet
                            + " bytes, the active MTU of port " + Rdma.port() + " of "
                            + context.device().name() + ": a datagram is one packet",
                    assertFailed(result));
        }
    }

    @Test
    @SideBySide
    void shouldTellThatThePeerHasOtherConnections() {
        CompletableFuture<Shell.Result> server = server("srq", "-q", "3");
        assertFailed(client("srq", "-q", "2"));

        String said = assertFailed(Tool.await(server));
        assertTrue(said.contains("the peer has 2 connections, we have 3"), said);
    }

    private CompletableFuture<Shell.Result> server(String transport, String... options) {
        return Tool.start(line(transport, options, new String[0]));
    }

    private Shell.Result client(String transport, String... options) {
        return Tool.run(line(transport, options, "127.0.0.1"));
    }

    private String[] line(String transport, String[] options, String... host) {
        return Stream.of(new String[] {"pingpong", transport, "-p", "" + port, "--patience", PATIENCE}, options, host)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    /** The reason, which is one line and no stack trace. */
    private static String assertFailed(Shell.Result end) {
        assertEquals(1, end.status(), end.output());
        List<String> reasons = end.output()
                .lines()
                .filter(line -> line.startsWith("verbs pingpong "))
                .toList();
        assertEquals(1, reasons.size(), end.output());
        assertFalse(end.output().contains("\tat "), end.output());
        assertFalse(end.output().contains("unexpected "), end.output());
        return reasons.getFirst();
    }
}
