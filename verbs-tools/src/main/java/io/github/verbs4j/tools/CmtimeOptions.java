package io.github.verbs4j.tools;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What a cmtime was asked for.
 *
 * @param address the server's, or our own to listen on
 * @param source our own address, or null for that which the way to the server decides about
 * @param connections how many; 0 of a server is for ever
 * @param resolving how long an address or a route may take
 * @param patience how long any other step may take
 * @param json whether one JSON object is all that goes to the output
 */
record CmtimeOptions(
        InetSocketAddress address,
        InetSocketAddress source,
        int connections,
        Duration resolving,
        Duration patience,
        boolean json) {}
