package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.C_INT;
import static io.github.verbs4j.ffi.verbs4j_h.C_LONG;
import static io.github.verbs4j.ffi.verbs4j_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Sockets over RDMA of {@code rdma/rsocket.h}, by the C names and with errno: made, connected, asked and closed;
 * {@link RsocketDataVerbs} has what moves data.
 *
 * <p>Call {@link NativeLibrary#open()} of {@link NativeLibrary#librdmacm()} first: it explains a missing library.
 */
public final class RsocketVerbs {
    private RsocketVerbs() {}

    private static final class Rsocket {
        static final MethodHandle HANDLE = CmIdVerbs.link("rsocket", FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT));
    }

    /**
     * {@code rsocket} with errno.
     *
     * @param errno receives errno
     * @param domain {@code AF_INET} or {@code AF_INET6}
     * @param type {@code SOCK_STREAM} or {@code SOCK_DGRAM}
     * @param protocol 0
     * @return a number for the other functions, or -1
     */
    public static int rsocket(CapturedErrno errno, int domain, int type, int protocol) {
        try {
            return (int) Rsocket.HANDLE.invokeExact(errno.state(), domain, type, protocol);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rbind {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rbind", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rbind} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param addr {@code struct sockaddr *}
     * @param addrlen its length in bytes
     * @return 0, or -1
     */
    public static int rbind(CapturedErrno errno, int socket, MemorySegment addr, int addrlen) {
        try {
            return (int) Rbind.HANDLE.invokeExact(errno.state(), socket, addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rlisten {
        static final MethodHandle HANDLE = CmIdVerbs.link("rlisten", FunctionDescriptor.of(C_INT, C_INT, C_INT));
    }

    /**
     * {@code rlisten} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param backlog connections that may wait
     * @return 0, or -1
     */
    public static int rlisten(CapturedErrno errno, int socket, int backlog) {
        try {
            return (int) Rlisten.HANDLE.invokeExact(errno.state(), socket, backlog);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Raccept {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("raccept", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code raccept} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param addr {@code struct sockaddr *} to fill, or NULL
     * @param addrlen int: the room, then the length
     * @return another socket, or -1
     */
    public static int raccept(CapturedErrno errno, int socket, MemorySegment addr, MemorySegment addrlen) {
        try {
            return (int) Raccept.HANDLE.invokeExact(errno.state(), socket, addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rconnect {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rconnect", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rconnect} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param addr {@code struct sockaddr *}
     * @param addrlen its length in bytes
     * @return 0, or -1
     */
    public static int rconnect(CapturedErrno errno, int socket, MemorySegment addr, int addrlen) {
        try {
            return (int) Rconnect.HANDLE.invokeExact(errno.state(), socket, addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rshutdown {
        static final MethodHandle HANDLE = CmIdVerbs.link("rshutdown", FunctionDescriptor.of(C_INT, C_INT, C_INT));
    }

    /**
     * {@code rshutdown} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param how {@code SHUT_RD}, {@code SHUT_WR} or {@code SHUT_RDWR}
     * @return 0, or -1
     */
    public static int rshutdown(CapturedErrno errno, int socket, int how) {
        try {
            return (int) Rshutdown.HANDLE.invokeExact(errno.state(), socket, how);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rclose {
        static final MethodHandle HANDLE = CmIdVerbs.link("rclose", FunctionDescriptor.of(C_INT, C_INT));
    }

    /**
     * {@code rclose} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @return 0, or -1
     */
    public static int rclose(CapturedErrno errno, int socket) {
        try {
            return (int) Rclose.HANDLE.invokeExact(errno.state(), socket);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rpoll {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rpoll", FunctionDescriptor.of(C_INT, C_POINTER, C_LONG, C_INT));
    }

    /**
     * {@code rpoll} with errno.
     *
     * @param errno receives errno
     * @param fds array of {@code struct pollfd}
     * @param nfds its length
     * @param timeout milliseconds, -1 for ever
     * @return how many are ready, or -1
     */
    public static int rpoll(CapturedErrno errno, MemorySegment fds, long nfds, int timeout) {
        try {
            return (int) Rpoll.HANDLE.invokeExact(errno.state(), fds, nfds, timeout);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rselect {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rselect", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code rselect} with errno.
     *
     * @param errno receives errno
     * @param nfds the highest socket plus one
     * @param readfds {@code fd_set *}, or NULL
     * @param writefds {@code fd_set *}, or NULL
     * @param exceptfds {@code fd_set *}, or NULL
     * @param timeout {@code struct timeval *}, or NULL for ever
     * @return how many are ready, or -1
     */
    public static int rselect(
            CapturedErrno errno,
            int nfds,
            MemorySegment readfds,
            MemorySegment writefds,
            MemorySegment exceptfds,
            MemorySegment timeout) {
        try {
            return (int) Rselect.HANDLE.invokeExact(errno.state(), nfds, readfds, writefds, exceptfds, timeout);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rgetpeername {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rgetpeername", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rgetpeername} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param addr {@code struct sockaddr *} to fill, or NULL
     * @param addrlen int: the room, then the length
     * @return 0, or -1
     */
    public static int rgetpeername(CapturedErrno errno, int socket, MemorySegment addr, MemorySegment addrlen) {
        try {
            return (int) Rgetpeername.HANDLE.invokeExact(errno.state(), socket, addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rgetsockname {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rgetsockname", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rgetsockname} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param addr {@code struct sockaddr *} to fill, or NULL
     * @param addrlen int: the room, then the length
     * @return 0, or -1
     */
    public static int rgetsockname(CapturedErrno errno, int socket, MemorySegment addr, MemorySegment addrlen) {
        try {
            return (int) Rgetsockname.HANDLE.invokeExact(errno.state(), socket, addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rsetsockopt {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rsetsockopt", FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rsetsockopt} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param level as of {@code setsockopt}, or {@code SOL_RDMA}
     * @param optname one of that level
     * @param optval its value
     * @param optlen bytes of the value
     * @return 0, or -1
     */
    public static int rsetsockopt(
            CapturedErrno errno, int socket, int level, int optname, MemorySegment optval, int optlen) {
        try {
            return (int) Rsetsockopt.HANDLE.invokeExact(errno.state(), socket, level, optname, optval, optlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rgetsockopt {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rgetsockopt", FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rgetsockopt} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param level as of {@code setsockopt}, or {@code SOL_RDMA}
     * @param optname one of that level
     * @param optval receives its value
     * @param optlen int: the room, then the length
     * @return 0, or -1
     */
    public static int rgetsockopt(
            CapturedErrno errno, int socket, int level, int optname, MemorySegment optval, MemorySegment optlen) {
        try {
            return (int) Rgetsockopt.HANDLE.invokeExact(errno.state(), socket, level, optname, optval, optlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rfcntl {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rfcntl", FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT), Linker.Option.firstVariadicArg(2));
    }

    /**
     * {@code rfcntl} with errno and the one argument of its commands.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param cmd {@code F_GETFL} or {@code F_SETFL}
     * @param arg flags to set
     * @return the flags, 0, or -1
     */
    public static int rfcntl(CapturedErrno errno, int socket, int cmd, int arg) {
        try {
            return (int) Rfcntl.HANDLE.invokeExact(errno.state(), socket, cmd, arg);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
