package io.github.verbs4j;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.SendRequests;

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
public final class SendQueue extends PostingQueue {
    private final SendRequests requests;
    private final long maxLength;
    private int stagedSignaled;
    /** Bytes that the request staged last may still grow by at the peer. */
    private long remoteRoom;

    private SendQueue(RcQueuePair queuePair) {
        // what can fail comes before the seat is taken
        DeviceContext context = queuePair.domain().context();
        QueuePairAccount account = queuePair.account();
        QueuePairCapacity capacity = queuePair.capacity();
        SendRequests requests =
                new SendRequests(account.sends().depth(), capacity.sendSegments(), capacity.inlineBytes());
        long maxLength = requests.entries() == 0 ? 0 : longestMessage(context);
        super("SendQueue", queuePair, account.sender(), account.sends(), requests, context.postSend());
        this.requests = requests;
        this.maxLength = maxLength;
    }

    private static long longestMessage(DeviceContext context) {
        DeviceAttributes attributes = context.attributes();
        long longest = 0;
        for (int port = 1; port <= attributes.portCount(); port++) {
            longest = Math.max(longest, context.port(port).maxMessageLength());
        }
        return longest;
    }

    /**
     * {@return the send queue of a queue pair, owned by the calling thread}
     *
     * @param queuePair an open queue pair
     * @throws IllegalStateException if it is closed or has a send queue already; names the owner
     */
    public static SendQueue over(RcQueuePair queuePair) {
        return new SendQueue(queuePair);
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
        stageRemote(id, SendRequests.WRITE, memory, offset, length, remote, remoteOffset);
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
        int slot = stageRemote(id, SendRequests.WRITE_IMMEDIATE, memory, offset, length, remote, remoteOffset);
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
     */
    public SendQueue read(
            long id, MemoryRegion memory, long offset, long length, RemoteRegion remote, long remoteOffset) {
        memory.requireWritable();
        stageRemote(id, SendRequests.READ, memory, offset, length, remote, remoteOffset);
        return this;
    }

    private int stage(long id, int opcode, MemoryRegion memory, long offset, long length) {
        remoteRoom = Long.MAX_VALUE;
        return stageLocal(id, opcode, memory, offset, length);
    }

    private int stageRemote(
            long id,
            int opcode,
            MemoryRegion memory,
            long offset,
            long length,
            RemoteRegion remote,
            long remoteOffset) {
        long room = remote.length() - remoteOffset;
        if (remoteOffset < 0 || length > room) {
            throw new IndexOutOfBoundsException("remoteOffset=" + remoteOffset + ", length=" + length
                    + " is outside of " + remote + ": 0.." + remote.length());
        }
        int slot = stageLocal(id, opcode, memory, offset, length);
        requests.writeRemote(slot, remote.address() + remoteOffset, remote.key().value());
        remoteRoom = room;
        return slot;
    }

    private int stageLocal(long id, int opcode, MemoryRegion memory, long offset, long length) {
        checkOwner();
        int slot = staged;
        if (slot == capacity) {
            throw full("requests");
        }
        if (memory != lastMemory) {
            memory.requireDomain(domain);
            lastMemory = memory;
        }
        memory.check(offset, length);
        if (length > maxLength) {
            throw tooLong(length);
        }
        requests.write(slot, id, opcode, memory.address() + offset, (int) length, memory.localKeyValue());
        staged = slot + 1;
        return slot;
    }

    private IllegalArgumentException tooLong(long length) {
        if (requests.entries() == 0) {
            return new IllegalArgumentException(
                    "length=" + length + ": " + queuePair
                            + " was created for sends of 0 pieces, which are empty; ask for more with QueuePairOptions.segments");
        }
        return new IllegalArgumentException("length=" + length + " is over the longest message of "
                + domain.context().device().name() + ", " + maxLength + " bytes (max_msg_sz); send it in parts");
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
        int slot = last("and");
        memory.requireDomain(domain);
        memory.check(offset, length);
        if (requests.opcode(slot) == SendRequests.READ) {
            memory.requireWritable();
        }
        long total = requests.length(slot) + length;
        if (total > maxLength) {
            throw tooLong(total);
        }
        if (total > remoteRoom) {
            throw new IndexOutOfBoundsException("the pieces together, " + total
                    + " bytes, go over the remote memory's end by " + (total - remoteRoom));
        }
        if ((requests.flags(slot) & SendRequests.INLINE) != 0) {
            copyInline(slot, requests.length(slot), memory, offset, length);
        } else if (length > 0) {
            if (requests.entryCount(slot) == requests.entries()) {
                throw new IllegalArgumentException(queuePair + " was created for sends of " + requests.entries()
                        + " pieces; ask for more with QueuePairOptions.segments");
            }
            if (requests.entryCount(slot) == 0) {
                lastMemory = memory;
            }
            requests.append(slot, memory.address() + offset, (int) length, memory.localKeyValue());
        }
        return this;
    }

    /**
     * Asks for a completion of the request staged last ({@code IBV_SEND_SIGNALED}).
     *
     * @return this
     * @throws IllegalStateException if nothing is staged
     */
    public SendQueue signaled() {
        int slot = last("signaled");
        if (!isSignaled(slot)) {
            addFlag(slot, SendRequests.SIGNALED);
            stagedSignaled++;
        }
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
     * @throws IllegalStateException if nothing is staged, the request has several pieces already, or is a read
     * @throws IllegalArgumentException if it is more than the queue pair was created for
     */
    public SendQueue inline() {
        int slot = last("inline");
        int flags = requests.flags(slot);
        if ((flags & SendRequests.INLINE) == 0) {
            if (requests.opcode(slot) == SendRequests.READ || requests.entryCount(slot) > 1) {
                throw new IllegalStateException(
                        "inline() is for sends and writes, and comes before and(): " + this + ", request " + slot);
            }
            long length = requests.entryCount(slot) == 0 ? 0 : requests.firstLength(slot);
            long offset = length == 0 ? 0 : requests.firstAddress(slot) - lastMemory.address();
            copyInline(slot, 0, lastMemory, offset, length);
            requests.setFlags(slot, flags | SendRequests.INLINE);
        }
        return this;
    }

    private void copyInline(int slot, long before, MemoryRegion memory, long offset, long length) {
        if (before + length > requests.inlineBytes()) {
            throw tooLongForInline(before + length);
        }
        requests.copyInline(slot, before, memory.segment(), offset, length);
    }

    private void addFlag(int slot, int flag) {
        requests.setFlags(slot, requests.flags(slot) | flag);
    }

    private IllegalArgumentException tooLongForInline(long length) {
        return new IllegalArgumentException(length + " bytes of inline data: " + queuePair + " was created for "
                + requests.inlineBytes() + "; ask for more with QueuePairOptions.inline");
    }

    private int last(String modifier) {
        checkOwner();
        if (staged == 0) {
            throw new IllegalStateException(modifier + "() modifies a staged request, and none is: " + this);
        }
        return staged - 1;
    }

    /** Forgets what is staged and not posted. */
    public void discard() {
        checkOwner();
        staged = 0;
        stagedSignaled = 0;
    }

    /**
     * Posts what is staged, in one call ({@code ibv_post_send}).
     *
     * @return how many requests went; fewer than were staged, maybe 0, when the queue has no room. The rest stays staged
     *     and goes first next time, once completions have been polled.
     * @throws IllegalStateException if the queue pair is not in RTS; says why
     * @throws VerbsException if the device refuses; says how many it took, the rest stays staged
     */
    public int post() {
        checkOwner();
        int count = staged;
        if (count == 0) {
            return 0;
        }
        if (account.sendGate() != slots.life()) {
            requireOpenGate();
        }
        if (slots.room(count) <= count) {
            return postWhatFits(slots.room(count));
        }
        send(count);
        settleAll(count);
        return count;
    }

    private int postWhatFits(int count) {
        if (count == 0) {
            return 0;
        }
        signalLast(count);
        send(count);
        settle(count);
        return count;
    }

    private void send(int count) {
        int result = call(count);
        if (result != 0) {
            throw refused("ibv_post_send", result, count);
        }
    }

    @Override
    void settle(int count) {
        if (count == staged) {
            settleAll(count);
        } else {
            settlePart(count);
        }
    }

    private void settleAll(int count) {
        int signaled = stagedSignaled;
        staged = 0;
        stagedSignaled = 0;
        take(count, signaled);
    }

    private void settlePart(int count) {
        int signaled = requests.signaledOf(count);
        take(count, signaled);
        staged -= count;
        stagedSignaled -= signaled;
        requests.moveToFront(count, staged);
    }

    private void take(int count, int signaled) {
        if (signaled == count) {
            slots.takeAll(count);
        } else if (signaled == 1 && isSignaled(count - 1)) {
            slots.takeWithLast(count);
        } else {
            takeMixed(count);
        }
    }

    private void takeMixed(int count) {
        int silent = 0;
        for (int slot = 0; slot < count; slot++) {
            silent++;
            if (isSignaled(slot)) {
                slots.takeWithLast(silent);
                silent = 0;
            }
        }
        slots.takeSilent(silent);
    }

    private boolean isSignaled(int slot) {
        return (requests.flags(slot) & SendRequests.SIGNALED) != 0;
    }

    /** The request that takes the last slot must tell when it is done, or nothing could ever be posted again. */
    private void signalLast(int count) {
        int slot = count - 1;
        if (!isSignaled(slot)) {
            addFlag(slot, SendRequests.SIGNALED);
            stagedSignaled++;
        }
    }

    @Override
    int gate() {
        return account.sendGate();
    }

    @Override
    String need() {
        return "sends need RTS";
    }
}
