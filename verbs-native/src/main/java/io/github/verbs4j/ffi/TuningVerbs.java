package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * What {@code infiniband/verbs.h} lets change inline about existing queues, by the C names. What library or provider does not
 * know fails with {@code EOPNOTSUPP}.
 */
public final class TuningVerbs {
    private TuningVerbs() {}

    /**
     * {@code ibv_modify_cq}: how completions are gathered before an event tells of them.
     *
     * @param cq {@code struct ibv_cq *}
     * @param attr {@code struct ibv_modify_cq_attr *}
     * @return 0 or an errno
     */
    public static int ibv_modify_cq(MemorySegment cq, MemorySegment attr) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(cq), verbs_context.modify_cq$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : verbs_context.modify_cq.invoke(function, cq, attr);
    }

    /**
     * {@code ibv_modify_qp_rate_limit}.
     *
     * @param qp {@code struct ibv_qp *}
     * @param attr {@code struct ibv_qp_rate_limit_attr *}
     * @return 0 or an errno
     */
    public static int ibv_modify_qp_rate_limit(MemorySegment qp, MemorySegment attr) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(qp), verbs_context.modify_qp_rate_limit$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.modify_qp_rate_limit.invoke(function, qp, attr);
    }
}
