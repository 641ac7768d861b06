package io.github.verbs4j.internal;

import static io.github.verbs4j.ffi.RawMemory.putInt;
import static io.github.verbs4j.ffi.RawMemory.putLong;
import static java.lang.ref.Reference.reachabilityFence;

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
        long request = request(slot);
        putLong(request, ID, id);
        putInt(request, ENTRY_COUNT, length == 0 ? 0 : 1);
        writeEntry(request + BYTES, start, length, key);
        reachabilityFence(this);
    }

    @Override
    void moveOwn(int from, int to) {
        // a receive has no bytes of its own
    }
}
