package io.github.verbs4j.attr;

/** {@code ibv_event_type}: what an asynchronous event tells. */
public enum AsyncEventType implements Coded {
    /** {@code IBV_EVENT_CQ_ERR}: a completion queue overflowed or failed, and cannot be used any more. */
    CQ_ERR(0, Concern.RESOURCE),
    /** {@code IBV_EVENT_QP_FATAL}: a queue pair failed and could not even report completions of it; it is in ERR. */
    QP_FATAL(1, Concern.RESOURCE),
    /** {@code IBV_EVENT_QP_REQ_ERR}: the transport of a queue pair found an invalid request of the peer; it is in ERR. */
    QP_REQ_ERR(2, Concern.RESOURCE),
    /** {@code IBV_EVENT_QP_ACCESS_ERR}: the peer of a queue pair reached for memory it may not touch; it is in ERR. */
    QP_ACCESS_ERR(3, Concern.RESOURCE),
    /** {@code IBV_EVENT_COMM_EST}: a message reached a queue pair that was still in RTR. */
    COMM_EST(4, Concern.RESOURCE),
    /** {@code IBV_EVENT_SQ_DRAINED}: a queue pair in SQD has finished the sends that were under way. */
    SQ_DRAINED(5, Concern.RESOURCE),
    /** {@code IBV_EVENT_PATH_MIG}: a connection went over to its alternate path. */
    PATH_MIG(6, Concern.RESOURCE),
    /** {@code IBV_EVENT_PATH_MIG_ERR}: a connection could not go over to its alternate path. */
    PATH_MIG_ERR(7, Concern.RESOURCE),
    /** {@code IBV_EVENT_DEVICE_FATAL}: the device failed; only closing is left. */
    DEVICE_FATAL(8, Concern.DEVICE),
    /** {@code IBV_EVENT_PORT_ACTIVE}: a port became active. */
    PORT_ACTIVE(9, Concern.PORT),
    /** {@code IBV_EVENT_PORT_ERR}: a port is no longer active. */
    PORT_ERR(10, Concern.PORT),
    /** {@code IBV_EVENT_LID_CHANGE}: the local identifier of a port changed. */
    LID_CHANGE(11, Concern.PORT),
    /** {@code IBV_EVENT_PKEY_CHANGE}: the P_Key table of a port changed. */
    PKEY_CHANGE(12, Concern.PORT),
    /** {@code IBV_EVENT_SM_CHANGE}: a port has another subnet manager. */
    SM_CHANGE(13, Concern.PORT),
    /** {@code IBV_EVENT_SRQ_ERR}: a shared receive queue failed, and cannot be used any more. */
    SRQ_ERR(14, Concern.RESOURCE),
    /** {@code IBV_EVENT_SRQ_LIMIT_REACHED}: a shared receive queue holds fewer receives than its limit. */
    SRQ_LIMIT_REACHED(15, Concern.RESOURCE),
    /** {@code IBV_EVENT_QP_LAST_WQE_REACHED}: a queue pair in ERR takes nothing more from its shared receive queue. */
    QP_LAST_WQE_REACHED(16, Concern.RESOURCE),
    /** {@code IBV_EVENT_CLIENT_REREGISTER}: the subnet manager asks to register again with a port. */
    CLIENT_REREGISTER(17, Concern.PORT),
    /** {@code IBV_EVENT_GID_CHANGE}: the GID table of a port changed. */
    GID_CHANGE(18, Concern.PORT),
    /** {@code IBV_EVENT_WQ_FATAL}: a work queue failed, and cannot be used any more. */
    WQ_FATAL(19, Concern.RESOURCE),
    /** An event that this version has no name for. */
    UNKNOWN(-1, Concern.DEVICE);

    private enum Concern {
        RESOURCE,
        PORT,
        DEVICE
    }

    private static final AsyncEventType[] VALUES = values();
    private final int code;
    private final Concern concern;

    AsyncEventType(int code, Concern concern) {
        this.code = code;
        this.concern = concern;
    }

    /** {@return the number of {@code ibv_event_type}} */
    @Override
    public int code() {
        return code;
    }

    /** {@return whether such an event names something that was made on the device, as a queue pair} */
    public boolean namesResource() {
        return concern == Concern.RESOURCE;
    }

    /** {@return whether such an event names a port} */
    public boolean namesPort() {
        return concern == Concern.PORT;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_event_type}
     */
    public static AsyncEventType ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
