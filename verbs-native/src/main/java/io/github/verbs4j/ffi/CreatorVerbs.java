package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * The creators that {@code infiniband/verbs.h} defines inline, by their C names and with C's arguments behind the place
 * where errno is kept. They go through {@code struct verbs_context}; where library or provider does not know one, it
 * fails with {@code EOPNOTSUPP} as in C.
 */
public final class CreatorVerbs {
    private CreatorVerbs() {}

    /**
     * {@code ibv_create_qp_ex} with errno: through {@code ibv_create_qp} if only a domain is given, which every provider
     * knows.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param qp_init_attr_ex {@code struct ibv_qp_init_attr_ex *}, updated with what was granted
     * @return {@code struct ibv_qp *}, or NULL
     */
    public static MemorySegment ibv_create_qp_ex(
            CapturedErrno errno, MemorySegment context, MemorySegment qp_init_attr_ex) {
        MemorySegment attributes = Pointers.segment(qp_init_attr_ex, ibv_qp_init_attr_ex.sizeof());
        if (ibv_qp_init_attr_ex.comp_mask(attributes) == verbs4j_h.IBV_QP_INIT_ATTR_PD()) {
            return ErrnoVerbs.ibv_create_qp(errno, ibv_qp_init_attr_ex.pd(attributes), qp_init_attr_ex);
        }
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.create_qp_ex$offset());
        return Creation.create(errno, function, context, qp_init_attr_ex);
    }

    /**
     * {@code ibv_create_cq_ex} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param cq_attr {@code struct ibv_cq_init_attr_ex *}
     * @return {@code struct ibv_cq_ex *}, or NULL
     */
    public static MemorySegment ibv_create_cq_ex(CapturedErrno errno, MemorySegment context, MemorySegment cq_attr) {
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.create_cq_ex$offset());
        return Creation.create(errno, function, context, cq_attr);
    }
}
