package io.github.verbs4j.attr;

/** {@code ibv_mig_state}: whether a connection may move to its alternate path. InfiniBand only. */
public enum PathMigration implements Coded {
    /** {@code IBV_MIG_MIGRATED}: on the path that it has; there is no other, or it has moved already. */
    MIGRATED(0),
    /** {@code IBV_MIG_REARM}: an alternate path was given, the peer is asked to be ready for it too. */
    REARM(1),
    /** {@code IBV_MIG_ARMED}: both ends are ready to move. */
    ARMED(2),
    /** A state that this version has no name for. */
    UNKNOWN(-1);

    private static final PathMigration[] VALUES = values();
    private final int code;

    PathMigration(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_mig_state}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_mig_state}
     */
    public static PathMigration ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
