package io.github.verbs4j.attr;

/** {@code ibv_qp_attr_mask}: the attributes of a queue pair that a transition sets. */
public enum QueuePairAttribute {
    /** {@code IBV_QP_STATE}. */
    STATE(0, "qp_state", "to"),
    /** {@code IBV_QP_CUR_STATE}. */
    CURRENT_STATE(1, "cur_qp_state", "currentState"),
    /** {@code IBV_QP_EN_SQD_ASYNC_NOTIFY}. */
    DRAINED_NOTIFICATION(2, "en_sqd_async_notify", "drainedNotification"),
    /** {@code IBV_QP_ACCESS_FLAGS}. */
    ACCESS(3, "qp_access_flags", "access"),
    /** {@code IBV_QP_PKEY_INDEX}. */
    PARTITION_KEY_INDEX(4, "pkey_index", "partitionKeyIndex"),
    /** {@code IBV_QP_PORT}. */
    PORT(5, "port_num", "port"),
    /** {@code IBV_QP_QKEY}. */
    QUEUE_KEY(6, "qkey", "queueKey"),
    /** {@code IBV_QP_AV}. */
    PATH(7, "ah_attr", "path"),
    /** {@code IBV_QP_PATH_MTU}. */
    PATH_MTU(8, "path_mtu", "pathMtu"),
    /** {@code IBV_QP_TIMEOUT}. */
    ACK_TIMEOUT(9, "timeout", "ackTimeout"),
    /** {@code IBV_QP_RETRY_CNT}. */
    RETRY_COUNT(10, "retry_cnt", "retryCount"),
    /** {@code IBV_QP_RNR_RETRY}. */
    RNR_RETRY(11, "rnr_retry", "rnrRetry"),
    /** {@code IBV_QP_RQ_PSN}. */
    RECEIVE_PSN(12, "rq_psn", "receivePacketSequenceNumber"),
    /** {@code IBV_QP_MAX_QP_RD_ATOMIC}. */
    READS_AS_INITIATOR(13, "max_rd_atomic", "readsAsInitiator"),
    /** {@code IBV_QP_ALT_PATH}. */
    ALTERNATE_PATH(14, "alt_ah_attr", "alternatePath"),
    /** {@code IBV_QP_MIN_RNR_TIMER}. */
    MIN_RNR_TIMER(15, "min_rnr_timer", "minRnrTimer"),
    /** {@code IBV_QP_SQ_PSN}. */
    SEND_PSN(16, "sq_psn", "sendPacketSequenceNumber"),
    /** {@code IBV_QP_MAX_DEST_RD_ATOMIC}. */
    READS_AS_RESPONDER(17, "max_dest_rd_atomic", "readsAsResponder"),
    /** {@code IBV_QP_PATH_MIG_STATE}. */
    PATH_MIGRATION(18, "path_mig_state", "pathMigration"),
    /** {@code IBV_QP_CAP}. */
    CAPACITY(19, "cap", "capacity"),
    /** {@code IBV_QP_DEST_QPN}. */
    DESTINATION(20, "dest_qp_num", "destination");

    private final int bit;
    private final String field;
    private final String setter;

    QueuePairAttribute(int shift, String field, String setter) {
        this.bit = 1 << shift;
        this.field = field;
        this.setter = setter;
    }

    /** {@return the bit of {@code ibv_qp_attr_mask}} */
    public int bit() {
        return bit;
    }

    /** {@return the field of {@code struct ibv_qp_attr}} */
    public String field() {
        return field;
    }

    /** {@return the method of {@link Transition} that sets it} */
    public String setter() {
        return setter;
    }
}
