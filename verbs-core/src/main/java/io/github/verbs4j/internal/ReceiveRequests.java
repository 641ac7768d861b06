package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_recv_wr;

/** A chain of {@code struct ibv_recv_wr}. */
public final class ReceiveRequests extends RequestChain {
    private static final long BYTES = ibv_recv_wr.sizeof();

    /**
     * Allocates and links.
     *
     * @param capacity requests
     * @param entries scatter/gather entries of each
     */
    public ReceiveRequests(int capacity, int entries) {
        super(BYTES, capacity, entries, 0);
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

    @Override
    void moveOwn(int from, int to) {
        // a receive has no bytes of its own
    }
}
