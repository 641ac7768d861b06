package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AtomicCapability;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.SendRequests;
import java.util.Objects;
import java.util.Set;

/**
 * {@code ibv_post_send}: stages work requests and posts them as one batch.
 *
 * <pre>{@code
 * sends.write(1, memory, 0, 4096, remote, 0);
 * sends.send(2, memory, 4096, 16).signaled();
 * sends.post();
 * }</pre>
 *
 * <p>One method per operation carries what it must have; modifiers change the request staged last. Bounds are checked
 * against the local and the remote region. Nothing is allocated after {@link #over}.
 *
 * <p>Memory that a request names must keep its contents until the request has completed, and, if it is not signalled,
 * until a later signalled one has. Inline data is copied at once and may change as soon as {@link #inline} returns.
 *
 * <p>A request takes a slot until a signalled request at or after it has been polled by a {@link Completions}. The last free
 * slot is never given to a request that would not tell: it is signalled for the caller, who then sees its completion.
 *
 * <p>Belongs to one thread at a time: the one that made it, until {@link #release} and {@link #acquire}.
 */
public sealed class SendQueue extends StagedSends permits ExtendedSendQueue {
    static final int ATOMIC_BYTES = Long.BYTES;

    private final boolean atomics;
    /** Of reads and atomics, negative if the queue pair has none. */
    private final long longestRead;

    SendQueue(String kind, ConnectedQueuePair queuePair) {
        super(kind, queuePair);
        this.atomics = queuePair.domain().context().attributes().atomicCapability() != AtomicCapability.NONE;
        this.longestRead = queuePair.canRead() ? maxLength : -1;
    }

    /**
     * {@return the send queue of a queue pair, owned by the calling thread}
     *
     * @param queuePair an open queue pair
     * @throws IllegalStateException if it is closed or has a send queue already; names the owner
     */
    public static SendQueue over(ConnectedQueuePair queuePair) {
        Objects.requireNonNull(queuePair, "queuePair");
        return new SendQueue("SendQueue", queuePair);
    }

    /**
     * Stages a send ({@code IBV_WR_SEND}): the message goes to the receive that the peer posted first.
     *
     * @param id given back with the completion, all 64 bits
     * @param memory what to send
     * @param offset from where, bytes
     * @param length how much, bytes; 0 sends an empty message
     * @return this
     * @throws IndexOutOfBoundsException if the part is not inside the memory
     * @throws IllegalStateException if all requests are staged already, or the memory or this is closed
     * @throws IllegalArgumentException if the memory is of another protection domain, or longer than a message can be
     */
    public SendQueue send(long id, MemoryRegion memory, long offset, long length) {
        stage(id, SendRequests.SEND, memory, offset, length);
        return this;
    }

    /**
     * Stages a send with immediate data ({@code IBV_WR_SEND_WITH_IMM}); else like {@link #send}.
     *
     * @param id given back with the completion
     * @param memory what to send
     * @param offset from where, bytes
     * @param length how much, bytes
     * @param immediate 32 bits for the peer's completion
     * @return this
     */
    public SendQueue sendImmediate(long id, MemoryRegion memory, long offset, long length, int immediate) {
        requests.writeImmediate(stage(id, SendRequests.SEND_IMMEDIATE, memory, offset, length), immediate);
        return this;
    }

    /**
     * Stages an RDMA write ({@code IBV_WR_RDMA_WRITE}): into the peer's memory, without its noticing.
     *
     * @param id given back with the completion
     * @param memory what to write
     * @param offset from where, bytes
     * @param length how much, bytes
     * @param remote the peer's memory
     * @param remoteOffset where to, bytes from its start
     * @return this
     * @throws IndexOutOfBoundsException if the part is not inside the memory, or not inside the remote memory; and as
     *     {@link #send}
     */
    public SendQueue write(
            long id, MemoryRegion memory, long offset, long length, RemoteRegion remote, long remoteOffset) {
        stageRemote(id, SendRequests.WRITE, memory, offset, length, remote, remoteOffset, maxLength);
        return this;
    }

    /**
     * Stages an RDMA write with immediate data ({@code IBV_WR_RDMA_WRITE_WITH_IMM}): it uses up one of the peer's
     * receives, and the peer's completion carries the data; else like {@link #write}.
     *
     * @param id given back with the completion
     * @param memory what to write
     * @param offset from where, bytes
     * @param length how much, bytes
     * @param remote the peer's memory
     * @param remoteOffset where to, bytes from its start
     * @param immediate 32 bits for the peer's completion
     * @return this
     */
    public SendQueue writeImmediate(
            long id,
            MemoryRegion memory,
            long offset,
            long length,
            RemoteRegion remote,
            long remoteOffset,
            int immediate) {
        int slot =
                stageRemote(id, SendRequests.WRITE_IMMEDIATE, memory, offset, length, remote, remoteOffset, maxLength);
        requests.writeImmediate(slot, immediate);
        return this;
    }

    /**
     * Stages an RDMA read ({@code IBV_WR_RDMA_READ}): from the peer's memory, without its noticing.
     *
     * @param id given back with the completion
     * @param memory where to; registered with LOCAL_WRITE
     * @param offset where to, bytes from its start
     * @param length how much, bytes
     * @param remote the peer's memory
     * @param remoteOffset from where, bytes
     * @return this
     * @throws IllegalArgumentException if the memory has no LOCAL_WRITE; and as {@link #write}
     * @throws UnsupportedOperationException if the connection is not a reliable one
     */
    public SendQueue read(
            long id, MemoryRegion memory, long offset, long length, RemoteRegion remote, long remoteOffset) {
        Objects.requireNonNull(memory, "memory").requireWritable();
        stageRemote(id, SendRequests.READ, memory, offset, length, remote, remoteOffset, longestRead);
        return this;
    }

    /**
     * Stages an atomic compare and swap ({@code IBV_WR_ATOMIC_CMP_AND_SWP}): the peer's 8 bytes become the replacement if
     * they are what was expected; either way this end gets what they were.
     *
     * <p>All are 64-bit integers in the byte order of the machine whose memory it is: read them with
     * {@code ValueLayout.JAVA_LONG}, at both ends. {@link AtomicCapability} tells with whom it is atomic; often it is not so
     * with the peer's own processor.
     *
     * @param id given back with the completion
     * @param memory where the former value goes; registered with LOCAL_WRITE
     * @param offset where to, 8 bytes
     * @param remote the peer's memory, registered with REMOTE_ATOMIC; the queue pair must allow that too
     * @param remoteOffset where the value is; its address must be a multiple of 8
     * @param expected what the value must be
     * @param replacement what it becomes then
     * @return this
     * @throws IllegalArgumentException if the remote address is not a multiple of 8; and as {@link #read}
     * @throws UnsupportedCapabilityException if the device has no atomics
     */
    public SendQueue compareAndSwap(
            long id,
            MemoryRegion memory,
            long offset,
            RemoteRegion remote,
            long remoteOffset,
            long expected,
            long replacement) {
        stageAtomic(id, SendRequests.COMPARE_AND_SWAP, memory, offset, remote, remoteOffset, expected, replacement);
        return this;
    }

    /**
     * Stages an atomic addition ({@code IBV_WR_ATOMIC_FETCH_AND_ADD}): the peer's 8 bytes grow by a number, and this end gets
     * what they were; byte order and atomicity as of {@link #compareAndSwap}.
     *
     * @param id given back with the completion
     * @param memory where the former value goes; registered with LOCAL_WRITE
     * @param offset where to, 8 bytes
     * @param remote the peer's memory, registered with REMOTE_ATOMIC; the queue pair must allow that too
     * @param remoteOffset where the value is; its address must be a multiple of 8
     * @param addend what is added; the sum wraps around
     * @return this
     * @throws IllegalArgumentException if the remote address is not a multiple of 8; and as {@link #read}
     * @throws UnsupportedCapabilityException if the device has no atomics
     */
    public SendQueue fetchAndAdd(
            long id, MemoryRegion memory, long offset, RemoteRegion remote, long remoteOffset, long addend) {
        stageAtomic(id, SendRequests.FETCH_AND_ADD, memory, offset, remote, remoteOffset, addend, 0);
        return this;
    }

    private void stageAtomic(
            long id,
            int opcode,
            MemoryRegion memory,
            long offset,
            RemoteRegion remote,
            long remoteOffset,
            long compareAdd,
            long swap) {
        checkOwner();
        if (!atomics) {
            throw domain.context().unsupported("ibv_post_send", "atomics", "its atomic_cap is IBV_ATOMIC_NONE");
        }
        Objects.requireNonNull(memory, "memory").requireWritable();
        long start = requireAligned(remote, remoteOffset);
        int slot = stageRemote(id, opcode, memory, offset, ATOMIC_BYTES, remote, remoteOffset, longestRead);
        requests.writeAtomic(slot, start, remote.key().value(), compareAdd, swap);
    }

    static long requireAligned(RemoteRegion remote, long remoteOffset) {
        long start = Objects.requireNonNull(remote, "remote").address() + remoteOffset;
        if ((start & ATOMIC_BYTES - 1) != 0) {
            throw new IllegalArgumentException("remoteOffset=" + remoteOffset + " of " + remote + " is at 0x"
                    + Long.toHexString(start) + ": the value of an atomic lies at a multiple of 8");
        }
        return start;
    }

    /**
     * Stages a send that takes a key back from the peer ({@code IBV_WR_SEND_WITH_INV}): when its completion says that the
     * message is there, the key opens nothing any more; else like {@link #send}.
     *
     * @param id given back with the completion
     * @param memory what to send
     * @param offset from where, bytes
     * @param length how much, bytes
     * @param key a key that the peer gave us: of a memory window of type 2
     * @return this
     */
    public SendQueue sendInvalidate(long id, MemoryRegion memory, long offset, long length, RemoteKey key) {
        int value = Objects.requireNonNull(key, "key").value();
        requests.writeInvalidated(stage(id, SendRequests.SEND_INVALIDATE, memory, offset, length), value);
        return this;
    }

    /**
     * Stages taking back a key of this end ({@code IBV_WR_LOCAL_INV}): once it has completed, the key opens nothing any
     * more, and its memory window can be bound again.
     *
     * @param id given back with the completion
     * @param key the key of a memory window of type 2
     * @return this
     * @throws IllegalStateException if all requests are staged already, or this is closed
     */
    public SendQueue invalidate(long id, RemoteKey key) {
        int value = Objects.requireNonNull(key, "key").value();
        requests.writeInvalidated(stageBare(id, SendRequests.INVALIDATE), value);
        return this;
    }

    /**
     * Stages a bind of a memory window of type 2 ({@code IBV_WR_BIND_MW}): it opens a part of a region to the peer, under a
     * new key, which {@link MemoryWindow#remote} knows at once. Requests behind it run when it is done.
     *
     * @param id given back with the completion
     * @param window a window of type 2 that is not bound: its last key was taken back, here or by the peer
     * @param memory the region, registered with MEMORY_WINDOW_BIND, and LOCAL_WRITE if the window lets the peer write
     * @param offset from where, bytes
     * @param length how much, bytes, above 0
     * @param access what the peer may do: some of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC; with ZERO_BASED the peer counts
     *     addresses from the window's first byte
     * @return this
     * @throws IllegalArgumentException if the window is of type 1, the length 0, the access another, or the region does not
     *     allow it or is of another protection domain
     * @throws IndexOutOfBoundsException if the part is not inside the memory
     * @throws IllegalStateException if a bind of the window is staged already, all requests are staged, or one of them is
     *     closed
     */
    public SendQueue bind(
            long id, MemoryWindow window, MemoryRegion memory, long offset, long length, Set<AccessFlag> access) {
        stageBind(id, window, memory, offset, length, access);
        return this;
    }

    /**
     * Posts a bind of a memory window of type 1 at once ({@code ibv_bind_mw}), before what is staged, and signalled. It
     * takes the place of an earlier bind of the window.
     *
     * @param id given back with the completion
     * @param window a window of type 1
     * @param memory the region, registered with MEMORY_WINDOW_BIND, and LOCAL_WRITE if the window lets the peer write
     * @param offset from where, bytes
     * @param length how much, bytes; 0 opens nothing any more
     * @param access what the peer may do: some of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC
     * @return whether it was posted; false if the queue has no room
     * @throws IllegalArgumentException if the window is of type 2, the access another, or the region does not allow it or
     *     is of another protection domain
     * @throws IndexOutOfBoundsException if the part is not inside the memory
     * @throws IllegalStateException if the queue pair is not in RTS, or one of them is closed
     * @throws UnsupportedCapabilityException if the provider cannot bind windows of type 1
     * @throws VerbsException if the device refuses
     */
    public boolean bindNow(
            long id, MemoryWindow window, MemoryRegion memory, long offset, long length, Set<AccessFlag> access) {
        return postBind(id, window, memory, offset, length, access);
    }

    /**
     * Adds another piece of memory to the request staged last: one message of several pieces, gathered, or scattered if
     * it is a read.
     *
     * @param memory the piece's memory
     * @param offset from where, bytes
     * @param length how much, bytes
     * @return this
     * @throws IllegalStateException if nothing is staged
     * @throws IllegalArgumentException if it has as many pieces already as the queue pair was created for; and as the
     *     operation's method
     */
    public SendQueue and(MemoryRegion memory, long offset, long length) {
        addPiece(memory, offset, length);
        return this;
    }

    /**
     * Asks for a completion of the request staged last ({@code IBV_SEND_SIGNALED}).
     *
     * @return this
     * @throws IllegalStateException if nothing is staged
     */
    public SendQueue signaled() {
        setSignaled();
        return this;
    }

    /**
     * Lets the request staged last wait for earlier RDMA reads of this queue ({@code IBV_SEND_FENCE}).
     *
     * @return this
     * @throws IllegalStateException if nothing is staged
     */
    public SendQueue fence() {
        addFlag(last("fence"), SendRequests.FENCE);
        return this;
    }

    /**
     * Lets the peer's completion of the request staged last raise an event there ({@code IBV_SEND_SOLICITED}).
     *
     * @return this
     * @throws IllegalStateException if nothing is staged
     */
    public SendQueue solicited() {
        addFlag(last("solicited"), SendRequests.SOLICITED);
        return this;
    }

    /**
     * Carries the data of the request staged last in the request itself ({@code IBV_SEND_INLINE}): less latency for small
     * ones, and the memory may change at once. Call it before {@link #and}.
     *
     * @return this
     * @throws IllegalStateException if nothing is staged, the request has several pieces already, or carries no data
     * @throws IllegalArgumentException if it is more than the queue pair was created for
     */
    public SendQueue inline() {
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
        return postStaged();
    }
}
