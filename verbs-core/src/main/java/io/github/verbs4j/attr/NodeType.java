package io.github.verbs4j.attr;

/** {@code ibv_node_type}: what kind of adapter a device is. */
public enum NodeType implements Coded {
    /** {@code IBV_NODE_CA}: InfiniBand or RoCE. */
    CHANNEL_ADAPTER(1),
    /** {@code IBV_NODE_SWITCH}. */
    SWITCH(2),
    /** {@code IBV_NODE_ROUTER}. */
    ROUTER(3),
    /** {@code IBV_NODE_RNIC}: iWARP. */
    RNIC(4),
    /** {@code IBV_NODE_USNIC}. */
    USNIC(5),
    /** {@code IBV_NODE_USNIC_UDP}. */
    USNIC_UDP(6),
    /** {@code IBV_NODE_UNSPECIFIED}: neither of these, EFA for one. */
    UNSPECIFIED(7),
    /** A node type that this version has no name for. */
    UNKNOWN(-1);

    private static final NodeType[] VALUES = values();
    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_node_type}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_node_type}
     */
    public static NodeType ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
