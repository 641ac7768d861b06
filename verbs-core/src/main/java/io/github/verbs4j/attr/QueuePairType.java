package io.github.verbs4j.attr;

/** {@code ibv_qp_type}: the transport service of a queue pair. */
public enum QueuePairType implements Coded {
    /** {@code IBV_QPT_RC}: reliable connection. */
    RC(2),
    /** {@code IBV_QPT_UC}: unreliable connection. */
    UC(3),
    /** {@code IBV_QPT_UD}: unreliable datagram. */
    UD(4),
    /** {@code IBV_QPT_RAW_PACKET}: Ethernet frames. */
    RAW_PACKET(8),
    /** {@code IBV_QPT_XRC_SEND}: extended reliable connection, sending end. */
    XRC_SEND(9),
    /** {@code IBV_QPT_XRC_RECV}: extended reliable connection, receiving end. */
    XRC_RECEIVE(10),
    /** {@code IBV_QPT_DRIVER}: a provider's own kind. */
    DRIVER(255),
    /** A type that this version has no name for. */
    UNKNOWN(-1);

    private static final QueuePairType[] VALUES = values();
    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_qp_type}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_qp_type}
     */
    public static QueuePairType ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
