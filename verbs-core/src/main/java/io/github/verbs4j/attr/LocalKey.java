package io.github.verbs4j.attr;

/**
 * {@code ibv_mr.lkey}: names a memory region to this end's own device. A type of its own, because it is so easily sent to
 * the peer in place of a {@link RemoteKey}, and often equal to it.
 *
 * @param value 32 bits, host byte order
 */
public record LocalKey(int value) {
    @Override
    public String toString() {
        return String.format("lkey 0x%08x", value);
    }
}
