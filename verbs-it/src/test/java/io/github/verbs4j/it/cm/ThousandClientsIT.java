package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.examples.EchoClient;
import io.github.verbs4j.examples.EchoServer;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Holdings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example, with the server in this process and its clients in another. */
class ThousandClientsIT {
    private static final int CLIENTS = 1000;
    private static final int MESSAGES = 3;
    private static final Duration WATCHDOG = Duration.ofMinutes(15);

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldServeAThousandClientsAtTheSameTime() throws Exception {
        try (ConnectionManager manager = ConnectionManager.open()) {
            manager.addresses(); // librdmacm opens the device at its first use, and keeps it
        }
        Holdings before = Holdings.now();
        CompletableFuture<EchoServer> started = new CompletableFuture<>();
        Thread running = Thread.ofPlatform()
                .start(() -> EchoServer.run(new InetSocketAddress("10.9.0.1", 0), started::complete));
        try {
            EchoServer server = started.get(5, TimeUnit.MINUTES);

            String told = ChildJvm.runHere(
                            WATCHDOG,
                            List.of("-Xmx256m"),
                            EchoClient.class,
                            "10.9.0.1",
                            Integer.toString(server.address().getPort()),
                            Integer.toString(CLIENTS),
                            Integer.toString(MESSAGES))
                    .requireSuccess();

            System.out.print(told);
            assertEquals(CLIENTS, server.mostClients());
        } finally {
            running.interrupt();
            assertTrue(running.join(WATCHDOG), "the server ends when it is interrupted");
        }
        before.requireAgain();
    }
}
