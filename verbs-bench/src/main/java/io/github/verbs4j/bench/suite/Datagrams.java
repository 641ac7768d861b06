package io.github.verbs4j.bench.suite;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import org.openjdk.jmh.annotations.Param;

/** Two ends that send each other datagrams. */
public class Datagrams extends Link<DatagramEnd> {
    /** Bytes of a datagram, at most the active MTU of the port. */
    @Param({"8", "64", "1024"})
    public int datagram;

    /** Datagrams of up to so many bytes are sent inline. */
    @Param("0")
    public int inline;

    /** Made by JMH. */
    public Datagrams() {}

    @Override
    DatagramEnd end(DeviceContext context, ProtectionDomain domain) {
        return new DatagramEnd(context, domain, datagram, inline);
    }

    @Override
    int bytes() {
        return datagram;
    }
}
