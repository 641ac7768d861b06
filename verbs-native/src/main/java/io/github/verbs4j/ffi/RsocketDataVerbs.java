package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.C_INT;
import static io.github.verbs4j.ffi.verbs4j_h.C_LONG;
import static io.github.verbs4j.ffi.verbs4j_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What moves data over sockets of {@link RsocketVerbs}, by the C names and with errno.
 *
 * <p>Call {@link NativeLibrary#open()} of {@link NativeLibrary#librdmacm()} first: it explains a missing library.
 */
public final class RsocketDataVerbs {
    private RsocketDataVerbs() {}

    private static final class Rrecv {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rrecv", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG, C_INT));
    }

    /**
     * {@code rrecv} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf where to put them
     * @param len bytes at most
     * @param flags as of the socket function of this name without the r
     * @return bytes received, 0 at the end, or -1
     */
    public static long rrecv(CapturedErrno errno, int socket, MemorySegment buf, long len, int flags) {
        try {
            return (long) Rrecv.HANDLE.invokeExact(errno.state(), socket, buf, len, flags);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rrecvfrom {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rrecvfrom", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code rrecvfrom} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf where to put them
     * @param len bytes at most
     * @param flags as of the socket function of this name without the r
     * @param src_addr {@code struct sockaddr *} to fill, or NULL
     * @param addrlen int: the room, then the length
     * @return bytes received, 0 at the end, or -1
     */
    public static long rrecvfrom(
            CapturedErrno errno,
            int socket,
            MemorySegment buf,
            long len,
            int flags,
            MemorySegment src_addr,
            MemorySegment addrlen) {
        try {
            return (long) Rrecvfrom.HANDLE.invokeExact(errno.state(), socket, buf, len, flags, src_addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rrecvmsg {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rrecvmsg", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rrecvmsg} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param msg {@code struct msghdr *}
     * @param flags as of the socket function of this name without the r
     * @return bytes received, 0 at the end, or -1
     */
    public static long rrecvmsg(CapturedErrno errno, int socket, MemorySegment msg, int flags) {
        try {
            return (long) Rrecvmsg.HANDLE.invokeExact(errno.state(), socket, msg, flags);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rsend {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rsend", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG, C_INT));
    }

    /**
     * {@code rsend} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf the first byte
     * @param len bytes at most
     * @param flags as of the socket function of this name without the r
     * @return bytes sent, or -1
     */
    public static long rsend(CapturedErrno errno, int socket, MemorySegment buf, long len, int flags) {
        try {
            return (long) Rsend.HANDLE.invokeExact(errno.state(), socket, buf, len, flags);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rsendto {
        static final MethodHandle HANDLE = CmIdVerbs.link(
                "rsendto", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rsendto} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf the first byte
     * @param len bytes at most
     * @param flags as of the socket function of this name without the r
     * @param dest_addr {@code struct sockaddr *}
     * @param addrlen its length in bytes
     * @return bytes sent, or -1
     */
    public static long rsendto(
            CapturedErrno errno,
            int socket,
            MemorySegment buf,
            long len,
            int flags,
            MemorySegment dest_addr,
            int addrlen) {
        try {
            return (long) Rsendto.HANDLE.invokeExact(errno.state(), socket, buf, len, flags, dest_addr, addrlen);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rsendmsg {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rsendmsg", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rsendmsg} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param msg {@code struct msghdr *}
     * @param flags as of the socket function of this name without the r
     * @return bytes sent, or -1
     */
    public static long rsendmsg(CapturedErrno errno, int socket, MemorySegment msg, int flags) {
        try {
            return (long) Rsendmsg.HANDLE.invokeExact(errno.state(), socket, msg, flags);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rread {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rread", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code rread} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf where to put them
     * @param count bytes at most
     * @return bytes received, 0 at the end, or -1
     */
    public static long rread(CapturedErrno errno, int socket, MemorySegment buf, long count) {
        try {
            return (long) Rread.HANDLE.invokeExact(errno.state(), socket, buf, count);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rreadv {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rreadv", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rreadv} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param iov array of {@code struct iovec}
     * @param iovcnt its length
     * @return bytes received, 0 at the end, or -1
     */
    public static long rreadv(CapturedErrno errno, int socket, MemorySegment iov, int iovcnt) {
        try {
            return (long) Rreadv.HANDLE.invokeExact(errno.state(), socket, iov, iovcnt);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rwrite {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rwrite", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code rwrite} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf the first byte
     * @param count bytes at most
     * @return bytes sent, or -1
     */
    public static long rwrite(CapturedErrno errno, int socket, MemorySegment buf, long count) {
        try {
            return (long) Rwrite.HANDLE.invokeExact(errno.state(), socket, buf, count);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Rwritev {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("rwritev", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_INT));
    }

    /**
     * {@code rwritev} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param iov array of {@code struct iovec}
     * @param iovcnt its length
     * @return bytes sent, or -1
     */
    public static long rwritev(CapturedErrno errno, int socket, MemorySegment iov, int iovcnt) {
        try {
            return (long) Rwritev.HANDLE.invokeExact(errno.state(), socket, iov, iovcnt);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Riomap {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("riomap", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_INT, C_LONG));
    }

    /**
     * {@code riomap} with errno: lets the peer write into memory.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf the first byte
     * @param len bytes
     * @param prot {@code PROT_READ} or {@code PROT_WRITE}, or both
     * @param flags 0
     * @param offset by which the peer shall name it, or -1 for the address
     * @return the offset, or -1
     */
    public static long riomap(
            CapturedErrno errno, int socket, MemorySegment buf, long len, int prot, int flags, long offset) {
        try {
            return (long) Riomap.HANDLE.invokeExact(errno.state(), socket, buf, len, prot, flags, offset);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Riounmap {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("riounmap", FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code riounmap} with errno.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf as mapped
     * @param len as mapped
     * @return 0, or -1
     */
    public static int riounmap(CapturedErrno errno, int socket, MemorySegment buf, long len) {
        try {
            return (int) Riounmap.HANDLE.invokeExact(errno.state(), socket, buf, len);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class Riowrite {
        static final MethodHandle HANDLE =
                CmIdVerbs.link("riowrite", FunctionDescriptor.of(C_LONG, C_INT, C_POINTER, C_LONG, C_LONG, C_INT));
    }

    /**
     * {@code riowrite} with errno: into memory that the peer mapped.
     *
     * @param errno receives errno
     * @param socket from {@code rsocket} or {@code raccept}
     * @param buf the first byte
     * @param count bytes
     * @param offset as the peer mapped it
     * @param flags as of {@code send}
     * @return bytes sent, or -1
     */
    public static long riowrite(
            CapturedErrno errno, int socket, MemorySegment buf, long count, long offset, int flags) {
        try {
            return (long) Riowrite.HANDLE.invokeExact(errno.state(), socket, buf, count, offset, flags);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
