package io.github.verbs4j;

import io.github.verbs4j.attr.FlushPlacement;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.SendOperation;
import java.util.Objects;

/**
 * {@code ibv_wr_start} to {@code ibv_wr_complete}: a send queue that also has the operations that can only be built, of a queue
 * pair created with {@link QueuePairOptions#extended}.
 *
 * <p>What of a batch there are slots for is built and posted as a whole or not at all, in one section, which no code of the caller runs in. (A
 * {@link SendQueue} over such a queue pair does the same, with the operations that it has.)
 *
 * <p>Belongs to one thread at a time: the one that made it, until {@link #release} and {@link #acquire}.
 */
public final class ExtendedSendQueue extends SendQueue {
    private final ConnectedQueuePair queuePair;

    private ExtendedSendQueue(ConnectedQueuePair queuePair) {
        if (queuePair.operations().isEmpty()) {
            throw new IllegalArgumentException(
                    queuePair
                            + " posts its requests the classic way; create it with QueuePairOptions.extended, or use a SendQueue");
        }
        super("ExtendedSendQueue", queuePair);
        this.queuePair = queuePair;
    }

    /**
     * {@return the send queue of a queue pair, owned by the calling thread}
     *
     * @param queuePair an open queue pair that was created with {@link QueuePairOptions#extended}
     * @throws IllegalArgumentException if it was not
     * @throws IllegalStateException if it is closed or has a send queue already; names the owner
     */
    public static ExtendedSendQueue over(ConnectedQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        return new ExtendedSendQueue(queuePair);
    }

    /**
     * Stages an atomic write ({@code ibv_wr_atomic_write}): 8 bytes of the peer's memory change at once.
     *
     * @param id given back with the completion
     * @param value the 8 bytes, a 64-bit integer in this machine's byte order
     * @param remote the peer's memory, registered with REMOTE_WRITE
     * @param remoteOffset where to, bytes from its start; the address must be a multiple of 8
     * @return this
     * @throws UnsupportedOperationException if the queue pair was not created for it
     * @throws IllegalArgumentException if the remote address is not a multiple of 8
     * @throws IndexOutOfBoundsException if it is not inside the remote memory
     * @throws IllegalStateException if all requests are staged already, or this is closed
     */
    public ExtendedSendQueue atomicWrite(long id, long value, RemoteRegion remote, long remoteOffset) {
        long start = requireAligned(remote, remoteOffset);
        int slot = stageBuilt(id, SendOperation.ATOMIC_WRITE, remote, remoteOffset, ATOMIC_BYTES);
        requests.writeAtomic(slot, start, remote.key().value(), value, 0);
        return this;
    }

    /**
     * Stages a flush ({@code ibv_wr_flush}): it completes when what was written there before has arrived.
     *
     * @param id given back with the completion
     * @param placement where it must have arrived; the peer's memory and its queue pair must allow that, by
     *     FLUSH_GLOBAL or FLUSH_PERSISTENT
     * @param remote the peer's memory
     * @param remoteOffset from where, bytes
     * @param length how much, bytes
     * @return this
     * @throws UnsupportedOperationException if the queue pair was not created for it
     * @throws IndexOutOfBoundsException if the range is not inside the remote memory
     * @throws IllegalStateException if all requests are staged already, or this is closed
     */
    public ExtendedSendQueue flush(
            long id, FlushPlacement placement, RemoteRegion remote, long remoteOffset, long length) {
        int code = Objects.requireNonNull(placement, "placement").code();
        int slot = stageBuilt(id, SendOperation.FLUSH, remote, remoteOffset, length);
        requests.writeAtomic(slot, remote.address() + remoteOffset, remote.key().value(), length, code);
        return this;
    }

    private int stageBuilt(long id, SendOperation operation, RemoteRegion remote, long remoteOffset, long length) {
        if (!queuePair.operations().contains(operation)) {
            throw new UnsupportedOperationException(queuePair + " was created to build " + queuePair.operations()
                    + ", not " + operation + "; ask for more with QueuePairOptions.extended");
        }
        long room = Objects.requireNonNull(remote, "remote").length() - remoteOffset;
        if (remoteOffset < 0 || length < 0 || length > room) {
            throw outside(remote, remoteOffset, length);
        }
        return stageBare(id, operation.opcode());
    }
}
