package io.github.verbs4j.attr;

/** {@code ibv_transport_type}: the transport of a device. */
public enum TransportType implements Coded {
    /** {@code IBV_TRANSPORT_IB}: InfiniBand and RoCE. */
    INFINIBAND(0),
    /** {@code IBV_TRANSPORT_IWARP}. */
    IWARP(1),
    /** {@code IBV_TRANSPORT_USNIC}. */
    USNIC(2),
    /** {@code IBV_TRANSPORT_USNIC_UDP}. */
    USNIC_UDP(3),
    /** {@code IBV_TRANSPORT_UNSPECIFIED}. */
    UNSPECIFIED(4),
    /** A transport that this version has no name for. */
    UNKNOWN(-1);

    private static final TransportType[] VALUES = values();
    private final int code;

    TransportType(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_transport_type}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_transport_type}
     */
    public static TransportType ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
