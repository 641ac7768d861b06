package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.C_INT;
import static io.github.verbs4j.ffi.verbs4j_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Queues and multicast groups of identifiers of {@code rdma/rdma_cma.h} and {@code rdma/rdma_verbs.h}, by the C names and with
 * errno.
 *
 * <p>Call {@link NativeLibrary#open()} of {@link NativeLibrary#librdmacm()} first: it explains a missing library.
 */
public final class CmQueueVerbs {
    private CmQueueVerbs() {}

    private static final class RdmaInitQpAttr {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_init_qp_attr", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_init_qp_attr} with errno: what {@code ibv_modify_qp} needs to lead an external queue pair to a state.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param qp_attr {@code struct ibv_qp_attr *}: {@code qp_state} is read, the rest filled
     * @param qp_attr_mask int that receives the mask
     * @return 0, or -1
     */
    public static int rdma_init_qp_attr(
            CapturedErrno errno, MemorySegment id, MemorySegment qp_attr, MemorySegment qp_attr_mask) {
        try {
            return (int) RdmaInitQpAttr.HANDLE.invokeExact(errno.state(), id, qp_attr, qp_attr_mask);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaCreateQp {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_create_qp", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_create_qp} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param pd {@code struct ibv_pd *} of {@code id->verbs}, or NULL for that of the identifier
     * @param qp_init_attr {@code struct ibv_qp_init_attr *}, updated with what was granted
     * @return 0, or -1
     */
    public static int rdma_create_qp(
            CapturedErrno errno, MemorySegment id, MemorySegment pd, MemorySegment qp_init_attr) {
        try {
            return (int) RdmaCreateQp.HANDLE.invokeExact(errno.state(), id, pd, qp_init_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaCreateQpEx {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_create_qp_ex", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_create_qp_ex} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param qp_init_attr {@code struct ibv_qp_init_attr_ex *}, updated with what was granted
     * @return 0, or -1
     */
    public static int rdma_create_qp_ex(CapturedErrno errno, MemorySegment id, MemorySegment qp_init_attr) {
        try {
            return (int) RdmaCreateQpEx.HANDLE.invokeExact(errno.state(), id, qp_init_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaCreateSrq {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_create_srq", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_create_srq} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param pd {@code struct ibv_pd *} of {@code id->verbs}, or NULL for that of the identifier
     * @param attr {@code struct ibv_srq_init_attr *}
     * @return 0, or -1
     */
    public static int rdma_create_srq(CapturedErrno errno, MemorySegment id, MemorySegment pd, MemorySegment attr) {
        try {
            return (int) RdmaCreateSrq.HANDLE.invokeExact(errno.state(), id, pd, attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaCreateSrqEx {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_create_srq_ex", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_create_srq_ex} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param attr {@code struct ibv_srq_init_attr_ex *}
     * @return 0, or -1
     */
    public static int rdma_create_srq_ex(CapturedErrno errno, MemorySegment id, MemorySegment attr) {
        try {
            return (int) RdmaCreateSrqEx.HANDLE.invokeExact(errno.state(), id, attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaJoinMulticast {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_join_multicast", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_join_multicast} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param addr {@code struct sockaddr *} of the group
     * @param context what {@code param.ud.private_data} of the events holds
     * @return 0, or -1
     */
    public static int rdma_join_multicast(
            CapturedErrno errno, MemorySegment id, MemorySegment addr, MemorySegment context) {
        try {
            return (int) RdmaJoinMulticast.HANDLE.invokeExact(errno.state(), id, addr, context);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaJoinMulticastEx {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_join_multicast_ex", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_join_multicast_ex} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param mc_join_attr {@code struct rdma_cm_join_mc_attr_ex *}
     * @param context what {@code param.ud.private_data} of the events holds
     * @return 0, or -1
     */
    public static int rdma_join_multicast_ex(
            CapturedErrno errno, MemorySegment id, MemorySegment mc_join_attr, MemorySegment context) {
        try {
            return (int) RdmaJoinMulticastEx.HANDLE.invokeExact(errno.state(), id, mc_join_attr, context);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaLeaveMulticast {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_leave_multicast", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_leave_multicast} with errno: waits until each event of the group was acknowledged.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param addr {@code struct sockaddr *} of the group
     * @return 0, or -1
     */
    public static int rdma_leave_multicast(CapturedErrno errno, MemorySegment id, MemorySegment addr) {
        try {
            return (int) RdmaLeaveMulticast.HANDLE.invokeExact(errno.state(), id, addr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
