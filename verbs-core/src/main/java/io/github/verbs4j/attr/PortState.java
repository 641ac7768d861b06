package io.github.verbs4j.attr;

/** {@code ibv_port_state}: the state of a port. */
public enum PortState implements Coded {
    /** {@code IBV_PORT_NOP}: no state change, never seen in a query. */
    NOP(0),
    /** {@code IBV_PORT_DOWN}: the link is down. */
    DOWN(1),
    /** {@code IBV_PORT_INIT}: the link is up, the subnet manager has not configured it. */
    INIT(2),
    /** {@code IBV_PORT_ARMED}: configured, not yet active. */
    ARMED(3),
    /** {@code IBV_PORT_ACTIVE}: ready for work. */
    ACTIVE(4),
    /** {@code IBV_PORT_ACTIVE_DEFER}: active, the link is recovering. */
    ACTIVE_DEFER(5),
    /** A state that this version has no name for. */
    UNKNOWN(-1);

    private static final PortState[] VALUES = values();
    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_port_state}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_port_state}
     */
    public static PortState ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
