package io.github.verbs4j.internal;

import static io.github.verbs4j.ffi.RawMemory.getInt;
import static io.github.verbs4j.ffi.RawMemory.getLong;
import static io.github.verbs4j.ffi.RawMemory.putInt;
import static io.github.verbs4j.ffi.RawMemory.putLong;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.ref.Reference.reachabilityFence;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of work requests, linked once and for all, each with its scatter/gather entries and some bytes of its own. Only
 * what changes is rewritten.
 *
 * <pre>
 * | request 0 | entries of 0 | request 1 | entries of 1 | ... | bytes of 0 | ... | bad_wr |
 * </pre>
 *
 * <p>Nothing is checked here: a slot must be less than the capacity. The fields are written by address, because the checks
 * of a segment keep the methods above from being inlined. That memory lives as long as this object, so every method that
 * is called from outside keeps the object reachable to its end.
 */
public abstract class RequestChain {
    /** The first four members of {@code ibv_send_wr} and {@code ibv_recv_wr} are the same. */
    static final long ID = same(ibv_send_wr.wr_id$offset(), ibv_recv_wr.wr_id$offset());

    static final long NEXT = same(ibv_send_wr.next$offset(), ibv_recv_wr.next$offset());
    static final long ENTRIES = same(ibv_send_wr.sg_list$offset(), ibv_recv_wr.sg_list$offset());
    static final long ENTRY_COUNT = same(ibv_send_wr.num_sge$offset(), ibv_recv_wr.num_sge$offset());

    private static final long ENTRY_BYTES = ibv_sge.sizeof();
    private static final long ENTRY_ADDRESS = ibv_sge.addr$offset();
    private static final long ENTRY_LENGTH = ibv_sge.length$offset();
    private static final long ENTRY_KEY = ibv_sge.lkey$offset();

    final MemorySegment memory;
    final long address;
    private final int capacity;
    private final int entries;
    private final long requestBytes;
    /** From one request to the next. */
    final long stride;

    private final long bad;

    private static long same(long send, long receive) {
        if (send != receive) {
            throw new AssertionError("ibv_send_wr and ibv_recv_wr begin differently");
        }
        return send;
    }

    /**
     * Allocates and links.
     *
     * @param requestBytes size of a request
     * @param capacity requests
     * @param entries scatter/gather entries of each
     * @param ownBytes further bytes of each
     */
    RequestChain(long requestBytes, int capacity, int entries, int ownBytes) {
        this.requestBytes = requestBytes;
        this.capacity = capacity;
        this.entries = entries;
        this.stride = requestBytes + Math.max(1, entries) * ENTRY_BYTES;
        this.bad = firstOwnByte() + ((long) capacity * ownBytes + 7 & -8);
        this.memory = Arena.ofAuto().allocate(bad + ADDRESS.byteSize(), 64);
        this.address = memory.address();
        for (int slot = 0; slot < capacity; slot++) {
            putLong(request(slot), ENTRIES, entryAt(slot, 0));
            join(request(slot));
        }
    }

    final long request(int slot) {
        return address + slot * stride;
    }

    final long firstOwnByte() {
        return capacity * stride;
    }

    final long entryAt(int slot, int index) {
        return request(slot) + requestBytes + index * ENTRY_BYTES;
    }

    static void writeEntry(long entry, long start, int length, int key) {
        putLong(entry, ENTRY_ADDRESS, start);
        putInt(entry, ENTRY_LENGTH, length);
        putInt(entry, ENTRY_KEY, key);
    }

    /** {@return how many requests there are} */
    public final int capacity() {
        return capacity;
    }

    /** {@return scatter/gather entries of each} */
    public final int entries() {
        return entries;
    }

    /** {@return where the first request is} */
    public final long address() {
        return address;
    }

    /** {@return where C says which request was bad} */
    public final long badAddress() {
        return address + bad;
    }

    /**
     * Adds a piece of memory.
     *
     * @param slot which request
     * @param start address of the memory
     * @param length its bytes
     * @param key its local key
     */
    public final void append(int slot, long start, int length, int key) {
        int index = entryCount(slot);
        writeEntry(entryAt(slot, index), start, length, key);
        putInt(request(slot), ENTRY_COUNT, index + 1);
        reachabilityFence(this);
    }

    /**
     * {@return how many pieces of memory it has}
     *
     * @param slot which request
     */
    public final int entryCount(int slot) {
        int count = getInt(request(slot), ENTRY_COUNT);
        reachabilityFence(this);
        return count;
    }

    /**
     * {@return the address of its first piece of memory}
     *
     * @param slot which request
     */
    public final long firstAddress(int slot) {
        long first = getLong(entryAt(slot, 0), ENTRY_ADDRESS);
        reachabilityFence(this);
        return first;
    }

    /**
     * {@return the length of its first piece of memory, bytes}
     *
     * @param slot which request
     */
    public final long firstLength(int slot) {
        long length = Integer.toUnsignedLong(getInt(entryAt(slot, 0), ENTRY_LENGTH));
        reachabilityFence(this);
        return length;
    }

    /**
     * {@return the bytes of its memory together}
     *
     * @param slot which request
     */
    public final long length(int slot) {
        long sum = 0;
        for (int index = 0; index < entryCount(slot); index++) {
            sum += Integer.toUnsignedLong(getInt(entryAt(slot, index), ENTRY_LENGTH));
        }
        reachabilityFence(this);
        return sum;
    }

    /**
     * Ends the chain behind a number of requests.
     *
     * @param count requests
     * @return what undoes it, for {@link #join}
     */
    public final long cut(int count) {
        long last = request(count - 1);
        putLong(last, NEXT, 0);
        reachabilityFence(this);
        return last;
    }

    /**
     * Undoes {@link #cut}.
     *
     * @param last what that returned
     */
    public final void join(long last) {
        putLong(last, NEXT, last + stride);
        reachabilityFence(this);
    }

    /**
     * {@return how many requests C took before the one that it refused; all of them if it named none, as a provider does
     * that had taken them before it failed} Forgets which one that was.
     *
     * @param count requests given
     */
    public final int acceptedOf(int count) {
        long pointer = getLong(address, bad);
        putLong(address, bad, 0);
        reachabilityFence(this);
        long accepted = (pointer - address) / stride;
        return pointer == 0 || accepted < 0 || accepted > count ? count : (int) accepted;
    }

    /**
     * Moves requests to the front.
     *
     * @param from first of them
     * @param count how many
     */
    public final void moveToFront(int from, int count) {
        for (int slot = 0; slot < count; slot++) {
            int old = from + slot;
            MemorySegment.copy(memory, old * stride, memory, slot * stride, stride);
            putLong(request(slot), ENTRIES, entryAt(slot, 0));
            join(request(slot));
            moveOwn(old, slot);
        }
    }

    /**
     * Moves what a request has besides.
     *
     * @param from which request it was
     * @param to which request it is now
     */
    abstract void moveOwn(int from, int to);
}
