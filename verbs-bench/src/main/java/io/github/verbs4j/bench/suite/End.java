package io.github.verbs4j.bench.suite;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * One end of a {@link Link}: posts batches of which the last request is signalled, keeps its receives posted, and counts the
 * completions that are still to come. All messages use the same memory.
 *
 * @param <P> the kind of queue pair
 */
abstract class End<P extends QueuePair> {
    /** Two of the largest batches. */
    static final int DEPTH = 2 * ThroughputBenchmark.LARGEST_BATCH;

    private static final int POLLED = 32;

    /** So many polls that bring nothing are no reason to look at the clock, which would be in the figures. */
    private static final int BEFORE_CLOCK = 1 << 16;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final int room;
    private final MemoryRegion memory;
    private final CompletionQueue queue;
    private final SharedReceiveQueue shared;
    private final P pair;
    private final ReceiveQueue receives;
    private final Completions completions;
    private int pending;

    /**
     * Makes one.
     *
     * @param context open device
     * @param domain of it
     * @param kind makes the queue pair
     * @param inlineBytes that a send may carry in itself
     * @param sharing whether its receives are those of a shared receive queue
     * @param room of a receive, and of the memory, bytes
     * @param access what may be done to the memory
     */
    End(
            DeviceContext context,
            ProtectionDomain domain,
            BiFunction<ProtectionDomain, QueuePairOptions, P> kind,
            int inlineBytes,
            boolean sharing,
            int room,
            AccessFlag... access) {
        this.room = room;
        memory = domain.allocate(room, access);
        queue = context.createCompletionQueue(2 * DEPTH);
        shared = sharing ? domain.createSharedReceiveQueue(DEPTH, 1) : null;
        QueuePairOptions options = QueuePairOptions.sharing(queue).inline(inlineBytes);
        pair = kind.apply(
                domain, sharing ? options.depth(DEPTH, 0).sharedReceives(shared) : options.depth(DEPTH, DEPTH));
        receives = sharing ? ReceiveQueue.over(shared) : ReceiveQueue.over(pair);
        completions = Completions.over(queue, POLLED);
    }

    final P pair() {
        return pair;
    }

    final MemoryRegion memory() {
        return memory;
    }

    /** Leads it to INIT. */
    abstract QueuePairAddress initialize(GidEntry gid);

    /** Leads it to RTS. */
    abstract void connect(QueuePairAddress peer);

    /** Stages a message to the other end. */
    abstract void stage(int id);

    /** Signals what is staged last, and posts; returns whether all went. */
    abstract boolean flush();

    /** Closes the send queue and what it needs. */
    abstract void closeSends();

    final void send(int count) {
        for (int i = 0; i < count; i++) {
            stage(i);
        }
        post();
    }

    /** Posts what is staged. */
    final void post() {
        if (!flush()) {
            throw new IllegalStateException("no room for what is staged: the benchmark has too many under way");
        }
        pending++;
    }

    /** Posts receives. */
    final void receive(int count) {
        for (int i = 0; i < count; i++) {
            receives.receive(i, memory, 0, room);
        }
        receives.post();
    }

    /** Messages are under way to here. */
    final void expect(int count) {
        pending += count;
    }

    /** Polls until no more completions than a number are still to come. */
    final void await(int most) {
        long idle = 0;
        long since = 0;
        while (pending > most) {
            if (completions.poll() != 0) {
                take();
                idle = 0;
            } else {
                Thread.onSpinWait();
                if (++idle % BEFORE_CLOCK == 0) {
                    since = idle == BEFORE_CLOCK ? System.nanoTime() : since;
                    requirePatience(since);
                }
            }
        }
    }

    private void requirePatience(long since) {
        if (System.nanoTime() - since > PATIENCE) {
            throw new IllegalStateException(
                    pending + " completions did not come: messages were lost, or the device does nothing");
        }
    }

    private void take() {
        int received = 0;
        while (completions.next()) {
            completions.requireSuccess();
            received += completions.isReceive() ? 1 : 0;
            pending--;
        }
        if (received > 0) {
            receive(received);
        }
    }

    final void close() {
        completions.close();
        receives.close();
        closeSends();
        pair.close();
        if (shared != null) {
            shared.close();
        }
        queue.close();
        memory.close();
    }
}
