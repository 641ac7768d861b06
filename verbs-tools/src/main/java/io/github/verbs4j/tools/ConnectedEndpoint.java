package io.github.verbs4j.tools;

import io.github.verbs4j.ConnectedQueuePair;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.UcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.UcPath;
import java.util.EnumSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * One end of a connection.
 *
 * @param <P> reliable or not
 */
final class ConnectedEndpoint<P extends ConnectedQueuePair> extends Endpoint<P> {
    private final BiConsumer<P, QueuePairAddress> connecting;
    private final SendQueue sends;

    private ConnectedEndpoint(
            Closing closing,
            DeviceContext context,
            BiFunction<ProtectionDomain, QueuePairOptions, P> kind,
            BiConsumer<P, QueuePairAddress> connecting,
            long bytes,
            int depth,
            AccessFlag... access) {
        super(closing, context, kind, bytes, depth, access);
        this.connecting = connecting;
        this.sends = closing.add(SendQueue.over(queuePair()));
    }

    /** As {@link Endpoint.Maker#make}. */
    static ConnectedEndpoint<RcQueuePair> reliable(DeviceContext context, long bytes, int depth, AccessFlag... access) {
        return Closing.whole(closing -> new ConnectedEndpoint<>(
                closing,
                context,
                ProtectionDomain::createRc,
                (pair, peer) -> pair.connect(peer, RcPath.defaults()),
                bytes,
                depth,
                access));
    }

    /** As {@link Endpoint.Maker#make}. */
    static ConnectedEndpoint<UcQueuePair> unreliable(
            DeviceContext context, long bytes, int depth, AccessFlag... access) {
        return Closing.whole(closing -> new ConnectedEndpoint<>(
                closing,
                context,
                ProtectionDomain::createUc,
                (pair, peer) -> pair.connect(peer, UcPath.defaults()),
                bytes,
                depth,
                access));
    }

    @Override
    QueuePairAddress initialize(GidEntry gid) {
        return queuePair().initialize(gid, EnumSet.noneOf(AccessFlag.class));
    }

    @Override
    void connect(QueuePairAddress peer) {
        connecting.accept(queuePair(), peer);
    }

    @Override
    void send(long id, long offset, long length) {
        requirePosted(sends.send(id, memory(), offset, length).signaled().post());
    }

    SendQueue sends() {
        return sends;
    }
}
