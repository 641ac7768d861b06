package io.github.verbs4j.attr;

import java.util.Objects;

/**
 * Memory of the peer that it has opened to us: what {@code ibv_send_wr.wr.rdma} points into, with its bounds.
 *
 * @param address first byte in the peer's address space (or 0-based, if it was registered so)
 * @param length bytes, not negative
 * @param key the peer's remote key
 */
public record RemoteRegion(long address, long length, RemoteKey key) {
    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the length is negative or the region wraps around the address space
     */
    public RemoteRegion {
        Objects.requireNonNull(key, "key");
        if (length < 0 || address != 0 && Long.compareUnsigned(length, -address) > 0) {
            throw new IllegalArgumentException("length=" + length + " at address=0x" + Long.toHexString(address)
                    + " does not fit an address space");
        }
    }

    /**
     * {@return a part of it}
     *
     * @param offset bytes from the start
     * @param length bytes
     * @throws IndexOutOfBoundsException if the part is not inside
     */
    public RemoteRegion slice(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, this.length);
        return new RemoteRegion(address + offset, length, key);
    }

    @Override
    public String toString() {
        return "RemoteRegion[0x" + Long.toHexString(address) + " +" + length + ", " + key + "]";
    }
}
