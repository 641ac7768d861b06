package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory functions that rdma-core got after release 44, from which the bindings are generated, by the C names. The
 * structs that they take are not among the generated ones: lay them out as the header of the release in use does.
 *
 * <p>Each throws UnsupportedOperationException, naming the release that it needs, if the library in use has none of the name.
 */
public final class NewerMemoryVerbs {
    private NewerMemoryVerbs() {}

    private static final class IbvRegMrEx {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_reg_mr_ex} with errno, of rdma-core 59: one registration for all kinds of memory.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param mr_init_attr {@code struct ibv_mr_init_attr *}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_mr_ex(CapturedErrno errno, MemorySegment pd, MemorySegment mr_init_attr) {
        MemorySegment function = Release.function("ibv_reg_mr_ex", 59);
        try {
            return (MemorySegment) IbvRegMrEx.HANDLE.invokeExact(function, errno.state(), pd, mr_init_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvAllocDmah {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_alloc_dmah} with errno, of rdma-core 59: hints for the device's accesses to memory.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param attr {@code struct ibv_dmah_init_attr *}
     * @return {@code struct ibv_dmah *}, or NULL
     */
    public static MemorySegment ibv_alloc_dmah(CapturedErrno errno, MemorySegment context, MemorySegment attr) {
        MemorySegment function = Release.function("ibv_alloc_dmah", 59);
        try {
            return (MemorySegment) IbvAllocDmah.HANDLE.invokeExact(function, errno.state(), context, attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvDeallocDmah {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code ibv_dealloc_dmah}, of rdma-core 59.
     *
     * @param dmah {@code struct ibv_dmah *}
     * @return 0 or an errno
     */
    public static int ibv_dealloc_dmah(MemorySegment dmah) {
        MemorySegment function = Release.function("ibv_dealloc_dmah", 59);
        try {
            return (int) IbvDeallocDmah.HANDLE.invokeExact(function, dmah);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvDmExportDmabufFd {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code ibv_dm_export_dmabuf_fd} with errno, of rdma-core 62.
     *
     * @param errno receives errno
     * @param dm {@code struct ibv_dm *}
     * @return a descriptor to be closed by the caller, or a negative number
     */
    public static int ibv_dm_export_dmabuf_fd(CapturedErrno errno, MemorySegment dm) {
        MemorySegment function = Release.function("ibv_dm_export_dmabuf_fd", 62);
        try {
            return (int) IbvDmExportDmabufFd.HANDLE.invokeExact(function, errno.state(), dm);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvAllocBuf {
        static final MethodHandle HANDLE =
                Calls.linkWithErrno(FunctionDescriptor.of(C_POINTER, C_POINTER, C_LONG, C_POINTER));
    }

    /**
     * {@code ibv_alloc_buf} with errno, of rdma-core 64: memory that the provider allocates.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param size bytes
     * @param buf pointer that receives a {@code struct ibv_buf *}
     * @return its first byte, or NULL
     */
    public static MemorySegment ibv_alloc_buf(CapturedErrno errno, MemorySegment pd, long size, MemorySegment buf) {
        MemorySegment function = Release.function("ibv_alloc_buf", 64);
        try {
            return (MemorySegment) IbvAllocBuf.HANDLE.invokeExact(function, errno.state(), pd, size, buf);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvFreeBuf {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.ofVoid(C_POINTER));
    }

    /**
     * {@code ibv_free_buf}, of rdma-core 64.
     *
     * @param buf {@code struct ibv_buf *}
     */
    public static void ibv_free_buf(MemorySegment buf) {
        MemorySegment function = Release.function("ibv_free_buf", 64);
        try {
            IbvFreeBuf.HANDLE.invokeExact(function, buf);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvRegBufMr {
        static final MethodHandle HANDLE =
                Calls.linkWithErrno(FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER, C_POINTER, C_LONG, C_INT));
    }

    /**
     * {@code ibv_reg_buf_mr} with errno, of rdma-core 64.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param buf {@code struct ibv_buf *}
     * @param addr first byte, in the buffer
     * @param length bytes
     * @param access bits of {@code ibv_access_flags}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_buf_mr(
            CapturedErrno errno, MemorySegment pd, MemorySegment buf, MemorySegment addr, long length, int access) {
        MemorySegment function = Release.function("ibv_reg_buf_mr", 64);
        try {
            return (MemorySegment)
                    IbvRegBufMr.HANDLE.invokeExact(function, errno.state(), pd, buf, addr, length, access);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvExportBufDmabufFd {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code ibv_export_buf_dmabuf_fd} with errno, of rdma-core 65.
     *
     * @param errno receives errno
     * @param buf {@code struct ibv_buf *}
     * @return a descriptor to be closed by the caller, or -1
     */
    public static int ibv_export_buf_dmabuf_fd(CapturedErrno errno, MemorySegment buf) {
        MemorySegment function = Release.function("ibv_export_buf_dmabuf_fd", 65);
        try {
            return (int) IbvExportBufDmabufFd.HANDLE.invokeExact(function, errno.state(), buf);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
