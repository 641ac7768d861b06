package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import java.util.List;

/** One end of a {@link Link}: a queue pair with all that it needs. */
public final class End implements AutoCloseable {
    private final Resources resources = new Resources();
    private final DeviceContext context;
    private final ProtectionDomain domain;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final RcQueuePair queuePair;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Completions sendCompletions;
    private final Completions receiveCompletions;
    private final MemoryRegion memory;

    End(Link.Builder how, DeviceContext shared) {
        boolean made = false;
        try {
            context = shared != null ? shared : resources.add(Rdma.open());
            domain = resources.add(context.allocateProtectionDomain());
            sendQueue = resources.add(context.createCompletionQueue(how.completions));
            receiveQueue =
                    how.separateQueues ? resources.add(context.createCompletionQueue(how.completions)) : sendQueue;
            queuePair = resources.add(
                    domain.createRc(how.options.apply(QueuePairOptions.separate(sendQueue, receiveQueue))));
            sends = resources.add(SendQueue.over(queuePair));
            receives = resources.add(ReceiveQueue.over(queuePair));
            sendCompletions = resources.add(Completions.over(sendQueue, 16));
            receiveCompletions =
                    how.separateQueues ? resources.add(Completions.over(receiveQueue, 16)) : sendCompletions;
            memory = resources.add(domain.allocate(
                    how.bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    /** {@return what the peer must know} */
    public QueuePairAddress initialize() {
        return queuePair.initialize(Rdma.gid(context));
    }

    /**
     * Connects.
     *
     * @param peer what the peer's {@link #initialize} told
     * @param path how
     */
    public void connect(QueuePairAddress peer, RcPath path) {
        queuePair.connect(peer, path);
    }

    /**
     * Posts a receive into the memory of this end.
     *
     * @param id of the receive
     * @param offset first byte
     * @param length bytes
     */
    public void receive(long id, long offset, long length) {
        receives.receive(id, memory, offset, length);
        assertEquals(1, receives.post(), "receives posted");
    }

    /** Posts what is staged to be sent, which must all fit. */
    public void post() {
        int staged = sends.staged();
        assertEquals(staged, sends.post(), "sends posted");
    }

    /** {@return the next completion of this end, waited for} */
    public Done await() {
        return Done.next(sendCompletions);
    }

    /**
     * {@return the next completions of this end, waited for, in order}
     *
     * @param count how many
     */
    public List<Done> await(int count) {
        return Done.next(sendCompletions, count);
    }

    /** Fails if anything has completed. */
    public void requireNothingCompleted() {
        assertEquals(0, sendCompletions.poll(), "completions of sends");
        assertEquals(0, receiveCompletions.poll(), "completions of receives");
    }

    /**
     * Writes a pattern into the memory of this end.
     *
     * @param offset first byte
     * @param length bytes
     * @param seed which pattern
     */
    public void fill(long offset, long length, long seed) {
        Bytes.fill(memory.segment(), offset, length, seed);
    }

    /**
     * Fails unless a pattern is in the memory of this end.
     *
     * @param offset first byte
     * @param length bytes
     * @param seed which pattern
     */
    public void verify(long offset, long length, long seed) {
        Bytes.verify(memory.segment(), offset, length, seed);
    }

    /**
     * Fails unless the memory of this end is as it was allocated.
     *
     * @param offset first byte
     * @param length bytes
     */
    public void verifyUntouched(long offset, long length) {
        Bytes.verifyUntouched(memory.segment(), offset, length);
    }

    /** {@return the open device} */
    public DeviceContext context() {
        return context;
    }

    /** {@return the protection domain} */
    public ProtectionDomain domain() {
        return domain;
    }

    /** {@return where sends are reported} */
    public CompletionQueue sendQueue() {
        return sendQueue;
    }

    /** {@return where receives are reported} */
    public CompletionQueue receiveQueue() {
        return receiveQueue;
    }

    /** {@return the queue pair} */
    public RcQueuePair queuePair() {
        return queuePair;
    }

    /** {@return what sends} */
    public SendQueue sends() {
        return sends;
    }

    /** {@return what receives} */
    public ReceiveQueue receives() {
        return receives;
    }

    /** {@return completions of sends, and of receives unless the queues are separate} */
    public Completions completions() {
        return sendCompletions;
    }

    /** {@return completions of receives} */
    public Completions receiveCompletions() {
        return receiveCompletions;
    }

    /** {@return registered memory, open to the peer} */
    public MemoryRegion memory() {
        return memory;
    }

    @Override
    public void close() {
        resources.close();
    }
}
