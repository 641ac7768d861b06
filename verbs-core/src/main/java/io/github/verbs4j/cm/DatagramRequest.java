package io.github.verbs4j.cm;

import io.github.verbs4j.Completions;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A peer asks where to send datagrams to: {@link #accept} tells it a queue pair, which may be the same for any number of peers. Nobody
 * confirms the answer: a peer that gave up is not noticed, and one that missed the answer asks again, which is another request. Closing it
 * undecided rejects it.
 *
 * <p>Thread-safe.
 */
public final class DatagramRequest extends Request {
    static final int ACCEPT_BYTES = 136;
    static final int REJECT_BYTES = 136;

    DatagramRequest(ConnectionManager manager, Identifier identifier, ConnectionEvent event) {
        super("DatagramRequest", manager, identifier, event);
    }

    /**
     * Leads a queue pair to INIT on the port, with the GID, the partition and the queue key of our address: receives may be posted,
     * {@link UdQueuePair#activate} leads it on.
     *
     * @param queuePair in RESET, on a context of the device
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if the queue pair is not in RESET, or this is closed
     * @throws VerbsException if the device refuses
     */
    public void initialize(UdQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        lifetime.whileOpen("initialize", () -> {
            DatagramReadiness.initialize(identifier, queuePair);
            return null;
        });
    }

    /**
     * Tells the peer a queue pair, its way and its queue key ({@code rdma_accept}), and closes this. Which queue pair of the peer will
     * send is not known: it is {@link Completions#sourceQueuePairNumber} of its first datagram.
     *
     * @param queuePair in RTR or RTS, on a context of the device
     * @param privateData what the peer gets to read, at most 136 bytes
     * @throws IllegalArgumentException if there is too much private data, or the queue pair is of another device or has another
     *     queue key than peers are told
     * @throws IllegalStateException if the queue pair is in another state, or this is closed
     * @throws ConnectionException if C refuses
     */
    public void accept(UdQueuePair queuePair, byte[] privateData) {
        Objects.requireNonNull(queuePair, "queuePair");
        DatagramReadiness.requireBytes(privateData, ACCEPT_BYTES, "an acceptance");
        lifetime.whileOpen("accept", () -> {
            DatagramReadiness.requireReady(queuePair);
            DatagramReadiness.requireKey(identifier, queuePair);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment parameters = DatagramReadiness.parameters(arena, queuePair.number(), privateData);
                identifier.call(
                        "rdma_accept",
                        State.REQUESTED,
                        State.ESTABLISHED,
                        new Failure(identifier, "rdma_accept", destination),
                        errno -> CmConnectionVerbs.rdma_accept(errno, identifier.pointer(), parameters));
            }
            return null;
        });
        close();
    }

    /**
     * Rejects it ({@code rdma_reject}) and closes this.
     *
     * @param privateData what the peer gets to read, at most 136 bytes
     * @throws IllegalArgumentException if it is longer
     */
    public void reject(byte[] privateData) {
        DatagramReadiness.requireBytes(privateData, REJECT_BYTES, "a rejection");
        rejectWith("rdma_reject", privateData, CmConnectionVerbs::rdma_reject);
    }

    /** An answer is a single call. */
    @Override
    CompletableFuture<?> deciding() {
        return null;
    }

    @Override
    void end() {
        identifier.destroy();
    }
}
