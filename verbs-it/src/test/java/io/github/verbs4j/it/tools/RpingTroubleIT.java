package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An rping whose other end is not there, dies, or is none: it ends, and says in a line why. */
class RpingTroubleIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();

    private final int port = CmPort.free();
    private final InetSocketAddress address = new InetSocketAddress("10.9.0.1", port);

    @Test
    void shouldTellThatNobodyListens() {
        String said = assertFailed(ours("-c", "-C", "1"));

        assertTrue(said.contains("nobody listens on the port"), said);
    }

    @Test
    void shouldTellThatTheServerWasKilled() throws Exception {
        Process server = new ProcessBuilder("rping", "-s", "-a", "10.9.0.1", "-p", "" + port).start();
        CmPort.awaitListener(port);
        CompletableFuture<Shell.Result> client = ours("-c", "-V");
        CmPort.awaitConnection(port);
        Thread.sleep(500); // in the middle of its pings
        server.destroyForcibly().waitFor();

        String said = assertFailed(client);
        assertTrue(said.contains("the connection to 10.9.0.1:" + port + " ended (DISCONNECTED) before"), said);
    }

    /** Between any two requests: what is posted next is refused, which is not what the user wants to know. */
    @Test
    void shouldTellThatTheServerWasKilledBeforeTheNextRequest() throws Exception {
        Process server = new ProcessBuilder("rping", "-s", "-a", "10.9.0.1", "-p", "" + port).start();
        CmPort.awaitListener(port);
        Pause pause = new Pause("ping 0: the server's word that it has read the ping");
        CompletableFuture<Shell.Result> client = begin(pause, "-c", "-d").result();

        pause.during(() -> kill(server));

        String said = assertFailed(client);
        assertTrue(said.contains("ended (DISCONNECTED) before its next request"), said);
    }

    @Test
    void shouldTellThatTheClientWasKilledBeforeTheNextRequest() throws Exception {
        Pause pause = new Pause("ping 0: announced");
        CompletableFuture<Shell.Result> server = begin(pause, "-s", "-d").result();
        CmPort.awaitListener(port);
        Process client = new ProcessBuilder(line("-c", "-a", "10.9.0.1")).start();

        pause.during(() -> kill(client));

        String said = assertFailed(server);
        assertTrue(said.contains("ended (DISCONNECTED) before its next request"), said);
    }

    private static void kill(Process end) {
        end.destroyForcibly().onExit().join();
        Watchdog.await(
                "our queue pair to be in ERR",
                () -> Shell.output("rdma", "resource", "show", "qp").contains("state ERR"));
    }

    /** An output whose writer waits, at a certain line, until something has happened. */
    private static final class Pause extends StringWriter {
        private final String line;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        Pause(String line) {
            this.line = line;
        }

        void during(Runnable event) throws InterruptedException {
            assertTrue(reached.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), this::toString);
            event.run();
            over.countDown();
        }

        @Override
        public void flush() {
            if (toString().contains(line)) {
                reached.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    @Test
    void shouldNameTheStageThatDidNotCome() throws Exception {
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(address, 1)) {
            CompletableFuture<Shell.Result> client = ours("-c", "-C", "1", "--patience", "5");
            try (ConnectionRequest request = listener.await(PATIENCE).orElseThrow()) {
                request.initialize(link.server().queuePair());
                link.server().receive(1, 0, 16);
                Connection silent = request.accept(DEFAULTS, PATIENCE);
                long accepted = System.nanoTime();
                try (silent) {
                    String said = assertFailed(client);

                    assertTrue(System.nanoTime() - accepted >= 4_000_000_000L, "before its deadline");
                    assertTrue(
                            said.contains(
                                    "ping 0: the server's word that it has read the ping did not come within 5 s"),
                            said);
                }
            }
        }
    }

    @Test
    void shouldRefuseAClientThatAnnouncesTooMuch() throws Exception {
        CompletableFuture<Shell.Result> server = ours("-s");
        CmPort.awaitListener(port);
        try (Link link = Link.builder().unconnected();
                ConnectionManager manager = ConnectionManager.open();
                Connector connector = manager.connector(address).resolve(PATIENCE)) {
            connector.initialize(link.client().queuePair());
            try (Connection connection = connector.connect(DEFAULTS, PATIENCE)) {
                End client = link.client();
                client.memory().segment().set(ValueLayout.JAVA_INT, 12, -1);
                client.sends().send(1, client.memory(), 0, 16);
                client.post();

                String said = assertFailed(server);

                assertTrue(said.contains("announced 4294967295 bytes, not 1 to 65536: is it an rping?"), said);
                assertEquals(address, connection.destination());
            }
        }
    }

    /** Its clients, which are there at the same time, do not notice. */
    @Test
    void shouldServeUntilItIsStopped() throws Exception {
        Tool.Running server = begin("-s", "-P");
        CmPort.awaitListener(port);
        List<CompletableFuture<Shell.Result>> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(theirs("-c", "-a", "10.9.0.1", "-C", "100", "-V"));
        }
        for (CompletableFuture<Shell.Result> client : clients) {
            Tool.await(client).requireSuccess();
        }
        Process killed = new ProcessBuilder(line("-c", "-a", "10.9.0.1")).start();
        CmPort.awaitConnection(port);
        killed.destroyForcibly().waitFor();
        Tool.await(theirs("-c", "-a", "10.9.0.1", "-C", "100", "-V")).requireSuccess();

        String said = stop(server);

        long served = said.lines()
                .filter(text -> text.endsWith("disconnected after 100 pings"))
                .count();
        assertEquals(4, served, said);
        assertTrue(said.contains("interrupted"), said);
    }

    @Test
    void shouldDisconnectWhenItIsStopped() throws Exception {
        CompletableFuture<Shell.Result> server = theirs("-s", "-a", "10.9.0.1");
        CmPort.awaitListener(port);
        Tool.Running client = begin("-c", "-V");
        CmPort.awaitConnection(port);
        Thread.sleep(500);

        String said = stop(client);

        assertTrue(said.contains("interrupted after "), said);
        Tool.await(server).requireSuccess();
    }

    private CompletableFuture<Shell.Result> ours(String... options) {
        return begin(options).result();
    }

    private Tool.Running begin(String... options) {
        return begin(new StringWriter(), options);
    }

    private Tool.Running begin(StringWriter output, String... options) {
        List<String> line = line(options);
        line.addAll(List.of("-a", "10.9.0.1"));
        return Tool.begin(output, line.toArray(String[]::new));
    }

    private CompletableFuture<Shell.Result> theirs(String... options) {
        return CompletableFuture.supplyAsync(() -> Shell.run(line(options)));
    }

    private List<String> line(String... options) {
        List<String> line = new ArrayList<>(List.of("rping", "-p", "" + port));
        line.addAll(List.of(options));
        return line;
    }

    /** Stops it as Ctrl-C does, by an interrupt; returns what it said. */
    private static String stop(Tool.Running end) {
        end.thread().interrupt();
        return Tool.await(end.result()).requireSuccess();
    }

    /** The reason, which is one and no stack trace. */
    private static String assertFailed(CompletableFuture<Shell.Result> end) {
        Shell.Result result = Tool.await(end);
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("verbs rping: "), result.output());
        assertFalse(result.output().contains("\tat "), result.output());
        assertFalse(result.output().contains("unexpected "), result.output());
        return result.output();
    }
}
