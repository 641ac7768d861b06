package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.C_INT;
import static io.github.verbs4j.ffi.verbs4j_h.C_LONG;
import static io.github.verbs4j.ffi.verbs4j_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Identifiers of {@code rdma/rdma_cma.h} and what they are bound to, by the C names and with errno: event channels, addresses,
 * routes, devices, options. Those that cannot fail are called through {@code rdmacm_h}.
 *
 * <p>Call {@link NativeLibrary#open()} of {@link NativeLibrary#librdmacm()} first: it explains a missing library.
 */
public final class CmIdVerbs {
    private CmIdVerbs() {}

    private static final class RdmaCreateEventChannel {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_create_event_channel", FunctionDescriptor.of(C_POINTER));
    }

    /**
     * {@code rdma_create_event_channel} with errno.
     *
     * @param errno receives errno
     * @return {@code struct rdma_event_channel *}, or NULL
     */
    public static MemorySegment rdma_create_event_channel(CapturedErrno errno) {
        try {
            return (MemorySegment) RdmaCreateEventChannel.HANDLE.invokeExact(errno.state());
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaCreateId {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_create_id", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER, C_INT));
    }

    /**
     * {@code rdma_create_id} with errno.
     *
     * @param errno receives errno
     * @param channel {@code struct rdma_event_channel *}; NULL for an identifier whose calls wait for their outcome
     * @param id pointer that receives {@code struct rdma_cm_id *}
     * @param context what {@code id->context} holds
     * @param ps a value of {@code rdma_port_space}
     * @return 0, or -1
     */
    public static int rdma_create_id(
            CapturedErrno errno, MemorySegment channel, MemorySegment id, MemorySegment context, int ps) {
        try {
            return (int) RdmaCreateId.HANDLE.invokeExact(errno.state(), channel, id, context, ps);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaCreateEp {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rdma_create_ep", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_create_ep} with errno: an identifier whose calls wait, bound or with a resolved route.
     *
     * @param errno receives errno
     * @param id pointer that receives {@code struct rdma_cm_id *}
     * @param res {@code struct rdma_addrinfo *}
     * @param pd {@code struct ibv_pd *}, or NULL
     * @param qp_init_attr {@code struct ibv_qp_init_attr *}, or NULL for no queue pair
     * @return 0, or -1
     */
    public static int rdma_create_ep(
            CapturedErrno errno, MemorySegment id, MemorySegment res, MemorySegment pd, MemorySegment qp_init_attr) {
        try {
            return (int) RdmaCreateEp.HANDLE.invokeExact(errno.state(), id, res, pd, qp_init_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaDestroyId {
        static final MethodHandle HANDLE = CmIdVerbs.link("rdma_destroy_id", FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code rdma_destroy_id} with errno: waits until each event of the identifier was acknowledged.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @return 0, or -1
     */
    public static int rdma_destroy_id(CapturedErrno errno, MemorySegment id) {
        try {
            return (int) RdmaDestroyId.HANDLE.invokeExact(errno.state(), id);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaBindAddr {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_bind_addr", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_bind_addr} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param addr {@code struct sockaddr *}; its port may be 0
     * @return 0, or -1
     */
    public static int rdma_bind_addr(CapturedErrno errno, MemorySegment id, MemorySegment addr) {
        try {
            return (int) RdmaBindAddr.HANDLE.invokeExact(errno.state(), id, addr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaResolveAddr {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rdma_resolve_addr", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER, C_INT));
    }

    /**
     * {@code rdma_resolve_addr} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param src_addr {@code struct sockaddr *}, or NULL
     * @param dst_addr {@code struct sockaddr *}
     * @param timeout_ms milliseconds
     * @return 0, or -1
     */
    public static int rdma_resolve_addr(
            CapturedErrno errno, MemorySegment id, MemorySegment src_addr, MemorySegment dst_addr, int timeout_ms) {
        try {
            return (int) RdmaResolveAddr.HANDLE.invokeExact(errno.state(), id, src_addr, dst_addr, timeout_ms);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaResolveRoute {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_resolve_route", FunctionDescriptor.of(C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rdma_resolve_route} with errno; only after the address was resolved: before, it ends the process.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param timeout_ms milliseconds
     * @return 0, or -1
     */
    public static int rdma_resolve_route(CapturedErrno errno, MemorySegment id, int timeout_ms) {
        try {
            return (int) RdmaResolveRoute.HANDLE.invokeExact(errno.state(), id, timeout_ms);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaGetDevices {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_get_devices", FunctionDescriptor.of(C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_get_devices} with errno.
     *
     * @param errno receives errno
     * @param num_devices int to receive the count, or NULL
     * @return a NULL-terminated array of {@code struct ibv_context *} to be freed with {@code rdma_free_devices}, or NULL
     */
    public static MemorySegment rdma_get_devices(CapturedErrno errno, MemorySegment num_devices) {
        try {
            return (MemorySegment) RdmaGetDevices.HANDLE.invokeExact(errno.state(), num_devices);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaSetOption {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rdma_set_option", FunctionDescriptor.of(C_INT, C_POINTER, C_INT, C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code rdma_set_option} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param level {@code RDMA_OPTION_ID} or {@code RDMA_OPTION_IB}
     * @param optname one of that level
     * @param optval its value
     * @param optlen bytes of the value
     * @return 0, or -1
     */
    public static int rdma_set_option(
            CapturedErrno errno, MemorySegment id, int level, int optname, MemorySegment optval, long optlen) {
        try {
            return (int) RdmaSetOption.HANDLE.invokeExact(errno.state(), id, level, optname, optval, optlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaMigrateId {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_migrate_id", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_migrate_id} with errno: waits until each event of the identifier was acknowledged.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param channel {@code struct rdma_event_channel *} to report to; NULL for calls that wait
     * @return 0, or -1
     */
    public static int rdma_migrate_id(CapturedErrno errno, MemorySegment id, MemorySegment channel) {
        try {
            return (int) RdmaMigrateId.HANDLE.invokeExact(errno.state(), id, channel);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaGetaddrinfo {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rdma_getaddrinfo", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_getaddrinfo} with errno.
     *
     * @param errno receives errno
     * @param node C string, or NULL
     * @param service C string, or NULL
     * @param hints {@code struct rdma_addrinfo *}, or NULL
     * @param res pointer that receives {@code struct rdma_addrinfo *}, to be freed with {@code rdma_freeaddrinfo}
     * @return 0; -1 with errno; or what {@code getaddrinfo} of libc failed with
     */
    public static int rdma_getaddrinfo(
            CapturedErrno errno, MemorySegment node, MemorySegment service, MemorySegment hints, MemorySegment res) {
        try {
            return (int) RdmaGetaddrinfo.HANDLE.invokeExact(errno.state(), node, service, hints, res);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /** The generated holder of a function is left alone: it links a second handle, without errno. */
    static MethodHandle link(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return Calls.linkWithErrno(NativeLibrary.librdmacm().require(function), descriptor, options);
    }
}
