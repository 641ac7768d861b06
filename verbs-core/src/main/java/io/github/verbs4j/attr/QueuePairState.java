package io.github.verbs4j.attr;

/** {@code ibv_qp_state}: the states of a queue pair. */
public enum QueuePairState implements Coded {
    /** {@code IBV_QPS_RESET}: created, nothing may be posted. */
    RESET(0),
    /** {@code IBV_QPS_INIT}: receives may be posted. */
    INIT(1),
    /** {@code IBV_QPS_RTR}, ready to receive: incoming work is served. */
    RTR(2),
    /** {@code IBV_QPS_RTS}, ready to send: everything may be posted. */
    RTS(3),
    /** {@code IBV_QPS_SQD}, send queue drained: started sends finish, no further start. */
    SQD(4),
    /**
     * {@code IBV_QPS_SQE}, send queue error: an unreliable queue pair's send failed, its receives go on. A step to RTS
     * starts its sends anew; poll its completion queue until it is empty before. Some devices go to ERR instead.
     */
    SQE(5),
    /** {@code IBV_QPS_ERR}: all work is flushed with an error status. */
    ERR(6),
    /** {@code IBV_QPS_UNKNOWN}: the device does not say. */
    UNKNOWN(7);

    private static final QueuePairState[] VALUES = values();
    private final int code;

    QueuePairState(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_qp_state}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_qp_state}
     */
    public static QueuePairState ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
