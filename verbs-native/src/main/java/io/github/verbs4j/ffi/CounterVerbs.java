package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * Counters of {@code infiniband/verbs.h}, by the C names. What library or provider does not know fails with
 * {@code EOPNOTSUPP}.
 */
public final class CounterVerbs {
    private CounterVerbs() {}

    /**
     * {@code ibv_create_counters} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param init_attr {@code struct ibv_counters_init_attr *}
     * @return {@code struct ibv_counters *}, or NULL
     */
    public static MemorySegment ibv_create_counters(
            CapturedErrno errno, MemorySegment context, MemorySegment init_attr) {
        return Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.create_counters$offset()), context, init_attr);
    }

    /**
     * {@code ibv_destroy_counters}.
     *
     * @param counters {@code struct ibv_counters *}
     * @return 0 or an errno
     */
    public static int ibv_destroy_counters(MemorySegment counters) {
        MemorySegment function =
                ContextOps.extendedOp(ContextOps.of(counters), verbs_context.destroy_counters$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.destroy_counters.invoke(function, counters);
    }

    /**
     * {@code ibv_attach_counters_point_flow}.
     *
     * @param counters {@code struct ibv_counters *}
     * @param attr {@code struct ibv_counter_attach_attr *}
     * @param flow {@code struct ibv_flow *}
     * @return 0 or an errno
     */
    public static int ibv_attach_counters_point_flow(MemorySegment counters, MemorySegment attr, MemorySegment flow) {
        MemorySegment function =
                ContextOps.extendedOp(ContextOps.of(counters), verbs_context.attach_counters_point_flow$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.attach_counters_point_flow.invoke(function, counters, attr, flow);
    }

    /**
     * {@code ibv_read_counters}.
     *
     * @param counters {@code struct ibv_counters *}
     * @param counters_value array of 64 bits each
     * @param ncounters its length in elements
     * @param flags bits of {@code ibv_read_counters_flags}
     * @return 0 or an errno
     */
    public static int ibv_read_counters(
            MemorySegment counters, MemorySegment counters_value, int ncounters, int flags) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(counters), verbs_context.read_counters$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.read_counters.invoke(function, counters, counters_value, ncounters, flags);
    }
}
