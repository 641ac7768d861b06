package io.github.verbs4j.attr;

/** {@code ibv_atomic_cap}: whom a device's atomics are atomic with. */
public enum AtomicCapability implements Coded {
    /** {@code IBV_ATOMIC_NONE}: no atomics. */
    NONE(0),
    /** {@code IBV_ATOMIC_HCA}: atomic among operations of this device. */
    DEVICE(1),
    /** {@code IBV_ATOMIC_GLOB}: atomic with the processor and other devices too. */
    GLOBAL(2),
    /** A value that this version has no name for. */
    UNKNOWN(-1);

    private static final AtomicCapability[] VALUES = values();
    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_atomic_cap}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_atomic_cap}
     */
    public static AtomicCapability ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
