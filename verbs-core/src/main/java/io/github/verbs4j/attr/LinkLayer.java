package io.github.verbs4j.attr;

/** {@code IBV_LINK_LAYER}: what a port runs on. */
public enum LinkLayer implements Coded {
    /** {@code IBV_LINK_LAYER_UNSPECIFIED}: old drivers, means InfiniBand. */
    UNSPECIFIED(0),
    /** {@code IBV_LINK_LAYER_INFINIBAND}: addressed by LID. */
    INFINIBAND(1),
    /** {@code IBV_LINK_LAYER_ETHERNET}: RoCE or iWARP, addressed by GID. */
    ETHERNET(2),
    /** A link layer that this version has no name for. */
    UNKNOWN(-1);

    private static final LinkLayer[] VALUES = values();
    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /** {@return the number of {@code IBV_LINK_LAYER}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code IBV_LINK_LAYER}
     */
    public static LinkLayer ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
