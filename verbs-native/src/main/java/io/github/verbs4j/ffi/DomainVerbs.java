package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * Thread domains and parent domains of {@code infiniband/verbs.h}, by the C names. What library or provider does not know
 * fails with {@code EOPNOTSUPP}. A parent domain is freed by {@code ibv_dealloc_pd}.
 */
public final class DomainVerbs {
    private DomainVerbs() {}

    /**
     * {@code ibv_alloc_td} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param init_attr {@code struct ibv_td_init_attr *}
     * @return {@code struct ibv_td *}, or NULL
     */
    public static MemorySegment ibv_alloc_td(CapturedErrno errno, MemorySegment context, MemorySegment init_attr) {
        return Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.alloc_td$offset()), context, init_attr);
    }

    /**
     * {@code ibv_dealloc_td}.
     *
     * @param td {@code struct ibv_td *}
     * @return 0 or an errno
     */
    public static int ibv_dealloc_td(MemorySegment td) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(td), verbs_context.dealloc_td$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : verbs_context.dealloc_td.invoke(function, td);
    }

    /**
     * {@code ibv_alloc_parent_domain} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param attr {@code struct ibv_parent_domain_init_attr *}, whose functions to allocate memory are upcalls if they are
     *     Java's
     * @return {@code struct ibv_pd *}, or NULL
     */
    public static MemorySegment ibv_alloc_parent_domain(
            CapturedErrno errno, MemorySegment context, MemorySegment attr) {
        return Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.alloc_parent_domain$offset()), context, attr);
    }
}
