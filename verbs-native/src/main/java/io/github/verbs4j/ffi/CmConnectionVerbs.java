package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs4j_h.C_INT;
import static io.github.verbs4j.ffi.verbs4j_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * How identifiers of {@code rdma/rdma_cma.h} connect, by the C names and with errno, and the events that tell of it.
 *
 * <p>Call {@link NativeLibrary#open()} of {@link NativeLibrary#librdmacm()} first: it explains a missing library.
 */
public final class CmConnectionVerbs {
    private CmConnectionVerbs() {}

    private static final class RdmaListen {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_listen", FunctionDescriptor.of(C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rdma_listen} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param backlog requests that may wait to be fetched
     * @return 0, or -1
     */
    public static int rdma_listen(CapturedErrno errno, MemorySegment id, int backlog) {
        try {
            return (int) RdmaListen.HANDLE.invokeExact(errno.state(), id, backlog);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaGetRequest {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_get_request", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_get_request} with errno: waits; only for an identifier without a channel.
     *
     * @param errno receives errno
     * @param listen {@code struct rdma_cm_id *} that listens
     * @param id pointer that receives {@code struct rdma_cm_id *} of the request
     * @return 0, or -1
     */
    public static int rdma_get_request(CapturedErrno errno, MemorySegment listen, MemorySegment id) {
        try {
            return (int) RdmaGetRequest.HANDLE.invokeExact(errno.state(), listen, id);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaConnect {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_connect", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_connect} with errno; only after the address was resolved: before, it ends the process.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param conn_param {@code struct rdma_conn_param *}, or NULL for the defaults of the library
     * @return 0, or -1
     */
    public static int rdma_connect(CapturedErrno errno, MemorySegment id, MemorySegment conn_param) {
        try {
            return (int) RdmaConnect.HANDLE.invokeExact(errno.state(), id, conn_param);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaEstablish {
        static final MethodHandle HANDLE = CmIdVerbs.link("rdma_establish", FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code rdma_establish} with errno: answers CONNECT_RESPONSE, for a queue pair that the identifier does not know.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @return 0, or -1
     */
    public static int rdma_establish(CapturedErrno errno, MemorySegment id) {
        try {
            return (int) RdmaEstablish.HANDLE.invokeExact(errno.state(), id);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaAccept {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_accept", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_accept} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param conn_param {@code struct rdma_conn_param *}, or NULL for the defaults of the library
     * @return 0, or -1
     */
    public static int rdma_accept(CapturedErrno errno, MemorySegment id, MemorySegment conn_param) {
        try {
            return (int) RdmaAccept.HANDLE.invokeExact(errno.state(), id, conn_param);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaReject {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_reject", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_CHAR));
    }

    /**
     * {@code rdma_reject} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param private_data what the peer gets to read, or NULL
     * @param private_data_len its length in bytes, unsigned
     * @return 0, or -1
     */
    public static int rdma_reject(
            CapturedErrno errno, MemorySegment id, MemorySegment private_data, byte private_data_len) {
        try {
            return (int) RdmaReject.HANDLE.invokeExact(errno.state(), id, private_data, private_data_len);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaRejectEce {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_reject_ece", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_CHAR));
    }

    /**
     * {@code rdma_reject_ece} with errno: because of the options of ECE.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param private_data what the peer gets to read, or NULL
     * @param private_data_len its length in bytes, unsigned
     * @return 0, or -1
     */
    public static int rdma_reject_ece(
            CapturedErrno errno, MemorySegment id, MemorySegment private_data, byte private_data_len) {
        try {
            return (int) RdmaRejectEce.HANDLE.invokeExact(errno.state(), id, private_data, private_data_len);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaNotify {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_notify", FunctionDescriptor.of(C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rdma_notify} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param event a value of {@code ibv_event_type}, such as {@code IBV_EVENT_COMM_EST}
     * @return 0, or -1
     */
    public static int rdma_notify(CapturedErrno errno, MemorySegment id, int event) {
        try {
            return (int) RdmaNotify.HANDLE.invokeExact(errno.state(), id, event);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaDisconnect {
        static final MethodHandle HANDLE = CmIdVerbs.link("rdma_disconnect", FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code rdma_disconnect} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @return 0, or -1
     */
    public static int rdma_disconnect(CapturedErrno errno, MemorySegment id) {
        try {
            return (int) RdmaDisconnect.HANDLE.invokeExact(errno.state(), id);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaGetCmEvent {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_get_cm_event", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_get_cm_event} with errno: waits, unless the descriptor of the channel is non-blocking.
     *
     * @param errno receives errno
     * @param channel {@code struct rdma_event_channel *}
     * @param event pointer that receives {@code struct rdma_cm_event *}, to be given back by {@code rdma_ack_cm_event}
     * @return 0, or -1; EAGAIN if there is none
     */
    public static int rdma_get_cm_event(CapturedErrno errno, MemorySegment channel, MemorySegment event) {
        try {
            return (int) RdmaGetCmEvent.HANDLE.invokeExact(errno.state(), channel, event);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaAckCmEvent {
        static final MethodHandle HANDLE = CmIdVerbs.link("rdma_ack_cm_event", FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code rdma_ack_cm_event} with errno; what the event points to is gone after it.
     *
     * @param errno receives errno
     * @param event {@code struct rdma_cm_event *}
     * @return 0, or -1
     */
    public static int rdma_ack_cm_event(CapturedErrno errno, MemorySegment event) {
        try {
            return (int) RdmaAckCmEvent.HANDLE.invokeExact(errno.state(), event);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaSetLocalEce {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_set_local_ece", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_set_local_ece} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param ece {@code struct ibv_ece *}
     * @return 0, or -1
     */
    public static int rdma_set_local_ece(CapturedErrno errno, MemorySegment id, MemorySegment ece) {
        try {
            return (int) RdmaSetLocalEce.HANDLE.invokeExact(errno.state(), id, ece);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaGetRemoteEce {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rdma_get_remote_ece", FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_get_remote_ece} with errno.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param ece {@code struct ibv_ece} to fill
     * @return 0, or -1
     */
    public static int rdma_get_remote_ece(CapturedErrno errno, MemorySegment id, MemorySegment ece) {
        try {
            return (int) RdmaGetRemoteEce.HANDLE.invokeExact(errno.state(), id, ece);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
