package io.github.verbs4j.it.tools;

import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.Watchdog;
import java.net.InetSocketAddress;

/** Ports of librdmacm, which are none of TCP. */
final class CmPort {
    private CmPort() {}

    /** {@return one that nobody listens at} */
    static int free() {
        try (ConnectionManager manager = ConnectionManager.open();
                Listener listener = manager.listen(new InetSocketAddress("10.9.0.1", 0), 1)) {
            return listener.address().getPort();
        }
    }

    /** Waits until somebody listens there, at an address of the device. */
    static void awaitListener(int port) {
        Watchdog.await("somebody to listen at port " + port, () -> isThere("state LISTEN", port));
    }

    /** Waits until a connection to it is under way or made. */
    static void awaitConnection(int port) {
        Watchdog.await("somebody to connect to port " + port, () -> isThere("state CONNECT", port));
    }

    private static boolean isThere(String state, int port) {
        return Shell.output("rdma", "resource", "show", "cm_id")
                .lines()
                .anyMatch(line -> line.contains(state) && line.contains(":" + port + " "));
    }
}
