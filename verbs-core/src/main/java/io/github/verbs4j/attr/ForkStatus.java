package io.github.verbs4j.attr;

/** {@code ibv_fork_status}: what becomes of registered memory when the process forks. */
public enum ForkStatus implements Coded {
    /** {@code IBV_FORK_DISABLED}: the pages may move to the child, and the device goes on using them there. */
    DISABLED(0),
    /** {@code IBV_FORK_ENABLED}: registered pages are kept out of the child. */
    ENABLED(1),
    /** {@code IBV_FORK_UNNEEDED}: the kernel copies pinned pages for the child, as since Linux 5.12. */
    UNNEEDED(2),
    /** A value that this version has no name for. */
    UNKNOWN(-1);

    private static final ForkStatus[] VALUES = values();
    private final int code;

    ForkStatus(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_fork_status}} */
    @Override
    public int code() {
        return code;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_fork_status}
     */
    public static ForkStatus ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
