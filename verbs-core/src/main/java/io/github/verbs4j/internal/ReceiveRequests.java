package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of {@code struct ibv_recv_wr}, linked once and for all, each with its scatter/gather entries; see
 * {@link SendRequests}.
 */
public final class ReceiveRequests {
    private static final long BYTES = ibv_recv_wr.sizeof();
    private static final long ID = ibv_recv_wr.wr_id$offset();
    private static final long NEXT = ibv_recv_wr.next$offset();
    private static final long ENTRIES = ibv_recv_wr.sg_list$offset();
    private static final long ENTRY_COUNT = ibv_recv_wr.num_sge$offset();

    private static final long ENTRY_BYTES = ibv_sge.sizeof();
    private static final long ENTRY_ADDRESS = ibv_sge.addr$offset();
    private static final long ENTRY_LENGTH = ibv_sge.length$offset();
    private static final long ENTRY_KEY = ibv_sge.lkey$offset();

    private final MemorySegment memory;
    private final long address;
    private final int capacity;
    private final int entries;
    private final long firstEntry;
    private final long entryStride;
    private final long bad;

    /**
     * Allocates and links.
     *
     * @param capacity requests
     * @param entries scatter/gather entries of each
     */
    public ReceiveRequests(int capacity, int entries) {
        this.capacity = capacity;
        this.entries = entries;
        this.firstEntry = capacity * BYTES;
        this.entryStride = Math.max(1, entries) * ENTRY_BYTES;
        this.bad = firstEntry + capacity * entryStride;
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
     * @param start address of the memory
     * @param length its bytes; none makes a request without memory
     * @param key its local key
     */
    public void write(int slot, long id, long start, int length, int key) {
        long request = slot * BYTES;
        memory.set(JAVA_LONG, request + ID, id);
        memory.set(JAVA_INT, request + ENTRY_COUNT, length == 0 ? 0 : 1);
        writeEntry(entryAt(slot, 0), start, length, key);
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

    private void writeEntry(long entry, long start, int length, int key) {
        memory.set(JAVA_LONG, entry + ENTRY_ADDRESS, start);
        memory.set(JAVA_INT, entry + ENTRY_LENGTH, length);
        memory.set(JAVA_INT, entry + ENTRY_KEY, key);
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
     * {@return how many requests C took before the one that it refused; all of them if it named none}
     *
     * @param count requests given
     */
    public int acceptedOf(int count) {
        long pointer = memory.get(JAVA_LONG, bad);
        long accepted = (pointer - address) / BYTES;
        return pointer == 0 || accepted < 0 || accepted > count ? count : (int) accepted;
    }

    /**
     * Moves requests to the front.
     *
     * @param from first of them
     * @param count how many
     */
    public void moveToFront(int from, int count) {
        for (int slot = 0; slot < count; slot++) {
            MemorySegment.copy(memory, (from + slot) * BYTES, memory, slot * BYTES, BYTES);
            memory.set(JAVA_LONG, slot * BYTES + ENTRIES, address + entryAt(slot, 0));
            join(slot + 1);
            MemorySegment.copy(memory, entryAt(from + slot, 0), memory, entryAt(slot, 0), entryStride);
        }
    }
}
