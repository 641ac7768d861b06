package io.github.verbs4j.tools;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import java.time.Duration;
import java.util.function.Supplier;

/** One end of a reliable connection: a queue pair with memory, and what posts to it and awaits it. One thread's. */
final class Endpoint implements AutoCloseable {
    private final Closing closing;
    private final MemoryRegion memory;
    private final RcQueuePair queuePair;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Completions completions;

    private Endpoint(Closing closing, DeviceContext context, long bytes, int depth, AccessFlag... access) {
        this.closing = closing;
        ProtectionDomain domain = closing.add(context.allocateProtectionDomain());
        this.memory = closing.add(domain.allocate(bytes, access));
        CompletionQueue queue = closing.add(context.createCompletionQueue(depth + 1));
        // a ping-pong never has more outstanding than it asked for, whatever the device grants on top
        this.queuePair = closing.add(
                domain.createRc(QueuePairOptions.sharing(queue).depth(1, depth).allowOverrun()));
        this.sends = closing.add(SendQueue.over(queuePair));
        this.receives = closing.add(ReceiveQueue.over(queuePair));
        this.completions = closing.add(Completions.over(queue, 4));
    }

    /**
     * Makes one.
     *
     * @param context open device, stays open
     * @param bytes memory to allocate
     * @param depth receives outstanding at most
     * @param access what may be done to the memory
     */
    static Endpoint create(DeviceContext context, long bytes, int depth, AccessFlag... access) {
        Closing closing = new Closing();
        boolean made = false;
        try {
            Endpoint endpoint = new Endpoint(closing, context, bytes, depth, access);
            made = true;
            return endpoint;
        } finally {
            if (!made) {
                closing.close();
            }
        }
    }

    MemoryRegion memory() {
        return memory;
    }

    RcQueuePair queuePair() {
        return queuePair;
    }

    SendQueue sends() {
        return sends;
    }

    ReceiveQueue receives() {
        return receives;
    }

    /**
     * {@return the completions, at least one of which has just been taken}
     *
     * @param patience how long nothing may come
     * @param reason what to say then
     */
    Completions await(Duration patience, Supplier<String> reason) {
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

    @Override
    public void close() {
        closing.close();
    }
}
