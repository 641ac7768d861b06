package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.C_INT;
import static io.github.verbs4j.ffi.verbs4j_h.C_LONG;
import static io.github.verbs4j.ffi.verbs4j_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions that librdmacm got after release 44 of rdma-core, from which the bindings are generated, by the C names.
 *
 * <p>Each throws UnsupportedOperationException, naming the release that it needs, if the library in use has none of the name.
 */
public final class NewerCmVerbs {
    private NewerCmVerbs() {}

    private static final class RdmaResolveAddrinfo {
        static final MethodHandle HANDLE =
                Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_resolve_addrinfo}, of rdma-core 60: resolves a name, and tells by an event.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param node C string, or NULL
     * @param service C string, or NULL
     * @param hints {@code struct rdma_addrinfo *}, or NULL
     * @return 0, or -1
     */
    public static int rdma_resolve_addrinfo(
            CapturedErrno errno, MemorySegment id, MemorySegment node, MemorySegment service, MemorySegment hints) {
        MemorySegment function = Release.ofLibrdmacm("rdma_resolve_addrinfo", 60);
        try {
            return (int) RdmaResolveAddrinfo.HANDLE.invokeExact(function, errno.state(), id, node, service, hints);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaQueryAddrinfo {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rdma_query_addrinfo}, of rdma-core 60: what {@link #rdma_resolve_addrinfo} found.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param info pointer that receives {@code struct rdma_addrinfo *}, to be freed with {@code rdma_freeaddrinfo}
     * @return 0, or -1
     */
    public static int rdma_query_addrinfo(CapturedErrno errno, MemorySegment id, MemorySegment info) {
        MemorySegment function = Release.ofLibrdmacm("rdma_query_addrinfo", 60);
        try {
            return (int) RdmaQueryAddrinfo.HANDLE.invokeExact(function, errno.state(), id, info);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RdmaWriteCmEvent {
        static final MethodHandle HANDLE =
                Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_POINTER, C_INT, C_INT, C_LONG));
    }

    /**
     * {@code rdma_write_cm_event}, of rdma-core 60: puts an event of the user's own into the channel.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param event {@code RDMA_CM_EVENT_USER}
     * @param status of the event
     * @param arg of the event
     * @return 0, or -1
     */
    public static int rdma_write_cm_event(CapturedErrno errno, MemorySegment id, int event, int status, long arg) {
        MemorySegment function = Release.ofLibrdmacm("rdma_write_cm_event", 60);
        try {
            return (int) RdmaWriteCmEvent.HANDLE.invokeExact(function, errno.state(), id, event, status, arg);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RepollCreate {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_INT));
    }

    /**
     * {@code repoll_create}, of rdma-core 61: as {@code epoll_create1} for rsockets.
     *
     * @param errno receives errno
     * @param flags as of {@code epoll_create1}
     * @return a descriptor for the two others, or -1
     */
    public static int repoll_create(CapturedErrno errno, int flags) {
        MemorySegment function = Release.ofLibrdmacm("repoll_create", 61);
        try {
            return (int) RepollCreate.HANDLE.invokeExact(function, errno.state(), flags);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RepollCtl {
        static final MethodHandle HANDLE =
                Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT, C_POINTER));
    }

    /**
     * {@code repoll_ctl}, of rdma-core 61: as {@code epoll_ctl} for rsockets.
     *
     * @param errno receives errno
     * @param epfd from {@link #repoll_create}
     * @param op as of {@code epoll_ctl}
     * @param fd the socket
     * @param event {@code struct epoll_event *}
     * @return 0, or -1
     */
    public static int repoll_ctl(CapturedErrno errno, int epfd, int op, int fd, MemorySegment event) {
        MemorySegment function = Release.ofLibrdmacm("repoll_ctl", 61);
        try {
            return (int) RepollCtl.HANDLE.invokeExact(function, errno.state(), epfd, op, fd, event);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class RepollWait {
        static final MethodHandle HANDLE =
                Calls.linkWithErrno(FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_INT, C_INT));
    }

    /**
     * {@code repoll_wait}, of rdma-core 61: as {@code epoll_wait} for rsockets.
     *
     * @param errno receives errno
     * @param epfd from {@link #repoll_create}
     * @param events array of {@code struct epoll_event} to fill
     * @param maxevents its length
     * @param timeout milliseconds, -1 for ever
     * @return how many were written, or -1
     */
    public static int repoll_wait(CapturedErrno errno, int epfd, MemorySegment events, int maxevents, int timeout) {
        MemorySegment function = Release.ofLibrdmacm("repoll_wait", 61);
        try {
            return (int) RepollWait.HANDLE.invokeExact(function, errno.state(), epfd, events, maxevents, timeout);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
