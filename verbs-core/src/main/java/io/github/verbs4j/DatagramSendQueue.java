package io.github.verbs4j;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.SendRequests;
import java.util.Arrays;
import java.util.Objects;

/**
 * {@code ibv_post_send} of datagrams: stages sends, each to a peer of its own, and posts them as one batch.
 *
 * <pre>{@code
 * DatagramPeer peer = new DatagramPeer(handle, 17, 0x1111_1111);
 * datagrams.send(1, memory, 0, 64, peer).signaled();
 * datagrams.post();
 * }</pre>
 *
 * <p>Modifiers, memory, slots and ownership are those of {@link SendQueue}. A completion says that the datagram has left, not
 * that it has arrived.
 */
public final class DatagramSendQueue extends StagedSends {
    /**
     * The address handle of each staged request. The provider reads it when the request is posted, so it must not be closed
     * until then: it is held once for each run of requests with the same one.
     */
    private final AddressHandle[] handles;

    private DatagramSendQueue(UdQueuePair queuePair) {
        super("DatagramSendQueue", queuePair);
        this.handles = new AddressHandle[capacity];
    }

    /**
     * {@return the send queue of a queue pair, owned by the calling thread}
     *
     * @param queuePair an open queue pair
     * @throws IllegalStateException if it is closed or has a send queue already; names the owner
     */
    public static DatagramSendQueue over(UdQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        return new DatagramSendQueue(queuePair);
    }

    /**
     * Stages a send ({@code IBV_WR_SEND}).
     *
     * @param id given back with the completion, all 64 bits
     * @param memory what to send
     * @param offset from where, bytes
     * @param length how much, bytes; at most {@link AddressHandle#longestMessage}
     * @param peer whom to
     * @return this
     * @throws IndexOutOfBoundsException if the part is not inside the memory
     * @throws IllegalStateException if all requests are staged already, or the memory, the address handle or this is closed
     * @throws IllegalArgumentException if the memory or the address handle is of another protection domain, or the message
     *     is longer than a packet
     */
    public DatagramSendQueue send(long id, MemoryRegion memory, long offset, long length, DatagramPeer peer) {
        stageDatagram(id, SendRequests.SEND, memory, offset, length, peer);
        return this;
    }

    /**
     * Stages a send with immediate data ({@code IBV_WR_SEND_WITH_IMM}); else like {@link #send}.
     *
     * @param id given back with the completion
     * @param memory what to send
     * @param offset from where, bytes
     * @param length how much, bytes
     * @param peer whom to
     * @param immediate 32 bits for the peer's completion
     * @return this
     */
    public DatagramSendQueue sendImmediate(
            long id, MemoryRegion memory, long offset, long length, DatagramPeer peer, int immediate) {
        int slot = stageDatagram(id, SendRequests.SEND_IMMEDIATE, memory, offset, length, peer);
        requests.writeImmediate(slot, immediate);
        return this;
    }

    private int stageDatagram(long id, int opcode, MemoryRegion memory, long offset, long length, DatagramPeer peer) {
        checkOwner();
        AddressHandle handle = Objects.requireNonNull(peer, "peer").way();
        if (length > handle.longestMessage()) {
            throw beyondRoom(length, handle.longestMessage());
        }
        int slot = stageLocal(id, opcode, memory, offset, length, maxLength);
        if (slot == 0 || handles[slot - 1] != handle) {
            hold(handle, slot);
        }
        handles[slot] = handle;
        requests.writeDatagram(slot, handle.pointer(), peer.queuePairNumber(), peer.queueKey());
        remoteRoom = handle.longestMessage();
        return slot;
    }

    private void hold(AddressHandle handle, int slot) {
        boolean held = false;
        try {
            if (handle.domain() != domain) {
                throw new IllegalArgumentException(handle + " belongs to " + handle.domain() + ", " + this + " to "
                        + domain + ": create it in the same protection domain");
            }
            handle.stage();
            held = true;
        } finally {
            if (!held) {
                staged = slot;
            }
        }
    }

    /** The first requests, of those that were staged, are posted or forgotten; a run that goes on behind them stays held. */
    private void letGo(int count, int before) {
        for (int slot = 0; slot < count; slot++) {
            if (slot + 1 == before || handles[slot + 1] != handles[slot]) {
                handles[slot].unstage();
            }
        }
        System.arraycopy(handles, count, handles, 0, before - count);
        Arrays.fill(handles, before - count, before, null);
    }

    @Override
    RuntimeException beyondRoom(long total, long room) {
        return new IllegalArgumentException("length=" + total + ": a datagram is one packet, of at most " + room
                + " bytes on this port (its MTU); a longer one would be dropped in silence");
    }

    /**
     * Adds another piece of memory to the request staged last: one message of several pieces, gathered.
     *
     * @param memory the piece's memory
     * @param offset from where, bytes
     * @param length how much, bytes
     * @return this
     * @throws IllegalStateException if nothing is staged
     * @throws IllegalArgumentException if it has as many pieces already as the queue pair was created for; and as
     *     {@link #send}
     */
    public DatagramSendQueue and(MemoryRegion memory, long offset, long length) {
        addPiece(memory, offset, length);
        return this;
    }

    /**
     * Asks for a completion of the request staged last ({@code IBV_SEND_SIGNALED}).
     *
     * @return this
     * @throws IllegalStateException if nothing is staged
     */
    public DatagramSendQueue signaled() {
        setSignaled();
        return this;
    }

    /**
     * Lets the peer's completion of the request staged last raise an event there ({@code IBV_SEND_SOLICITED}).
     *
     * @return this
     * @throws IllegalStateException if nothing is staged
     */
    public DatagramSendQueue solicited() {
        addFlag(last("solicited"), SendRequests.SOLICITED);
        return this;
    }

    /**
     * Carries the data of the request staged last in the request itself ({@code IBV_SEND_INLINE}): less latency for small
     * ones, and the memory may change at once. Call it before {@link #and}.
     *
     * @return this
     * @throws IllegalStateException if nothing is staged, or the request has several pieces already
     * @throws IllegalArgumentException if it is more than the queue pair was created for
     */
    public DatagramSendQueue inline() {
        setInline();
        return this;
    }

    /** Forgets what is staged and not posted. */
    public void discard() {
        forget();
    }

    /**
     * Posts what is staged, in one call ({@code ibv_post_send}).
     *
     * @return how many requests went; fewer than were staged, maybe 0, when the queue has no room. The rest stays staged
     *     and goes first next time, once completions have been polled.
     * @throws IllegalStateException if the queue pair is not in RTS; says why
     * @throws UnsupportedOperationException if it was created to build other operations ({@link QueuePairOptions#extended})
     * @throws VerbsException if the device refuses; says how many it took, the rest stays staged
     */
    public int post() {
        int before = staged();
        try {
            return postStaged();
        } finally {
            letGo(before - staged, before);
        }
    }

    @Override
    void drop() {
        letGo(staged, staged);
        super.drop();
    }
}
