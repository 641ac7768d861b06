package io.github.verbs4j.attr;

/** {@code ibv_wc_opcode}: what a completed work request did. */
public enum WorkOpcode implements Coded {
    /** {@code IBV_WC_SEND}. */
    SEND(0),
    /** {@code IBV_WC_RDMA_WRITE}. */
    WRITE(1),
    /** {@code IBV_WC_RDMA_READ}. */
    READ(2),
    /** {@code IBV_WC_COMP_SWAP}. */
    COMPARE_AND_SWAP(3),
    /** {@code IBV_WC_FETCH_ADD}. */
    FETCH_AND_ADD(4),
    /** {@code IBV_WC_BIND_MW}. */
    BIND_MEMORY_WINDOW(5),
    /** {@code IBV_WC_LOCAL_INV}. */
    LOCAL_INVALIDATE(6),
    /** {@code IBV_WC_TSO}. */
    TCP_SEGMENTATION(7),
    /** {@code IBV_WC_FLUSH}. */
    FLUSH(8),
    /** {@code IBV_WC_ATOMIC_WRITE}. */
    ATOMIC_WRITE(9),
    /** {@code IBV_WC_RECV}: a receive that took a send. */
    RECEIVE(128),
    /** {@code IBV_WC_RECV_RDMA_WITH_IMM}: a receive consumed by an RDMA write with immediate. */
    RECEIVE_WRITE_IMMEDIATE(129),
    /** An opcode that this version has no name for. */
    UNKNOWN(-1);

    private static final WorkOpcode[] VALUES = values();
    private final int code;

    WorkOpcode(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_wc_opcode}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_wc_opcode}
     */
    public static WorkOpcode ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
