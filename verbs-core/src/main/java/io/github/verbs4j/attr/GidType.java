package io.github.verbs4j.attr;

/** {@code ibv_gid_type}: how packets to a GID are framed. */
public enum GidType implements Coded {
    /** {@code IBV_GID_TYPE_IB}: native InfiniBand. */
    INFINIBAND(0),
    /** {@code IBV_GID_TYPE_ROCE_V1}: an Ethernet frame of its own type, cannot be routed. */
    ROCE_V1(1),
    /** {@code IBV_GID_TYPE_ROCE_V2}: UDP over IPv4 or IPv6. */
    ROCE_V2(2),
    /** A type that this version has no name for. */
    UNKNOWN(-1);

    private static final GidType[] VALUES = values();
    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_gid_type}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_gid_type}
     */
    public static GidType ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
