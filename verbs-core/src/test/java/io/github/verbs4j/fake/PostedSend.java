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
        return longAt(0);
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
        return longAt(40);
    }

    /** Of a read or write. */
    public int remoteKey() {
        return intAt(48);
    }

    public long compareAdd() {
        return longAt(48);
    }

    public long swap() {
        return longAt(56);
    }

    public int atomicRemoteKey() {
        return intAt(64);
    }

    public long addressHandle() {
        return longAt(40);
    }

    public int remoteQpNum() {
        return intAt(48);
    }

    public int remoteQkey() {
        return intAt(52);
    }

    /** {@code ibv_mw} of a bind. */
    public long window() {
        return longAt(80);
    }

    /** The key that a bind gives the window. */
    public int windowKey() {
        return intAt(88);
    }

    /** {@code ibv_mr} of a bind. */
    public long boundRegion() {
        return longAt(96);
    }

    public long boundAddress() {
        return longAt(104);
    }

    public long boundLength() {
        return longAt(112);
    }

    public int windowAccess() {
        return intAt(120);
    }

    private long longAt(long offset) {
        return raw.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    private int intAt(long offset) {
        return raw.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }
}
