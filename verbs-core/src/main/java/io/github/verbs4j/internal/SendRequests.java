package io.github.verbs4j.internal;

import static io.github.verbs4j.ffi.RawMemory.getInt;
import static io.github.verbs4j.ffi.RawMemory.putInt;
import static io.github.verbs4j.ffi.RawMemory.putLong;
import static java.lang.ref.Reference.reachabilityFence;

import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.foreign.MemorySegment;

/** A chain of {@code struct ibv_send_wr}; the bytes of each request hold its inline data. */
public final class SendRequests extends RequestChain {
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

    /** {@code IBV_WR_ATOMIC_CMP_AND_SWP}. */
    public static final int COMPARE_AND_SWAP = verbs4j_h.IBV_WR_ATOMIC_CMP_AND_SWP();

    /** {@code IBV_WR_ATOMIC_FETCH_AND_ADD}. */
    public static final int FETCH_AND_ADD = verbs4j_h.IBV_WR_ATOMIC_FETCH_AND_ADD();

    /** {@code IBV_WR_LOCAL_INV}. */
    public static final int INVALIDATE = verbs4j_h.IBV_WR_LOCAL_INV();

    /** {@code IBV_WR_BIND_MW}. */
    public static final int BIND = verbs4j_h.IBV_WR_BIND_MW();

    /** {@code IBV_WR_SEND_WITH_INV}. */
    public static final int SEND_INVALIDATE = verbs4j_h.IBV_WR_SEND_WITH_INV();

    /** {@code IBV_SEND_FENCE}. */
    public static final int FENCE = verbs4j_h.IBV_SEND_FENCE();

    /** {@code IBV_SEND_SIGNALED}. */
    public static final int SIGNALED = verbs4j_h.IBV_SEND_SIGNALED();

    /** {@code IBV_SEND_SOLICITED}. */
    public static final int SOLICITED = verbs4j_h.IBV_SEND_SOLICITED();

    /** {@code IBV_SEND_INLINE}. */
    public static final int INLINE = verbs4j_h.IBV_SEND_INLINE();

    private static final long BYTES = ibv_send_wr.sizeof();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long FLAGS = ibv_send_wr.send_flags$offset();
    private static final long IMMEDIATE = ibv_send_wr.imm_data$offset();
    private static final long RDMA = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset();
    private static final long REMOTE_ADDRESS = RDMA + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long DATAGRAM = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud$offset();
    private static final long ADDRESS_HANDLE = DATAGRAM + ibv_send_wr.wr.ud.ah$offset();
    private static final long REMOTE_NUMBER = DATAGRAM + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long QUEUE_KEY = DATAGRAM + ibv_send_wr.wr.ud.remote_qkey$offset();
    private static final long REMOTE_KEY = RDMA + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long INVALIDATED = ibv_send_wr.invalidate_rkey$offset();
    private static final long ATOMIC = ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic$offset();
    private static final long ATOMIC_ADDRESS = ATOMIC + ibv_send_wr.wr.atomic.remote_addr$offset();
    private static final long COMPARE_ADD = ATOMIC + ibv_send_wr.wr.atomic.compare_add$offset();
    private static final long SWAP = ATOMIC + ibv_send_wr.wr.atomic.swap$offset();
    private static final long ATOMIC_KEY = ATOMIC + ibv_send_wr.wr.atomic.rkey$offset();
    private static final long BIND_PART = ibv_send_wr.bind_mw$offset();
    private static final long WINDOW = BIND_PART + ibv_send_wr.bind_mw.mw$offset();
    private static final long WINDOW_KEY = BIND_PART + ibv_send_wr.bind_mw.rkey$offset();
    private static final long BOUND = BIND_PART + ibv_send_wr.bind_mw.bind_info$offset();
    private static final long BOUND_REGION = BOUND + ibv_mw_bind_info.mr$offset();
    private static final long BOUND_ADDRESS = BOUND + ibv_mw_bind_info.addr$offset();
    private static final long BOUND_LENGTH = BOUND + ibv_mw_bind_info.length$offset();
    private static final long BOUND_ACCESS = BOUND + ibv_mw_bind_info.mw_access_flags$offset();

    private final int inlineBytes;
    private final long firstInline;

    /**
     * Allocates and links.
     *
     * @param capacity requests
     * @param entries scatter/gather entries of each
     * @param inlineBytes inline data of each
     */
    public SendRequests(int capacity, int entries, int inlineBytes) {
        super(BYTES, capacity, entries, inlineBytes);
        this.inlineBytes = inlineBytes;
        this.firstInline = firstOwnByte();
    }

    /** {@return inline data of each, bytes} */
    public int inlineBytes() {
        return inlineBytes;
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
        long request = request(slot);
        putLong(request, ID, id);
        putInt(request, ENTRY_COUNT, length == 0 ? 0 : 1);
        putInt(request, OPCODE, opcode);
        putInt(request, FLAGS, 0);
        writeEntry(request + BYTES, start, length, key);
        reachabilityFence(this);
    }

    /**
     * Writes what the peer's memory is.
     *
     * @param slot which request
     * @param start address at the peer
     * @param key the peer's key
     */
    public void writeRemote(int slot, long start, int key) {
        putLong(request(slot), REMOTE_ADDRESS, start);
        putInt(request(slot), REMOTE_KEY, key);
        reachabilityFence(this);
    }

    /**
     * Writes what an atomic works on and with.
     *
     * @param slot which request
     * @param start address at the peer
     * @param key the peer's key
     * @param compareAdd what to compare with, or to add
     * @param swap what to put there, if it is equal
     */
    public void writeAtomic(int slot, long start, int key, long compareAdd, long swap) {
        putLong(request(slot), ATOMIC_ADDRESS, start);
        putLong(request(slot), COMPARE_ADD, compareAdd);
        putLong(request(slot), SWAP, swap);
        putInt(request(slot), ATOMIC_KEY, key);
        reachabilityFence(this);
    }

    /**
     * Writes the key that is to be invalidated, here or at the peer; it has the place of the immediate data.
     *
     * @param slot which request
     * @param key the key, in host order
     */
    public void writeInvalidated(int slot, int key) {
        putInt(request(slot), INVALIDATED, key);
        reachabilityFence(this);
    }

    /**
     * Writes what a window is bound to.
     *
     * @param slot which request
     * @param window {@code struct ibv_mw *}
     * @param key the window's new key
     * @param region {@code struct ibv_mr *}
     * @param start address of the part of the region
     * @param length its bytes
     * @param access bits of {@code ibv_access_flags}
     */
    public void writeBind(int slot, long window, int key, long region, long start, long length, int access) {
        long request = request(slot);
        putInt(request, IMMEDIATE, 0); // some providers refuse a bind with anything there
        putLong(request, WINDOW, window);
        putInt(request, WINDOW_KEY, key);
        putLong(request, BOUND_REGION, region);
        putLong(request, BOUND_ADDRESS, start);
        putLong(request, BOUND_LENGTH, length);
        putInt(request, BOUND_ACCESS, access);
        reachabilityFence(this);
    }

    /**
     * Writes whom a datagram is for.
     *
     * @param slot which request
     * @param handle address of the address handle
     * @param number of the peer's queue pair
     * @param queueKey of the peer's queue pair
     */
    public void writeDatagram(int slot, long handle, int number, int queueKey) {
        putLong(request(slot), ADDRESS_HANDLE, handle);
        putInt(request(slot), REMOTE_NUMBER, number);
        putInt(request(slot), QUEUE_KEY, queueKey);
        reachabilityFence(this);
    }

    /**
     * Writes the immediate data, in network order as the wire has it.
     *
     * @param slot which request
     * @param immediate in host order
     */
    public void writeImmediate(int slot, int immediate) {
        putInt(request(slot), IMMEDIATE, Integer.reverseBytes(immediate));
        reachabilityFence(this);
    }

    /**
     * Writes the flags.
     *
     * @param slot which request
     * @param flags a sum of the constants
     */
    public void setFlags(int slot, int flags) {
        putInt(request(slot), FLAGS, flags);
        reachabilityFence(this);
    }

    /**
     * {@return the flags}
     *
     * @param slot which request
     */
    public int flags(int slot) {
        int flags = getInt(request(slot), FLAGS);
        reachabilityFence(this);
        return flags;
    }

    /**
     * {@return the opcode}
     *
     * @param slot which request
     */
    public int opcode(int slot) {
        int opcode = getInt(request(slot), OPCODE);
        reachabilityFence(this);
        return opcode;
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
        putInt(request(slot), ENTRY_COUNT, at + length == 0 ? 0 : 1);
        reachabilityFence(this);
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

    @Override
    void moveOwn(int from, int to) {
        if ((flags(to) & INLINE) != 0) {
            copyInline(to, 0, memory, firstInline + (long) from * inlineBytes, length(to));
        }
    }
}
