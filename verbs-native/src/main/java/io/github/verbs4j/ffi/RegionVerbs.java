package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory regions of {@code infiniband/verbs.h} beyond the ordinary ones, by the C names and with errno. What library or
 * provider does not know fails with {@code EOPNOTSUPP}.
 */
public final class RegionVerbs {
    private static final MethodHandle ALLOCATE_NULL = Calls.linkWithErrno(verbs_context.alloc_null_mr.descriptor());

    private RegionVerbs() {}

    /**
     * {@code ibv_reg_mr_iova}: the macro, which takes optional access flags too; an old kernel then ignores those.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param addr first byte
     * @param length bytes
     * @param iova address that remote and local work will name
     * @param access bits of {@code ibv_access_flags}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_mr_iova(
            CapturedErrno errno, MemorySegment pd, MemorySegment addr, long length, long iova, int access) {
        return ErrnoVerbs.ibv_reg_mr_iova2(errno, pd, addr, length, iova, access);
    }

    private static final class IbvRegDmabufMr {
        static final MethodHandle HANDLE = ErrnoVerbs.link(
                "ibv_reg_dmabuf_mr", FunctionDescriptor.of(C_POINTER, C_POINTER, C_LONG, C_LONG, C_LONG, C_INT, C_INT));
    }

    /**
     * {@code ibv_reg_dmabuf_mr} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param offset bytes from the start of the dma-buf
     * @param length bytes
     * @param iova address that remote and local work will name
     * @param fd descriptor of the dma-buf
     * @param access bits of {@code ibv_access_flags}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_dmabuf_mr(
            CapturedErrno errno, MemorySegment pd, long offset, long length, long iova, int fd, int access) {
        try {
            return (MemorySegment)
                    IbvRegDmabufMr.HANDLE.invokeExact(errno.state(), pd, offset, length, iova, fd, access);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvReregMr {
        static final MethodHandle HANDLE = ErrnoVerbs.link(
                "ibv_rereg_mr", FunctionDescriptor.of(C_INT, C_POINTER, C_INT, C_POINTER, C_POINTER, C_LONG, C_INT));
    }

    /**
     * {@code ibv_rereg_mr} with errno.
     *
     * @param errno receives errno
     * @param mr {@code struct ibv_mr *}
     * @param flags bits of {@code ibv_rereg_mr_flags}: which of the following is to change
     * @param pd {@code struct ibv_pd *}, or NULL
     * @param addr first byte, or NULL
     * @param length bytes
     * @param access bits of {@code ibv_access_flags}
     * @return 0, or a value of {@code ibv_rereg_mr_err_code}; after {@code IBV_REREG_MR_ERR_CMD} and the one below, the region
     *     can only be deregistered
     */
    public static int ibv_rereg_mr(
            CapturedErrno errno,
            MemorySegment mr,
            int flags,
            MemorySegment pd,
            MemorySegment addr,
            long length,
            int access) {
        try {
            return (int) IbvReregMr.HANDLE.invokeExact(errno.state(), mr, flags, pd, addr, length, access);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_alloc_null_mr} with errno: a region that swallows writes and reads as zeros.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_alloc_null_mr(CapturedErrno errno, MemorySegment pd) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(pd), verbs_context.alloc_null_mr$offset());
        if (function.address() == 0) {
            return Creation.unsupported(errno);
        }
        try {
            return (MemorySegment) ALLOCATE_NULL.invokeExact(function, errno.state(), pd);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_advise_mr}.
     *
     * @param pd {@code struct ibv_pd *}
     * @param advice a value of {@code ibv_advise_mr_advice}
     * @param flags bits of {@code ibv_advise_mr_flag}
     * @param sg_list array of {@code struct ibv_sge}
     * @param num_sge its length in elements
     * @return 0 or an errno
     */
    public static int ibv_advise_mr(MemorySegment pd, int advice, int flags, MemorySegment sg_list, int num_sge) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(pd), verbs_context.advise_mr$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.advise_mr.invoke(function, pd, advice, flags, sg_list, num_sge);
    }
}
