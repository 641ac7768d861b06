package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory on the device, of {@code infiniband/verbs.h}, by the C names. What library or provider does not know fails with
 * {@code EOPNOTSUPP}, also where C would call the NULL.
 */
public final class DeviceMemoryVerbs {
    private static final MethodHandle REGISTER =
            Calls.linkWithErrno(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private DeviceMemoryVerbs() {}

    /**
     * {@code ibv_alloc_dm} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param attr {@code struct ibv_alloc_dm_attr *}
     * @return {@code struct ibv_dm *}, or NULL
     */
    public static MemorySegment ibv_alloc_dm(CapturedErrno errno, MemorySegment context, MemorySegment attr) {
        return Creation.create(errno, ContextOps.extendedOp(context, verbs_context.alloc_dm$offset()), context, attr);
    }

    /**
     * {@code ibv_free_dm}.
     *
     * @param dm {@code struct ibv_dm *}
     * @return 0 or an errno
     */
    public static int ibv_free_dm(MemorySegment dm) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(dm), verbs_context.free_dm$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : verbs_context.free_dm.invoke(function, dm);
    }

    /**
     * {@code ibv_memcpy_to_dm}.
     *
     * @param dm {@code struct ibv_dm *}
     * @param dm_offset bytes from its start
     * @param host_addr where to copy from
     * @param length bytes
     * @return 0 or an errno
     */
    public static int ibv_memcpy_to_dm(MemorySegment dm, long dm_offset, MemorySegment host_addr, long length) {
        MemorySegment function = ibv_dm.memcpy_to_dm(Pointers.segment(dm, ibv_dm.sizeof()));
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : ibv_dm.memcpy_to_dm.invoke(function, dm, dm_offset, host_addr, length);
    }

    /**
     * {@code ibv_memcpy_from_dm}.
     *
     * @param host_addr where to copy to
     * @param dm {@code struct ibv_dm *}
     * @param dm_offset bytes from its start
     * @param length bytes
     * @return 0 or an errno
     */
    public static int ibv_memcpy_from_dm(MemorySegment host_addr, MemorySegment dm, long dm_offset, long length) {
        MemorySegment function = ibv_dm.memcpy_from_dm(Pointers.segment(dm, ibv_dm.sizeof()));
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : ibv_dm.memcpy_from_dm.invoke(function, host_addr, dm, dm_offset, length);
    }

    /**
     * {@code ibv_reg_dm_mr} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param dm {@code struct ibv_dm *}
     * @param dm_offset bytes from its start
     * @param length bytes
     * @param access bits of {@code ibv_access_flags}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_dm_mr(
            CapturedErrno errno, MemorySegment pd, MemorySegment dm, long dm_offset, long length, int access) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(pd), verbs_context.reg_dm_mr$offset());
        if (function.address() == 0) {
            return Creation.unsupported(errno);
        }
        try {
            return (MemorySegment) REGISTER.invokeExact(function, errno.state(), pd, dm, dm_offset, length, access);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
