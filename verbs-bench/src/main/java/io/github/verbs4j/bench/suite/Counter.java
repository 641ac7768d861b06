package io.github.verbs4j.bench.suite;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import java.util.EnumSet;

/** A reliable connection to 8 bytes that the client works on atomically. */
public class Counter extends Link<ConnectedEnd> {
    /** Made by JMH. */
    public Counter() {}

    @Override
    ConnectedEnd end(DeviceContext context, ProtectionDomain domain) {
        return new ConnectedEnd(context, domain, bytes(), 0, false, EnumSet.of(AccessFlag.REMOTE_ATOMIC));
    }

    @Override
    int bytes() {
        return Long.BYTES;
    }

    /** The client posts additions, in one batch. */
    void fetchAndAdd(int count) {
        client().fetchAndAdd(count, server().remote());
    }

    /** The client posts comparisons with what is there, in one batch. */
    void compareAndSwap(int count) {
        client().compareAndSwap(count, server().remote());
    }
}
