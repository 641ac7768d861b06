package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.MemorySegment;

/**
 * What {@code infiniband/verbs.h} defines inline for shared receive queues, tag matching included, by the C names. What
 * library or provider does not know fails with {@code EOPNOTSUPP}.
 */
public final class SharedReceiveVerbs {
    private static final int ORDINARY = verbs4j_h.IBV_SRQ_INIT_ATTR_PD() | verbs4j_h.IBV_SRQ_INIT_ATTR_TYPE();

    private SharedReceiveVerbs() {}

    /**
     * {@code ibv_create_srq_ex} with errno: through {@code ibv_create_srq}, which every provider knows, if the queue is an
     * ordinary one.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param srq_init_attr_ex {@code struct ibv_srq_init_attr_ex *}, updated with what was granted
     * @return {@code struct ibv_srq *}, or NULL
     */
    public static MemorySegment ibv_create_srq_ex(
            CapturedErrno errno, MemorySegment context, MemorySegment srq_init_attr_ex) {
        MemorySegment attributes = Pointers.segment(srq_init_attr_ex, ibv_srq_init_attr_ex.sizeof());
        if (isOrdinary(attributes)) {
            return ErrnoVerbs.ibv_create_srq(errno, ibv_srq_init_attr_ex.pd(attributes), srq_init_attr_ex);
        }
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.create_srq_ex$offset());
        return Creation.create(errno, function, context, srq_init_attr_ex);
    }

    private static boolean isOrdinary(MemorySegment attributes) {
        int mask = ibv_srq_init_attr_ex.comp_mask(attributes);
        boolean typed = (mask & verbs4j_h.IBV_SRQ_INIT_ATTR_TYPE()) != 0;
        return (mask & ~ORDINARY) == 0
                && (mask & verbs4j_h.IBV_SRQ_INIT_ATTR_PD()) != 0
                && (!typed || ibv_srq_init_attr_ex.srq_type(attributes) == verbs4j_h.IBV_SRQT_BASIC());
    }

    /**
     * {@code ibv_post_srq_recv}.
     *
     * @param srq {@code struct ibv_srq *}
     * @param recv_wr first {@code struct ibv_recv_wr} of the chain
     * @param bad_recv_wr pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int ibv_post_srq_recv(MemorySegment srq, MemorySegment recv_wr, MemorySegment bad_recv_wr) {
        MemorySegment function = ContextOps.op(ContextOps.of(srq), ibv_context_ops.post_srq_recv$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : ibv_context_ops.post_srq_recv.invoke(function, srq, recv_wr, bad_recv_wr);
    }

    /**
     * {@code ibv_post_srq_ops}: operations of tag matching.
     *
     * @param srq {@code struct ibv_srq *}
     * @param op first {@code struct ibv_ops_wr} of the chain
     * @param bad_op pointer that receives the operation that was refused
     * @return 0 or an errno
     */
    public static int ibv_post_srq_ops(MemorySegment srq, MemorySegment op, MemorySegment bad_op) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(srq), verbs_context.post_srq_ops$offset());
        if (function.address() == 0) {
            Pointers.segment(bad_op, ADDRESS.byteSize()).set(ADDRESS, 0, op);
            return ContextOps.EOPNOTSUPP;
        }
        return verbs_context.post_srq_ops.invoke(function, srq, op, bad_op);
    }
}
