package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Address handles of {@code infiniband/verbs.h}, by the C names and with errno. They are destroyed by
 * {@code ibv_destroy_ah}, which returns an errno.
 */
public final class AddressVerbs {
    private AddressVerbs() {}

    private static final class IbvCreateAh {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_create_ah", FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_create_ah} with errno.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param attr {@code struct ibv_ah_attr *}
     * @return {@code struct ibv_ah *}, or NULL
     */
    public static MemorySegment ibv_create_ah(CapturedErrno errno, MemorySegment pd, MemorySegment attr) {
        try {
            return (MemorySegment) IbvCreateAh.HANDLE.invokeExact(errno.state(), pd, attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCreateAhFromWc {
        static final MethodHandle HANDLE = ErrnoVerbs.link(
                "ibv_create_ah_from_wc", FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER, C_POINTER, C_CHAR));
    }

    /**
     * {@code ibv_create_ah_from_wc} with errno: of the sender of a datagram.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param wc {@code struct ibv_wc *} of a received datagram
     * @param grh {@code struct ibv_grh *}, its first 40 bytes, which are looked at only if the completion says so
     * @param port_num from 1
     * @return {@code struct ibv_ah *}, or NULL
     */
    public static MemorySegment ibv_create_ah_from_wc(
            CapturedErrno errno, MemorySegment pd, MemorySegment wc, MemorySegment grh, byte port_num) {
        try {
            return (MemorySegment) IbvCreateAhFromWc.HANDLE.invokeExact(errno.state(), pd, wc, grh, port_num);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvInitAhFromWc {
        static final MethodHandle HANDLE = ErrnoVerbs.link(
                "ibv_init_ah_from_wc",
                FunctionDescriptor.of(C_INT, C_POINTER, C_CHAR, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_init_ah_from_wc} with errno: the address of the sender of a datagram.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param port_num from 1
     * @param wc {@code struct ibv_wc *} of a received datagram
     * @param grh {@code struct ibv_grh *}, its first 40 bytes, which are looked at only if the completion says so
     * @param ah_attr {@code struct ibv_ah_attr} to fill
     * @return 0, or -1
     */
    public static int ibv_init_ah_from_wc(
            CapturedErrno errno,
            MemorySegment context,
            byte port_num,
            MemorySegment wc,
            MemorySegment grh,
            MemorySegment ah_attr) {
        try {
            return (int) IbvInitAhFromWc.HANDLE.invokeExact(errno.state(), context, port_num, wc, grh, ah_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
