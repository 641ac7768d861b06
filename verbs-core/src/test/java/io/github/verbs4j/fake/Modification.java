package io.github.verbs4j.fake;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One call of {@code ibv_modify_qp}, refused or not.
 *
 * @param attributes the 144 bytes of its {@code ibv_qp_attr}, copied
 */
public record Modification(int qpNum, int mask, MemorySegment attributes) {

    public int state() {
        return intAt(0);
    }

    public int pathMtu() {
        return intAt(8);
    }

    public int qkey() {
        return intAt(16);
    }

    public int receivePsn() {
        return intAt(20);
    }

    public int sendPsn() {
        return intAt(24);
    }

    public int destQpNum() {
        return intAt(28);
    }

    public int accessFlags() {
        return intAt(32);
    }

    /** The 32 bytes of the address vector. */
    public MemorySegment addressVector() {
        return attributes.asSlice(56, 32);
    }

    public int pkeyIndex() {
        return attributes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 120) & 0xffff;
    }

    public int maxReadAtomic() {
        return byteAt(126);
    }

    public int maxDestReadAtomic() {
        return byteAt(127);
    }

    public int minRnrTimer() {
        return byteAt(128);
    }

    public int port() {
        return byteAt(129);
    }

    public int timeout() {
        return byteAt(130);
    }

    public int retryCount() {
        return byteAt(131);
    }

    public int rnrRetry() {
        return byteAt(132);
    }

    private int intAt(long offset) {
        return attributes.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    private int byteAt(long offset) {
        return attributes.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }
}
