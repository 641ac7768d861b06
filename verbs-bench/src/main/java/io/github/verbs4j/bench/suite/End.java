package io.github.verbs4j.bench.suite;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteRegion;

/**
 * One end of a {@link Link}: posts batches of which the last request is signalled, keeps its receives posted, and counts the
 * completions that are still to come. All messages use the same memory.
 */
final class End {
    /** Two of the largest batches. */
    static final int DEPTH = 2 * ThroughputBenchmark.LARGEST_BATCH;

    private static final int POLLED = 32;

    private final int size;
    private final boolean inline;
    private final MemoryRegion memory;
    private final CompletionQueue queue;
    private final RcQueuePair pair;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Completions completions;
    private int pending;

    End(DeviceContext context, ProtectionDomain domain, int size, int inlineBytes) {
        this.size = size;
        this.inline = size <= inlineBytes;
        memory = domain.allocate(size, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        queue = context.createCompletionQueue(2 * DEPTH);
        pair = domain.createRc(
                QueuePairOptions.sharing(queue).depth(DEPTH, DEPTH).inline(inline ? inlineBytes : 0));
        sends = SendQueue.over(pair);
        receives = ReceiveQueue.over(pair);
        completions = Completions.over(queue, POLLED);
    }

    RcQueuePair pair() {
        return pair;
    }

    RemoteRegion remote() {
        return memory.remote();
    }

    void send(int count) {
        for (int i = 0; i < count; i++) {
            sends.send(i, memory, 0, size);
            if (inline) {
                sends.inline();
            }
        }
        post();
    }

    void write(int count, RemoteRegion remote) {
        for (int i = 0; i < count; i++) {
            sends.write(i, memory, 0, size, remote, 0);
            if (inline) {
                sends.inline();
            }
        }
        post();
    }

    void read(int count, RemoteRegion remote) {
        for (int i = 0; i < count; i++) {
            sends.read(i, memory, 0, size, remote, 0);
        }
        post();
    }

    private void post() {
        sends.signaled();
        int staged = sends.staged();
        if (sends.post() != staged) {
            throw new IllegalStateException(
                    "no room for " + staged + " requests: the benchmark has too many under way");
        }
        pending++;
    }

    /** Posts receives. */
    void receive(int count) {
        for (int i = 0; i < count; i++) {
            receives.receive(i, memory, 0, size);
        }
        receives.post();
    }

    /** Messages are under way to here. */
    void expect(int count) {
        pending += count;
    }

    /** Polls until no more completions than a number are still to come. */
    void await(int most) {
        while (pending > most) {
            if (completions.poll() == 0) {
                Thread.onSpinWait();
            } else {
                take();
            }
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

    void close() {
        completions.close();
        receives.close();
        sends.close();
        pair.close();
        queue.close();
        memory.close();
    }
}
