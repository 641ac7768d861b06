package io.github.verbs4j.attr;

/** {@code ibv_advise_mr_advice}: what is going to be done with memory that is paged on demand. */
public enum MemoryAdvice {
    /** {@code IBV_ADVISE_MR_ADVICE_PREFETCH}: it will be read; pages that are missing are brought in. */
    PREFETCH(0),
    /** {@code IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE}: it will be written. */
    PREFETCH_WRITE(1),
    /** {@code IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT}: the device is told of the pages that are there; none is brought in. */
    PREFETCH_NO_FAULT(2);

    private final int code;

    MemoryAdvice(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_advise_mr_advice}} */
    public int code() {
        return code;
    }
}
