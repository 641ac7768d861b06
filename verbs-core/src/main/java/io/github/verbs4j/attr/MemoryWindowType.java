package io.github.verbs4j.attr;

/** {@code ibv_mw_type}: how a memory window is bound, and who may take its key back. */
public enum MemoryWindowType {
    /** {@code IBV_MW_TYPE_1}: bound by a call of its own, any number of times; the library makes its keys. */
    TYPE_1(1),
    /** {@code IBV_MW_TYPE_2}: bound by a request among others; its key can be taken back, at this end or by the peer. */
    TYPE_2(2);

    private final int code;

    MemoryWindowType(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_mw_type}} */
    public int code() {
        return code;
    }
}
