package io.github.verbs4j.tools;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What an rping was asked for.
 *
 * @param address the server's
 * @param source our own address, or null for that which the way to the server decides about
 * @param count pings, 0 for ever
 * @param size of a ping, bytes
 * @param validate whether to check contents
 * @param persistent whether the server goes on after its first client
 * @param patience with a peer that is there
 * @param clientWait for a client to come, zero for ever
 */
record RpingOptions(
        InetSocketAddress address,
        InetSocketAddress source,
        int count,
        int size,
        boolean validate,
        boolean persistent,
        Duration patience,
        Duration clientWait) {}
