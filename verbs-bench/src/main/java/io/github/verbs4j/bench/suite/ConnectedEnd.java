package io.github.verbs4j.bench.suite;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteRegion;
import java.util.EnumSet;
import java.util.Set;

/** An end of a reliable connection. */
final class ConnectedEnd extends End<RcQueuePair> {
    private final int size;
    private final boolean inline;
    private final Set<AccessFlag> remote;
    private final SendQueue sends;

    /**
     * Makes one.
     *
     * @param context open device
     * @param domain of it
     * @param size of a message, bytes
     * @param inlineBytes messages of up to so many bytes are sent inline
     * @param sharing whether its receives are those of a shared receive queue
     * @param remote what the other end may do to its memory
     */
    ConnectedEnd(
            DeviceContext context,
            ProtectionDomain domain,
            int size,
            int inlineBytes,
            boolean sharing,
            Set<AccessFlag> remote) {
        EnumSet<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
        access.addAll(remote);
        boolean inline = size <= inlineBytes;
        super(
                context,
                domain,
                ProtectionDomain::createRc,
                inline ? inlineBytes : 0,
                sharing,
                size,
                access.toArray(AccessFlag[]::new));
        this.size = size;
        this.inline = inline;
        this.remote = remote;
        this.sends = SendQueue.over(pair());
    }

    @Override
    QueuePairAddress initialize(GidEntry gid) {
        return pair().initialize(gid, remote);
    }

    @Override
    void connect(QueuePairAddress peer) {
        pair().connect(peer, RcPath.defaults());
    }

    RemoteRegion remote() {
        return memory().remote();
    }

    @Override
    void stage(int id) {
        sends.send(id, memory(), 0, size);
        if (inline) {
            sends.inline();
        }
    }

    void write(int count, RemoteRegion remote) {
        for (int i = 0; i < count; i++) {
            sends.write(i, memory(), 0, size, remote, 0);
            if (inline) {
                sends.inline();
            }
        }
        post();
    }

    void read(int count, RemoteRegion remote) {
        for (int i = 0; i < count; i++) {
            sends.read(i, memory(), 0, size, remote, 0);
        }
        post();
    }

    void fetchAndAdd(int count, RemoteRegion remote) {
        for (int i = 0; i < count; i++) {
            sends.fetchAndAdd(i, memory(), 0, remote, 0, 1);
        }
        post();
    }

    /** Each succeeds: the value stays what it is. */
    void compareAndSwap(int count, RemoteRegion remote) {
        for (int i = 0; i < count; i++) {
            sends.compareAndSwap(i, memory(), 0, remote, 0, 0, 0);
        }
        post();
    }

    @Override
    boolean flush() {
        sends.signaled().post();
        return sends.staged() == 0;
    }

    @Override
    void closeSends() {
        sends.close();
    }
}
