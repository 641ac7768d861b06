package io.github.verbs4j.bench.suite;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import java.util.EnumSet;
import org.openjdk.jmh.annotations.Param;

/** A reliable connection, for messages and one-sided work. */
public class Connection extends Link<ConnectedEnd> {
    /** Bytes of a message. */
    @Param({"8", "64", "1024", "4096", "65536", "1048576"})
    public int size;

    /** Messages of up to so many bytes are sent inline. */
    @Param("0")
    public int inline;

    /** Where each end posts its receives. */
    @Param("OWN")
    public Receives receives;

    /** Where receives are posted. */
    public enum Receives {
        /** To its queue pair. */
        OWN,
        /** To a shared receive queue. */
        SHARED
    }

    /** Made by JMH. */
    public Connection() {}

    @Override
    ConnectedEnd end(DeviceContext context, ProtectionDomain domain) {
        return new ConnectedEnd(
                context,
                domain,
                size,
                inline,
                receives == Receives.SHARED,
                EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
    }

    @Override
    int bytes() {
        return size;
    }

    /** The client posts writes into the server's memory, in one batch. */
    void write(int count) {
        client().write(count, server().remote());
    }

    /** The client posts reads of the server's memory, in one batch. */
    void read(int count) {
        client().read(count, server().remote());
    }
}
