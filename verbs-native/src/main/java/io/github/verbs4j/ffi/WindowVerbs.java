package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory windows of {@code infiniband/verbs.h}, by their C names. They go through {@code ibv_context.ops}; where the provider
 * left a function out, it fails with {@code EOPNOTSUPP}, also where C would call the NULL.
 */
public final class WindowVerbs {
    private static final int EPERM = 1;
    private static final int EINVAL = 22;
    private static final int TAG = 0xff;

    private static final MethodHandle ALLOCATE = Calls.linkWithErrno(FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));

    private WindowVerbs() {}

    /**
     * {@code ibv_alloc_mw} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param type a value of {@code ibv_mw_type}
     * @return {@code struct ibv_mw *}, or NULL
     */
    public static MemorySegment ibv_alloc_mw(CapturedErrno errno, MemorySegment pd, int type) {
        MemorySegment function = ContextOps.op(ContextOps.of(pd), ibv_context_ops.alloc_mw$offset());
        if (function.address() == 0) {
            return Creation.unsupported(errno);
        }
        try {
            return (MemorySegment) ALLOCATE.invokeExact(function, errno.state(), pd, type);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_dealloc_mw}.
     *
     * @param mw {@code struct ibv_mw *}
     * @return 0 or an errno
     */
    public static int ibv_dealloc_mw(MemorySegment mw) {
        MemorySegment function = ContextOps.op(ContextOps.of(mw), ibv_context_ops.dealloc_mw$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : ibv_context_ops.dealloc_mw.invoke(function, mw);
    }

    /**
     * {@code ibv_bind_mw}: binds a window of type 1, whose new key is in the window at once, but of use only when the
     * request has completed.
     *
     * @param qp {@code struct ibv_qp *}
     * @param mw {@code struct ibv_mw *}
     * @param mw_bind {@code struct ibv_mw_bind *}
     * @return 0 or an errno: EINVAL for another type, or for a range without a region; EPERM if window and region are of
     *     different domains
     */
    public static int ibv_bind_mw(MemorySegment qp, MemorySegment mw, MemorySegment mw_bind) {
        MemorySegment window = Pointers.segment(mw, ibv_mw.sizeof());
        MemorySegment bind = ibv_mw_bind.bind_info(Pointers.segment(mw_bind, ibv_mw_bind.sizeof()));
        if (ibv_mw.type(window) != verbs4j_h.IBV_MW_TYPE_1()) {
            return EINVAL;
        }
        MemorySegment region = ibv_mw_bind_info.mr(bind);
        if (region.address() == 0) {
            if (ibv_mw_bind_info.addr(bind) != 0 || ibv_mw_bind_info.length(bind) != 0) {
                return EINVAL;
            }
        } else if (!ibv_mw.pd(window).equals(ibv_mr.pd(Pointers.segment(region, ibv_mr.sizeof())))) {
            return EPERM;
        }
        MemorySegment function = ContextOps.op(ContextOps.of(mw), ibv_context_ops.bind_mw$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : ibv_context_ops.bind_mw.invoke(function, qp, mw, mw_bind);
    }

    /**
     * {@code ibv_inc_rkey}: the next key of a window of type 2.
     *
     * @param rkey the last one
     * @return the same key with its low byte counted on
     */
    public static int ibv_inc_rkey(int rkey) {
        return (rkey & ~TAG) | ((rkey + 1) & TAG);
    }
}
