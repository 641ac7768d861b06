package io.github.verbs4j.attr;

/**
 * {@code ibv_mr.rkey}: gives the peer access to a memory region or window.
 *
 * @param value 32 bits, host byte order; exchange it in a byte order that both ends agree on
 */
public record RemoteKey(int value) {
    @Override
    public String toString() {
        return String.format("rkey 0x%08x", value);
    }
}
