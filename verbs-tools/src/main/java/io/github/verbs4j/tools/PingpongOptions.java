package io.github.verbs4j.tools;

import io.github.verbs4j.attr.Mtu;
import java.time.Duration;

/**
 * What a ping-pong was asked for.
 *
 * @param device name, or null for the first
 * @param port of the device
 * @param gidIndex row of the GID table, or null for the preferred one
 * @param size of a message, bytes
 * @param iterations round trips
 * @param mtu of the path; null of datagrams, each of which is one packet of the port's
 * @param depth receives to keep posted
 * @param validate whether to check contents
 * @param host the server, or null to be it
 * @param tcpPort where to meet
 * @param patience with a peer that is there
 * @param clientWait for a client to come, zero for ever
 */
record PingpongOptions(
        String device,
        int port,
        Integer gidIndex,
        long size,
        int iterations,
        Mtu mtu,
        int depth,
        boolean validate,
        String host,
        int tcpPort,
        Duration patience,
        Duration clientWait) {
    boolean isClient() {
        return host != null;
    }
}
