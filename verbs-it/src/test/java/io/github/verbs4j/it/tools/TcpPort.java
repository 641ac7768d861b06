package io.github.verbs4j.it.tools;

import io.github.verbs4j.it.rdma.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** TCP ports that two ends meet on. */
final class TcpPort {
    private TcpPort() {}

    /** {@return one that nobody listens at} */
    static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until somebody listens there. */
    static void awaitListener(int port) {
        await(port, true);
    }

    /** Waits until nobody listens there any more: a ping-pong does so until its ends have met. */
    static void awaitMeeting(int port) {
        await(port, false);
    }

    private static void await(int port, boolean listening) {
        for (int tries = 0; tries < 600; tries++) {
            if (isListening(port) == listening) {
                return;
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError(
                (listening ? "nobody listens" : "somebody still listens") + " at port " + port + " after a minute");
    }

    /** The kernel's list of sockets tells without connecting, which would use up the one connection that is accepted. */
    private static boolean isListening(int port) {
        String local = String.format(":%04X ", port);
        return Shell.output("cat", "/proc/net/tcp", "/proc/net/tcp6")
                .lines()
                .anyMatch(line -> line.contains(local) && line.contains(" 0A "));
    }
}
