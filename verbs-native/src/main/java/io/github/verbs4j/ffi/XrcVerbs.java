package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * Extended reliable connections (XRC) of {@code infiniband/verbs.h}, by the C names: their domains, queue pairs opened by
 * number, and numbers of shared receive queues. What library or provider does not know fails with {@code EOPNOTSUPP}.
 */
public final class XrcVerbs {
    private XrcVerbs() {}

    /**
     * {@code ibv_open_xrcd} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param xrcd_init_attr {@code struct ibv_xrcd_init_attr *}
     * @return {@code struct ibv_xrcd *}, or NULL
     */
    public static MemorySegment ibv_open_xrcd(
            CapturedErrno errno, MemorySegment context, MemorySegment xrcd_init_attr) {
        return Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.open_xrcd$offset()), context, xrcd_init_attr);
    }

    /**
     * {@code ibv_close_xrcd}. C looks at no size before it calls.
     *
     * @param xrcd {@code struct ibv_xrcd *}
     * @return 0 or an errno
     */
    public static int ibv_close_xrcd(MemorySegment xrcd) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(xrcd), verbs_context.close_xrcd$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : verbs_context.close_xrcd.invoke(function, xrcd);
    }

    /**
     * {@code ibv_open_qp} with errno: a queue pair that another process may have created.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param qp_open_attr {@code struct ibv_qp_open_attr *}
     * @return {@code struct ibv_qp *}, or NULL
     */
    public static MemorySegment ibv_open_qp(CapturedErrno errno, MemorySegment context, MemorySegment qp_open_attr) {
        return Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.open_qp$offset()), context, qp_open_attr);
    }

    /**
     * {@code ibv_get_srq_num}.
     *
     * @param srq {@code struct ibv_srq *}
     * @param srq_num int that receives the number
     * @return 0 or an errno
     */
    public static int ibv_get_srq_num(MemorySegment srq, MemorySegment srq_num) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(srq), verbs_context.get_srq_num$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.get_srq_num.invoke(function, srq, srq_num);
    }
}
