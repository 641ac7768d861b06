package io.github.verbs4j.tools;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * One end of a ping-pong: a queue pair with memory, and what posts to it and awaits it. One thread's.
 *
 * @param <P> the kind of queue pair
 */
abstract class Endpoint<P extends QueuePair> implements AutoCloseable {
    /** How one of some kind is made. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes one.
         *
         * @param context open device, stays open
         * @param bytes memory for messages
         * @param depth receives outstanding at most
         * @param access what may be done to the memory
         */
        Endpoint<?> make(DeviceContext context, long bytes, int depth, AccessFlag... access);
    }

    private final Closing closing;
    private final MemoryRegion memory;
    private final P queuePair;
    private final ReceiveQueue receives;
    private final Completions completions;

    Endpoint(
            Closing closing,
            DeviceContext context,
            BiFunction<ProtectionDomain, QueuePairOptions, P> kind,
            long bytes,
            int depth,
            AccessFlag... access) {
        this.closing = closing;
        ProtectionDomain domain = closing.add(context.allocateProtectionDomain());
        this.memory = closing.add(domain.allocate(bytes, access));
        CompletionQueue queue = closing.add(context.createCompletionQueue(depth + 1));
        // a ping-pong never has more outstanding than it asked for, whatever the device grants on top
        this.queuePair = closing.add(kind.apply(
                domain, QueuePairOptions.sharing(queue).depth(1, depth).allowOverrun()));
        this.receives = closing.add(ReceiveQueue.over(queuePair));
        this.completions = closing.add(Completions.over(queue, 4));
    }

    /** Leads the queue pair to INIT: receives may be posted, and the peer may do no more than send. */
    abstract QueuePairAddress initialize(GidEntry gid);

    /** Leads it to RTS: messages may go to the peer, and come. */
    abstract void connect(QueuePairAddress peer);

    /** Posts a signalled send of a part of the memory. */
    abstract void send(long id, long offset, long length);

    /** Bytes that are in front of each message received. */
    int headroom() {
        return 0;
    }

    /** Whether the message that has just been received is the peer's. */
    boolean isOfPeer(Completions completions) {
        return true;
    }

    /** Whether a message arrives or fails, and is never lost. */
    final boolean isReliable() {
        return queuePair instanceof RcQueuePair;
    }

    final MemoryRegion memory() {
        return memory;
    }

    final P queuePair() {
        return queuePair;
    }

    final ReceiveQueue receives() {
        return receives;
    }

    /** Is closed with this, and first. */
    final <T extends AutoCloseable> T owned(T resource) {
        return closing.add(resource);
    }

    /**
     * {@return the completions, at least one of which has just been taken}
     *
     * @param patience how long nothing may come
     * @param reason what to say then
     */
    final Completions await(Duration patience, Supplier<String> reason) {
        return await(completions, patience, reason);
    }

    static Completions await(Completions completions, Duration patience, Supplier<String> reason) {
        try {
            if (completions.await(WaitStrategy.ADAPTIVE, patience) == 0) {
                throw new CommandFailure(reason.get());
            }
            return completions;
        } catch (InterruptedException e) {
            throw new CommandFailure("interrupted", e);
        }
    }

    static void requirePosted(int posted) {
        if (posted != 1) {
            throw new IllegalStateException("no room for one send, although none is outstanding");
        }
    }

    @Override
    public final void close() {
        closing.close();
    }
}
