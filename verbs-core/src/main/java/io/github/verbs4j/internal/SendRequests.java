package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of {@code struct ibv_send_wr}, linked once and for all, each with its scatter/gather entries and its place for
 * inline data. Only what changes is rewritten.
 *
 * <pre>
 * | request 0 | request 1 | ... | entries of 0 | entries of 1 | ... | inline data of 0 | ... | bad_wr |
 * </pre>
 *
 * <p>Nothing is checked here but the bounds of this memory.
 */
public final class SendRequests {
    /** {@code IBV_WR_RDMA_WRITE}. */
    public static final int WRITE = verbs4j_h.IBV_WR_RDMA_WRITE();

    /** {@code IBV_WR_RDMA_WRITE_WITH_IMM}. */
    public static final int WRITE_IMMEDIATE = verbs4j_h.IBV_WR_RDMA_WRITE_WITH_IMM();

    /** {@code IBV_WR_SEND}. */
    public static final int SEND = verbs4j_h.IBV_WR_SEND();

    /** {@code IBV_WR_SEND_WITH_IMM}. */
    public static final int SEND_IMMEDIATE = verbs4j_h.IBV_WR_SEND_WITH_IMM();

    /** {@code IBV_WR_RDMA_READ}. */
    public static final int READ = verbs4j_h.IBV_WR_RDMA_READ();

    /** {@code IBV_SEND_FENCE}. */
    public static final int FENCE = verbs4j_h.IBV_SEND_FENCE();

    /** {@code IBV_SEND_SIGNALED}. */
    public static final int SIGNALED = verbs4j_h.IBV_SEND_SIGNALED();

    /** {@code IBV_SEND_SOLICITED}. */
    public static final int SOLICITED = verbs4j_h.IBV_SEND_SOLICITED();

    /** {@code IBV_SEND_INLINE}. */
    public static final int INLINE = verbs4j_h.IBV_SEND_INLINE();

    private static final long BYTES = ibv_send_wr.sizeof();
    private static final long ID = ibv_send_wr.wr_id$offset();
    private static final long NEXT = ibv_send_wr.next$offset();
    private static final long ENTRIES = ibv_send_wr.sg_list$offset();
    private static final long ENTRY_COUNT = ibv_send_wr.num_sge$offset();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long FLAGS = ibv_send_wr.send_flags$offset();
    private static final long IMMEDIATE = ibv_send_wr.imm_data$offset();
    private static final long RDMA = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset();
    private static final long REMOTE_ADDRESS = RDMA + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long REMOTE_KEY = RDMA + ibv_send_wr.wr.rdma.rkey$offset();

    private static final long ENTRY_BYTES = ibv_sge.sizeof();
    private static final long ENTRY_ADDRESS = ibv_sge.addr$offset();
    private static final long ENTRY_LENGTH = ibv_sge.length$offset();
    private static final long ENTRY_KEY = ibv_sge.lkey$offset();

    private final MemorySegment memory;
    private final long address;
    private final int capacity;
    private final int entries;
    private final int inlineBytes;
    private final long firstEntry;
    private final long entryStride;
    private final long firstInline;
    private final long bad;

    /**
     * Allocates and links.
     *
     * @param capacity requests
     * @param entries scatter/gather entries of each
     * @param inlineBytes inline data of each
     */
    public SendRequests(int capacity, int entries, int inlineBytes) {
        this.capacity = capacity;
        this.entries = entries;
        this.inlineBytes = inlineBytes;
        this.firstEntry = capacity * BYTES;
        this.entryStride = Math.max(1, entries) * ENTRY_BYTES;
        this.firstInline = firstEntry + capacity * entryStride;
        this.bad = firstInline + ((long) capacity * inlineBytes + 7 & -8);
        this.memory = Arena.ofAuto().allocate(bad + ADDRESS.byteSize(), 64);
        this.address = memory.address();
        for (int slot = 0; slot < capacity; slot++) {
            memory.set(JAVA_LONG, slot * BYTES + ENTRIES, address + entryAt(slot, 0));
            join(slot + 1);
        }
    }

    /** {@return how many requests there are} */
    public int capacity() {
        return capacity;
    }

    /** {@return scatter/gather entries of each} */
    public int entries() {
        return entries;
    }

    /** {@return inline data of each, bytes} */
    public int inlineBytes() {
        return inlineBytes;
    }

    /** {@return where the first request is} */
    public long address() {
        return address;
    }

    /** {@return where C says which request was bad} */
    public long badAddress() {
        return address + bad;
    }

    private long entryAt(int slot, int index) {
        return firstEntry + slot * entryStride + index * ENTRY_BYTES;
    }

    /**
     * Writes a request with one piece of memory.
     *
     * @param slot which request
     * @param id the user's id
     * @param opcode one of the constants
     * @param start address of the memory
     * @param length its bytes; none makes a request without memory
     * @param key its local key
     */
    public void write(int slot, long id, int opcode, long start, int length, int key) {
        long request = slot * BYTES;
        memory.set(JAVA_LONG, request + ID, id);
        memory.set(JAVA_INT, request + ENTRY_COUNT, length == 0 ? 0 : 1);
        memory.set(JAVA_INT, request + OPCODE, opcode);
        memory.set(JAVA_INT, request + FLAGS, 0);
        writeEntry(entryAt(slot, 0), start, length, key);
    }

    private void writeEntry(long entry, long start, int length, int key) {
        memory.set(JAVA_LONG, entry + ENTRY_ADDRESS, start);
        memory.set(JAVA_INT, entry + ENTRY_LENGTH, length);
        memory.set(JAVA_INT, entry + ENTRY_KEY, key);
    }

    /**
     * Adds a piece of memory.
     *
     * @param slot which request
     * @param start address of the memory
     * @param length its bytes
     * @param key its local key
     */
    public void append(int slot, long start, int length, int key) {
        int index = entryCount(slot);
        writeEntry(entryAt(slot, index), start, length, key);
        memory.set(JAVA_INT, slot * BYTES + ENTRY_COUNT, index + 1);
    }

    /**
     * Writes what the peer's memory is.
     *
     * @param slot which request
     * @param start address at the peer
     * @param key the peer's key
     */
    public void writeRemote(int slot, long start, int key) {
        memory.set(JAVA_LONG, slot * BYTES + REMOTE_ADDRESS, start);
        memory.set(JAVA_INT, slot * BYTES + REMOTE_KEY, key);
    }

    /**
     * Writes the immediate data, in network order as the wire has it.
     *
     * @param slot which request
     * @param immediate in host order
     */
    public void writeImmediate(int slot, int immediate) {
        memory.set(JAVA_INT, slot * BYTES + IMMEDIATE, Integer.reverseBytes(immediate));
    }

    /**
     * Adds flags.
     *
     * @param slot which request
     * @param flags one of the constants
     */
    public void addFlags(int slot, int flags) {
        memory.set(JAVA_INT, slot * BYTES + FLAGS, flags(slot) | flags);
    }

    /**
     * {@return the flags}
     *
     * @param slot which request
     */
    public int flags(int slot) {
        return memory.get(JAVA_INT, slot * BYTES + FLAGS);
    }

    /**
     * {@return the opcode}
     *
     * @param slot which request
     */
    public int opcode(int slot) {
        return memory.get(JAVA_INT, slot * BYTES + OPCODE);
    }

    /**
     * {@return how many pieces of memory it has}
     *
     * @param slot which request
     */
    public int entryCount(int slot) {
        return memory.get(JAVA_INT, slot * BYTES + ENTRY_COUNT);
    }

    /**
     * {@return the address of its first piece of memory}
     *
     * @param slot which request
     */
    public long firstAddress(int slot) {
        return memory.get(JAVA_LONG, entryAt(slot, 0) + ENTRY_ADDRESS);
    }

    /**
     * {@return the bytes of its memory together}
     *
     * @param slot which request
     */
    public long length(int slot) {
        long sum = 0;
        for (int index = 0; index < entryCount(slot); index++) {
            sum += Integer.toUnsignedLong(memory.get(JAVA_INT, entryAt(slot, index) + ENTRY_LENGTH));
        }
        return sum;
    }

    /**
     * Copies inline data and makes it the request's only piece, however many there were.
     *
     * @param slot which request
     * @param at bytes that are there already
     * @param source copied from, under its own checks
     * @param offset from where
     * @param length bytes
     */
    public void copyInline(int slot, long at, MemorySegment source, long offset, long length) {
        long target = firstInline + (long) slot * inlineBytes;
        MemorySegment.copy(source, offset, memory, target + at, length);
        writeEntry(entryAt(slot, 0), address + target, (int) (at + length), 0);
        memory.set(JAVA_INT, slot * BYTES + ENTRY_COUNT, at + length == 0 ? 0 : 1);
    }

    /**
     * Ends the chain behind a number of requests.
     *
     * @param count requests
     */
    public void cut(int count) {
        memory.set(JAVA_LONG, (count - 1) * BYTES + NEXT, 0);
    }

    /**
     * Undoes {@link #cut}.
     *
     * @param count requests
     */
    public void join(int count) {
        memory.set(JAVA_LONG, (count - 1) * BYTES + NEXT, address + count * BYTES);
    }

    /** Forgets which request was bad last time. */
    public void clearBad() {
        memory.set(JAVA_LONG, bad, 0);
    }

    /**
     * {@return how many requests C took before the one that it refused; all of them if it named none, as a provider does
     * that had taken them before it failed}
     *
     * @param count requests given
     */
    public int acceptedOf(int count) {
        long pointer = memory.get(JAVA_LONG, bad);
        long accepted = (pointer - address) / BYTES;
        return pointer == 0 || accepted < 0 || accepted > count ? count : (int) accepted;
    }

    /**
     * {@return how many of the first requests are signalled}
     *
     * @param count requests
     */
    public int signaledOf(int count) {
        int signaled = 0;
        for (int slot = 0; slot < count; slot++) {
            signaled += (flags(slot) & SIGNALED) != 0 ? 1 : 0;
        }
        return signaled;
    }

    /**
     * Moves requests to the front.
     *
     * @param from first of them
     * @param count how many
     */
    public void moveToFront(int from, int count) {
        for (int slot = 0; slot < count; slot++) {
            int old = from + slot;
            long request = slot * BYTES;
            MemorySegment.copy(memory, old * BYTES, memory, request, BYTES);
            memory.set(JAVA_LONG, request + ENTRIES, address + entryAt(slot, 0));
            join(slot + 1);
            MemorySegment.copy(memory, entryAt(old, 0), memory, entryAt(slot, 0), entryStride);
            if ((flags(slot) & INLINE) != 0) {
                copyInline(slot, 0, memory, firstInline + (long) old * inlineBytes, length(slot));
            }
        }
    }
}
