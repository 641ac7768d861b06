package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Objects of another process, of {@code infiniband/verbs.h}, by the C names and with errno. {@code ibv_unimport_pd},
 * {@code _mr} and {@code _dm} let go of them without destroying them.
 */
public final class ImportVerbs {
    private ImportVerbs() {}

    private static final class IbvImportDevice {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_import_device", FunctionDescriptor.of(C_POINTER, C_INT));
    }

    /**
     * {@code ibv_import_device} with errno.
     *
     * @param errno receives errno
     * @param cmd_fd command descriptor of a context
     * @return {@code struct ibv_context *}, or NULL
     */
    public static MemorySegment ibv_import_device(CapturedErrno errno, int cmd_fd) {
        try {
            return (MemorySegment) IbvImportDevice.HANDLE.invokeExact(errno.state(), cmd_fd);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvImportPd {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_import_pd", FunctionDescriptor.of(C_POINTER, C_POINTER, C_INT));
    }

    /**
     * {@code ibv_import_pd} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param pd_handle its handle in the kernel, as the process that created it sees it
     * @return {@code struct ibv_pd *}, or NULL
     */
    public static MemorySegment ibv_import_pd(CapturedErrno errno, MemorySegment context, int pd_handle) {
        try {
            return (MemorySegment) IbvImportPd.HANDLE.invokeExact(errno.state(), context, pd_handle);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvImportMr {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_import_mr", FunctionDescriptor.of(C_POINTER, C_POINTER, C_INT));
    }

    /**
     * {@code ibv_import_mr} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param mr_handle its handle in the kernel, as the process that created it sees it
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_import_mr(CapturedErrno errno, MemorySegment pd, int mr_handle) {
        try {
            return (MemorySegment) IbvImportMr.HANDLE.invokeExact(errno.state(), pd, mr_handle);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvImportDm {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_import_dm", FunctionDescriptor.of(C_POINTER, C_POINTER, C_INT));
    }

    /**
     * {@code ibv_import_dm} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param dm_handle its handle in the kernel, as the process that created it sees it
     * @return {@code struct ibv_dm *}, or NULL
     */
    public static MemorySegment ibv_import_dm(CapturedErrno errno, MemorySegment context, int dm_handle) {
        try {
            return (MemorySegment) IbvImportDm.HANDLE.invokeExact(errno.state(), context, dm_handle);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
