package io.github.verbs4j.fake;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A send work request that the fake accepted.
 *
 * @param qpNum the queue pair it was posted to
 * @param raw the 128 bytes of its {@code ibv_send_wr}, copied; the pointers in it are no longer good
 * @param elements its scatter/gather list, copied
 * @param inlined its payload as of the post, empty unless it was inline
 */
public record PostedSend(int qpNum, MemorySegment raw, List<Sge> elements, byte[] inlined) {

    public long wrId() {
        return raw.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    public int opcode() {
        return intAt(28);
    }

    public int flags() {
        return intAt(32);
    }

    public boolean signaled() {
        return (flags() & 2) != 0;
    }

    /** The immediate as it lies in memory (network byte order), or the key to invalidate. */
    public int immediate() {
        return intAt(36);
    }

    public long remoteAddress() {
        return raw.get(ValueLayout.JAVA_LONG_UNALIGNED, 40);
    }

    /** Of a read or write. */
    public int remoteKey() {
        return intAt(48);
    }

    public long compareAdd() {
        return raw.get(ValueLayout.JAVA_LONG_UNALIGNED, 48);
    }

    public long swap() {
        return raw.get(ValueLayout.JAVA_LONG_UNALIGNED, 56);
    }

    public int atomicRemoteKey() {
        return intAt(64);
    }

    public long addressHandle() {
        return raw.get(ValueLayout.JAVA_LONG_UNALIGNED, 40);
    }

    public int remoteQpNum() {
        return intAt(48);
    }

    public int remoteQkey() {
        return intAt(52);
    }

    private int intAt(long offset) {
        return raw.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }
}
