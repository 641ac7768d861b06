package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Shell;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our rping and the C program, whose command lines are the same, either way round. */
class RpingInteropIT {
    /** Address, size of a ping, pings. 64 KiB less one byte is the most that the C program takes. */
    private static final String RUNS = """
            10.9.0.1, 64, 1000
            10.9.0.1, 4096, 1000
            10.9.0.1, 65535, 1000
            fd09::1, 4096, 1000
            """;

    private final int port = CmPort.free();

    @ParameterizedTest(name = "{0}: {1} bytes, {2} pings")
    @CsvSource(textBlock = RUNS)
    void shouldServeTheCProgram(String address, int size, int count) {
        CompletableFuture<Shell.Result> server = listening(ours("-s", "-a", address, "-V"));

        Tool.await(theirs("-c", "-a", address, "-S", "" + size, "-C", "" + count, "-V"))
                .requireSuccess();

        assertServed(server, count);
    }

    @ParameterizedTest(name = "{0}: {1} bytes, {2} pings")
    @CsvSource(textBlock = RUNS)
    void shouldBeServedByTheCProgram(String address, int size, int count) {
        CompletableFuture<Shell.Result> server = listening(theirs("-s", "-a", address, "-S", "" + size));

        assertPinged(ours("-c", "-a", address, "-S", "" + size, "-C", "" + count, "-V"), size, count);

        Tool.await(server).requireSuccess();
    }

    @ParameterizedTest(name = "{0}: {1} bytes, {2} pings")
    @CsvSource({"10.9.0.1, 65535, 200", "fd09::1, 64, 1000"})
    void shouldServeItself(String address, int size, int count) {
        CompletableFuture<Shell.Result> server = listening(ours("-s", "-a", address, "-V"));

        assertPinged(ours("-c", "-a", address, "-S", "" + size, "-C", "" + count, "-V"), size, count);

        assertServed(server, count);
    }

    @Test
    void shouldPrintWhatTheCProgramPrints() {
        String[] client = {"-c", "-a", "10.9.0.1", "-S", "100", "-C", "60", "-v", "-V"};
        CompletableFuture<Shell.Result> ourServer = listening(ours("-s", "-a", "10.9.0.1", "-v", "-V"));
        List<String> theirPings = pings("ping data: ", theirs(client));
        List<String> ourAnswers = pings("server ping data: ", ourServer);
        CompletableFuture<Shell.Result> theirServer = listening(theirs("-s", "-a", "10.9.0.1", "-S", "100", "-v"));
        List<String> ourPings = pings("ping data: ", ours(client));
        List<String> theirAnswers = pings("server ping data: ", theirServer);

        assertEquals(60, theirPings.size());
        assertEquals(theirPings, ourPings);
        assertEquals(theirPings, ourAnswers);
        assertEquals(theirPings, theirAnswers);
    }

    @Test
    void shouldConnectFromAnAddress() {
        CompletableFuture<Shell.Result> server = listening(ours("-s", "-a", "10.9.0.1"));

        assertPinged(ours("-c", "-a", "10.9.0.1", "-I", "10.9.0.1", "-C", "10", "-V"), 64, 10);

        assertServed(server, 10);
    }

    /** The wildcard is that of both versions of IP. */
    @Test
    void shouldListenOnAllAddresses() throws Exception {
        for (String address : List.of("10.9.0.1", "fd09::1", linkLocal())) {
            CompletableFuture<Shell.Result> server = listening(ours("-s"));

            assertPinged(ours("-c", "-a", address, "-C", "10", "-V"), 64, 10);

            assertServed(server, 10);
        }
    }

    /** With its interface, as in fe80:0:0:0:0:0:0:1%eth0. */
    private static String linkLocal() throws Exception {
        return NetworkInterface.getByInetAddress(InetAddress.getByName("10.9.0.1"))
                .inetAddresses()
                .filter(InetAddress::isLinkLocalAddress)
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElseThrow();
    }

    private CompletableFuture<Shell.Result> ours(String... options) {
        return Tool.start(line(options).toArray(String[]::new));
    }

    private CompletableFuture<Shell.Result> theirs(String... options) {
        return CompletableFuture.supplyAsync(() -> Shell.run(line(options)));
    }

    private List<String> line(String... options) {
        List<String> line = new ArrayList<>(List.of("rping", "-p", "" + port));
        line.addAll(List.of(options));
        return line;
    }

    private CompletableFuture<Shell.Result> listening(CompletableFuture<Shell.Result> server) {
        CmPort.awaitListener(port);
        return server;
    }

    private static void assertPinged(CompletableFuture<Shell.Result> client, int size, int count) {
        String output = Tool.await(client).requireSuccess();
        assertTrue(output.contains(count + " pings of " + size + " bytes in "), output);
        assertTrue(output.contains("every byte as it must be"), output);
    }

    private static void assertServed(CompletableFuture<Shell.Result> server, int count) {
        String output = Tool.await(server).requireSuccess();
        assertTrue(output.contains("disconnected after " + count + " pings"), output);
        Troubleshooting.line("A3").when("connection manager").mustBeIn(output);
    }

    /** What an end that succeeded printed of the pings, without what is in front. */
    private static List<String> pings(String front, CompletableFuture<Shell.Result> end) {
        return Tool.await(end)
                .requireSuccess()
                .lines()
                .filter(line -> line.startsWith(front))
                .map(line -> line.substring(front.length()))
                .toList();
    }
}
