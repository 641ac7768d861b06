package io.github.verbs4j.attr;

/** {@code ibv_qp_create_send_ops_flags}: an operation that a queue pair is created to build. */
public enum SendOperation implements Coded {
    /** {@code IBV_QP_EX_WITH_RDMA_WRITE}. */
    WRITE(1, 0),
    /** {@code IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM}. */
    WRITE_IMMEDIATE(1 << 1, 1),
    /** {@code IBV_QP_EX_WITH_SEND}. */
    SEND(1 << 2, 2),
    /** {@code IBV_QP_EX_WITH_SEND_WITH_IMM}. */
    SEND_IMMEDIATE(1 << 3, 3),
    /** {@code IBV_QP_EX_WITH_RDMA_READ}. */
    READ(1 << 4, 4),
    /** {@code IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP}. */
    COMPARE_AND_SWAP(1 << 5, 5),
    /** {@code IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD}. */
    FETCH_AND_ADD(1 << 6, 6),
    /** {@code IBV_QP_EX_WITH_LOCAL_INV}. */
    LOCAL_INVALIDATE(1 << 7, 7),
    /** {@code IBV_QP_EX_WITH_BIND_MW}. */
    BIND_MEMORY_WINDOW(1 << 8, 8),
    /** {@code IBV_QP_EX_WITH_SEND_WITH_INV}. */
    SEND_INVALIDATE(1 << 9, 9),
    /** {@code IBV_QP_EX_WITH_FLUSH}; needs rdma-core 45 and Linux 6.2. */
    FLUSH(1 << 11, 14),
    /** {@code IBV_QP_EX_WITH_ATOMIC_WRITE}; needs rdma-core 44 and Linux 6.2. */
    ATOMIC_WRITE(1 << 12, 15);

    private static final SendOperation[] BY_OPCODE = new SendOperation[16];

    static {
        for (SendOperation operation : values()) {
            BY_OPCODE[operation.opcode] = operation;
        }
    }

    private final int code;
    private final int opcode;

    SendOperation(int code, int opcode) {
        this.code = code;
        this.opcode = opcode;
    }

    /** {@return the bit of {@code ibv_qp_create_send_ops_flags}} */
    @Override
    public int code() {
        return code;
    }

    /** {@return the number of {@code ibv_wr_opcode}} */
    public int opcode() {
        return opcode;
    }

    /** {@return whether a request of it has memory or inline data of this end} */
    public boolean carriesData() {
        return switch (this) {
            case LOCAL_INVALIDATE, BIND_MEMORY_WINDOW, FLUSH, ATOMIC_WRITE -> false;
            default -> true;
        };
    }

    /**
     * {@return the operation of a work request}
     *
     * @param opcode a number of {@code ibv_wr_opcode} that one of the constants has
     */
    public static SendOperation ofOpcode(int opcode) {
        return BY_OPCODE[opcode];
    }
}
