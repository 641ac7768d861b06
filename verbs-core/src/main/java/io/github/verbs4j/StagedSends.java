package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.internal.Builders;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.SendRequests;
import java.util.Objects;
import java.util.Set;

/** What every send queue does, whatever it offers: checks and writes requests, posts what fits, counts slots and signals. */
abstract class StagedSends extends PostingQueue {
    final SendRequests requests;
    final long maxLength;
    /** Bytes that the request staged last may still grow by at the peer. */
    long remoteRoom;

    private final StagedBinds binds = new StagedBinds();
    /** Null where requests are posted the classic way. */
    private final Builders builders;

    private int stagedSignaled;

    StagedSends(String kind, QueuePair queuePair) {
        // what can fail comes before the seat is taken
        DeviceContext context = queuePair.domain().context();
        QueuePairAccount account = queuePair.account();
        QueuePairCapacity capacity = queuePair.capacity();
        SendRequests requests =
                new SendRequests(account.sends().depth(), capacity.sendSegments(), capacity.inlineBytes());
        long maxLength = requests.entries() == 0 ? 0 : longestMessage(context);
        Builders builders = queuePair.builders(kind + ".over");
        super(kind, PostingTarget.of(queuePair), account.sender(), account.sends(), requests, context.postSend());
        this.requests = requests;
        this.maxLength = maxLength;
        this.builders = builders;
    }

    private static long longestMessage(DeviceContext context) {
        DeviceAttributes attributes = context.attributes();
        long longest = 0;
        for (int port = 1; port <= attributes.portCount(); port++) {
            longest = Math.max(longest, context.port(port).maxMessageLength());
        }
        return longest;
    }

    final int stage(long id, int opcode, MemoryRegion memory, long offset, long length) {
        int slot = stageLocal(id, opcode, memory, offset, length, maxLength);
        remoteRoom = Long.MAX_VALUE;
        return slot;
    }

    final int stageRemote(
            long id,
            int opcode,
            MemoryRegion memory,
            long offset,
            long length,
            RemoteRegion remote,
            long remoteOffset,
            long longest) {
        long room = Objects.requireNonNull(remote, "remote").length() - remoteOffset;
        if (remoteOffset < 0 || length > room) {
            throw outside(remote, remoteOffset, length);
        }
        int slot = stageLocal(id, opcode, memory, offset, length, longest);
        requests.writeRemote(slot, remote.address() + remoteOffset, remote.key().value());
        remoteRoom = room;
        return slot;
    }

    static IndexOutOfBoundsException outside(RemoteRegion remote, long remoteOffset, long length) {
        return new IndexOutOfBoundsException("remoteOffset=" + remoteOffset + ", length=" + length + " is outside of "
                + remote + ": 0.." + remote.length());
    }

    /** Without memory. */
    final int stageBare(long id, int opcode) {
        checkOwner();
        int slot = staged;
        if (slot == capacity) {
            throw full("requests");
        }
        requests.write(slot, id, opcode, 0, 0, 0);
        staged = slot + 1;
        return slot;
    }

    /**
     * Stages a request with one piece of memory.
     *
     * @param longest how long the message of such a request may be, negative if this kind of queue pair has no such
     *     requests: one comparison tells both
     */
    final int stageLocal(long id, int opcode, MemoryRegion memory, long offset, long length, long longest) {
        checkOwner();
        int slot = staged;
        if (slot == capacity) {
            throw full("requests");
        }
        Objects.requireNonNull(memory, "memory").check(offset, length);
        if (length > longest) {
            throw longest < 0 ? unsupported() : tooLong(length);
        }
        if (memory != lastMemory) { // the last of all, for it is that of the last request that was staged
            memory.requireDomain(domain);
            lastMemory = memory;
        }
        requests.write(slot, id, opcode, memory.address() + offset, (int) length, memory.localKeyValue());
        staged = slot + 1;
        return slot;
    }

    private UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException(
                target + " neither reads nor does atomics: only a reliable connection, an RcQueuePair, does");
    }

    final IllegalArgumentException tooLong(long length) {
        if (requests.entries() == 0) {
            return new IllegalArgumentException(
                    "length=" + length + ": " + target
                            + " was created for sends of 0 pieces, which are empty; ask for more with QueuePairOptions.segments");
        }
        return new IllegalArgumentException("length=" + length + " is over the longest message of "
                + domain.context().device().name() + ", " + maxLength + " bytes (max_msg_sz); send it in parts");
    }

    /** Both stay open, and the window takes no other bind, until the request is posted or dropped. */
    final void stageBind(
            long id, MemoryWindow window, MemoryRegion memory, long offset, long length, Set<AccessFlag> access) {
        checkOwner();
        int bits = MemoryWindows.check(domain, window, MemoryWindowType.TYPE_2, memory, offset, length, access);
        if (staged == capacity) {
            throw full("requests");
        }
        binds.reserve();
        long start = memory.address() + offset;
        int key = window.stage(this, memory, (bits & AccessFlag.ZERO_BASED.bit()) != 0 ? 0 : start, length);
        int slot = stageBare(id, SendRequests.BIND);
        requests.writeBind(slot, window.handle().address(), key, memory.handle().address(), start, length, bits);
        binds.add(window, slot);
    }

    final boolean postBind(
            long id, MemoryWindow window, MemoryRegion memory, long offset, long length, Set<AccessFlag> access) {
        checkOwner();
        int bits = MemoryWindows.check(domain, window, MemoryWindowType.TYPE_1, memory, offset, length, access);
        requireOpenGate();
        if (slots.room(1) == 0) {
            return false;
        }
        MemoryWindows.bindNow(target.handle(), id, window, memory, offset, length, bits);
        slots.takeAll(1);
        return true;
    }

    final void addPiece(MemoryRegion memory, long offset, long length) {
        int slot = last("and");
        Objects.requireNonNull(memory, "memory").requireDomain(domain);
        memory.check(offset, length);
        if (requests.opcode(slot) >= SendRequests.READ) {
            requirePieces(slot, memory);
        }
        long total = requests.length(slot) + length;
        if (total > maxLength) {
            throw tooLong(total);
        }
        if (total > remoteRoom) {
            throw beyondRoom(total, remoteRoom);
        }
        if ((requests.flags(slot) & SendRequests.INLINE) != 0) {
            copyInline(slot, requests.length(slot), memory, offset, length);
        } else if (length > 0) {
            if (requests.entryCount(slot) == requests.entries()) {
                throw new IllegalArgumentException(target + " was created for sends of " + requests.entries()
                        + " pieces; ask for more with QueuePairOptions.segments");
            }
            if (requests.entryCount(slot) == 0) {
                lastMemory = memory;
            }
            requests.append(slot, memory.address() + offset, (int) length, memory.localKeyValue());
        }
    }

    /** What to throw for a message that the other side has no room for. */
    RuntimeException beyondRoom(long total, long room) {
        return new IndexOutOfBoundsException(
                "the pieces together, " + total + " bytes, go over the remote memory's end by " + (total - room));
    }

    private void requirePieces(int slot, MemoryRegion memory) {
        if (requests.opcode(slot) == SendRequests.READ) {
            memory.requireWritable();
        } else if (requests.opcode(slot) != SendRequests.SEND_INVALIDATE) {
            throw new IllegalStateException("and() is for sends, writes and reads: " + this + ", request " + slot);
        }
    }

    final void setSignaled() {
        int slot = last("signaled");
        if (!isSignaled(slot)) {
            addFlag(slot, SendRequests.SIGNALED);
            stagedSignaled++;
        }
    }

    final void setInline() {
        int slot = last("inline");
        int flags = requests.flags(slot);
        if ((flags & SendRequests.INLINE) == 0) {
            if (!carriesData(requests.opcode(slot)) || requests.entryCount(slot) > 1) {
                throw new IllegalStateException(
                        "inline() is for sends and writes, and comes before and(): " + this + ", request " + slot);
            }
            long length = requests.entryCount(slot) == 0 ? 0 : requests.firstLength(slot);
            long offset = length == 0 ? 0 : requests.firstAddress(slot) - lastMemory.address();
            copyInline(slot, 0, lastMemory, offset, length);
            requests.setFlags(slot, flags | SendRequests.INLINE);
        }
    }

    private static boolean carriesData(int opcode) {
        return opcode < SendRequests.READ || opcode == SendRequests.SEND_INVALIDATE;
    }

    private void copyInline(int slot, long before, MemoryRegion memory, long offset, long length) {
        if (before + length > requests.inlineBytes()) {
            throw tooLongForInline(before + length);
        }
        requests.copyInline(slot, before, memory.segment(), offset, length);
    }

    final void addFlag(int slot, int flag) {
        requests.setFlags(slot, requests.flags(slot) | flag);
    }

    private IllegalArgumentException tooLongForInline(long length) {
        return new IllegalArgumentException(length + " bytes of inline data: " + target + " was created for "
                + requests.inlineBytes() + "; ask for more with QueuePairOptions.inline");
    }

    final int last(String modifier) {
        checkOwner();
        if (staged == 0) {
            throw new IllegalStateException(modifier + "() modifies a staged request, and none is: " + this);
        }
        return staged - 1;
    }

    final void forget() {
        checkOwner();
        drop();
        staged = 0;
        stagedSignaled = 0;
    }

    @Override
    void drop() {
        binds.drop();
    }

    final int postStaged() {
        checkOwner();
        int count = staged;
        if (count == 0) {
            return 0;
        }
        if (slots.gate() != slots.life()) {
            requireOpenGate();
        }
        int room = slots.room(count); // once: another thread may poll meanwhile, and room for more than is staged come
        if (room <= count) {
            return postWhatFits(room);
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
            throw refused(isBuilt(count) ? "ibv_wr_complete" : "ibv_post_send", result, count);
        }
    }

    @Override
    final int callPlainly(int count) {
        if (builders != null) {
            builders.requireOperations(requests, count, target);
        }
        return isBuilt(count) ? builders.post(requests, count) : super.callPlainly(count);
    }

    private boolean isBuilt(int count) {
        return builders != null && !builders.mustPost(requests, count);
    }

    @Override
    final void settle(int count) {
        if (count == staged) {
            settleAll(count);
        } else {
            settlePart(count);
        }
    }

    private void settleAll(int count) {
        if (!binds.isEmpty()) {
            binds.posted(count);
        }
        int signaled = stagedSignaled;
        staged = 0;
        stagedSignaled = 0;
        take(count, signaled);
    }

    private void settlePart(int count) {
        binds.posted(count);
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

    final boolean isSignaled(int slot) {
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
    final String need() {
        return "sends need RTS";
    }
}
