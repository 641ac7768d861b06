package io.github.verbs4j.attr;

/** {@code ibv_placement_type}: what a flush waits for. */
public enum FlushPlacement implements Coded {
    /** {@code IBV_FLUSH_GLOBAL}: everybody at the peer sees what was written. */
    GLOBAL(1),
    /** {@code IBV_FLUSH_PERSISTENT}: what was written outlives a loss of power. */
    PERSISTENT(1 << 1);

    private final int code;

    FlushPlacement(int code) {
        this.code = code;
    }

    /** {@return the bit of {@code ibv_placement_type}} */
    @Override
    public int code() {
        return code;
    }
}
