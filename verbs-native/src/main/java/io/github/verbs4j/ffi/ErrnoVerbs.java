package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The exported functions that report a failure through errno (a result of NULL or -1), by their C names and with C's
 * arguments behind the place where errno is kept: devices, domains, queues and their events. Those that return an errno are
 * called through {@code verbs_h}.
 *
 * <p>Call {@link NativeLibrary#open()} first: it explains a missing library.
 */
public final class ErrnoVerbs {
    private ErrnoVerbs() {}

    private static final class IbvGetDeviceList {
        static final MethodHandle HANDLE = link("ibv_get_device_list", FunctionDescriptor.of(C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_get_device_list} with errno.
     *
     * @param errno receives errno
     * @param num_devices int to receive the count, or NULL
     * @return a NULL-terminated array to be freed with {@code ibv_free_device_list}, or NULL
     */
    public static MemorySegment ibv_get_device_list(CapturedErrno errno, MemorySegment num_devices) {
        try {
            return (MemorySegment) IbvGetDeviceList.HANDLE.invokeExact(errno.state(), num_devices);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvOpenDevice {
        static final MethodHandle HANDLE = link("ibv_open_device", FunctionDescriptor.of(C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_open_device} with errno.
     *
     * @param errno receives errno
     * @param device {@code struct ibv_device *}
     * @return {@code struct ibv_context *}, or NULL
     */
    public static MemorySegment ibv_open_device(CapturedErrno errno, MemorySegment device) {
        try {
            return (MemorySegment) IbvOpenDevice.HANDLE.invokeExact(errno.state(), device);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCloseDevice {
        static final MethodHandle HANDLE = link("ibv_close_device", FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code ibv_close_device} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @return 0, or -1
     */
    public static int ibv_close_device(CapturedErrno errno, MemorySegment context) {
        try {
            return (int) IbvCloseDevice.HANDLE.invokeExact(errno.state(), context);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvAllocPd {
        static final MethodHandle HANDLE = link("ibv_alloc_pd", FunctionDescriptor.of(C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_alloc_pd} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @return {@code struct ibv_pd *}, or NULL
     */
    public static MemorySegment ibv_alloc_pd(CapturedErrno errno, MemorySegment context) {
        try {
            return (MemorySegment) IbvAllocPd.HANDLE.invokeExact(errno.state(), context);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvRegMrIova2 {
        static final MethodHandle HANDLE =
                link("ibv_reg_mr_iova2", FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER, C_LONG, C_LONG, C_INT));
    }

    /**
     * {@code ibv_reg_mr_iova2} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param addr first byte
     * @param length bytes
     * @param iova address that remote and local work will name
     * @param access bits of {@code ibv_access_flags}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_mr_iova2(
            CapturedErrno errno, MemorySegment pd, MemorySegment addr, long length, long iova, int access) {
        try {
            return (MemorySegment) IbvRegMrIova2.HANDLE.invokeExact(errno.state(), pd, addr, length, iova, access);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCreateCompChannel {
        static final MethodHandle HANDLE = link("ibv_create_comp_channel", FunctionDescriptor.of(C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_create_comp_channel} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @return {@code struct ibv_comp_channel *}, or NULL
     */
    public static MemorySegment ibv_create_comp_channel(CapturedErrno errno, MemorySegment context) {
        try {
            return (MemorySegment) IbvCreateCompChannel.HANDLE.invokeExact(errno.state(), context);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvGetCqEvent {
        static final MethodHandle HANDLE =
                link("ibv_get_cq_event", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_get_cq_event} with errno. Waits, unless the channel's descriptor is non-blocking.
     *
     * @param errno receives errno
     * @param channel {@code struct ibv_comp_channel *}
     * @param cq pointer that receives the {@code struct ibv_cq *}
     * @param cq_context pointer that receives the queue's user pointer
     * @return 0, or -1; each event must be acknowledged with {@code ibv_ack_cq_events}
     */
    public static int ibv_get_cq_event(
            CapturedErrno errno, MemorySegment channel, MemorySegment cq, MemorySegment cq_context) {
        try {
            return (int) IbvGetCqEvent.HANDLE.invokeExact(errno.state(), channel, cq, cq_context);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvGetAsyncEvent {
        static final MethodHandle HANDLE =
                link("ibv_get_async_event", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_get_async_event} with errno. Waits, unless the context's {@code async_fd} is non-blocking.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param event {@code struct ibv_async_event} to fill
     * @return 0, or -1; each event must be acknowledged with {@code ibv_ack_async_event}
     */
    public static int ibv_get_async_event(CapturedErrno errno, MemorySegment context, MemorySegment event) {
        try {
            return (int) IbvGetAsyncEvent.HANDLE.invokeExact(errno.state(), context, event);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCreateCq {
        static final MethodHandle HANDLE =
                link("ibv_create_cq", FunctionDescriptor.of(C_POINTER, C_POINTER, C_INT, C_POINTER, C_POINTER, C_INT));
    }

    /**
     * {@code ibv_create_cq} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param cqe entries at least
     * @param cq_context user pointer
     * @param channel {@code struct ibv_comp_channel *}, or NULL
     * @param comp_vector interrupt vector, from 0
     * @return {@code struct ibv_cq *}, or NULL
     */
    public static MemorySegment ibv_create_cq(
            CapturedErrno errno,
            MemorySegment context,
            int cqe,
            MemorySegment cq_context,
            MemorySegment channel,
            int comp_vector) {
        try {
            return (MemorySegment)
                    IbvCreateCq.HANDLE.invokeExact(errno.state(), context, cqe, cq_context, channel, comp_vector);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCreateSrq {
        static final MethodHandle HANDLE =
                link("ibv_create_srq", FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_create_srq} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param srq_init_attr {@code struct ibv_srq_init_attr *}, updated with what was granted
     * @return {@code struct ibv_srq *}, or NULL
     */
    public static MemorySegment ibv_create_srq(CapturedErrno errno, MemorySegment pd, MemorySegment srq_init_attr) {
        try {
            return (MemorySegment) IbvCreateSrq.HANDLE.invokeExact(errno.state(), pd, srq_init_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCreateQp {
        static final MethodHandle HANDLE =
                link("ibv_create_qp", FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_create_qp} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param qp_init_attr {@code struct ibv_qp_init_attr *}, updated with what was granted
     * @return {@code struct ibv_qp *}, or NULL
     */
    public static MemorySegment ibv_create_qp(CapturedErrno errno, MemorySegment pd, MemorySegment qp_init_attr) {
        try {
            return (MemorySegment) IbvCreateQp.HANDLE.invokeExact(errno.state(), pd, qp_init_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvQueryPkey {
        static final MethodHandle HANDLE =
                link("ibv_query_pkey", FunctionDescriptor.of(C_INT, C_POINTER, C_CHAR, C_INT, C_POINTER));
    }

    /**
     * {@code ibv_query_pkey} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param port_num from 1
     * @param index from 0
     * @param pkey 16 bits, big-endian
     * @return 0, or -1
     */
    public static int ibv_query_pkey(
            CapturedErrno errno, MemorySegment context, byte port_num, int index, MemorySegment pkey) {
        try {
            return (int) IbvQueryPkey.HANDLE.invokeExact(errno.state(), context, port_num, index, pkey);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /** The generated holder of a function is left alone: it links a second handle, without errno. */
    static MethodHandle link(String function, FunctionDescriptor descriptor) {
        return Calls.linkWithErrno(NativeLibrary.libibverbs().require(function), descriptor);
    }
}
