package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Questions to a device that {@code infiniband/verbs.h} answers inline or with errno, and its arithmetic, by the C names.
 */
public final class QueryVerbs {
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;

    private static final int LOW_LABEL = 0x03fff;
    private static final int HIGH_LABEL = 0xfc000;
    private static final int HIGH_LABEL_SHIFT = 14;
    private static final int LEAST_PORT = 0xc000;

    private QueryVerbs() {}

    /**
     * {@code ibv_query_device_ex}: where library or provider does not know it, what {@code ibv_query_device} tells, and
     * zeros.
     *
     * @param context {@code struct ibv_context *}
     * @param input {@code struct ibv_query_device_ex_input *} with a comp_mask of 0, or NULL
     * @param attr {@code struct ibv_device_attr_ex} to fill
     * @return 0 or an errno
     */
    public static int ibv_query_device_ex(MemorySegment context, MemorySegment input, MemorySegment attr) {
        if (input.address() != 0
                && ibv_query_device_ex_input.comp_mask(Pointers.segment(input, ibv_query_device_ex_input.sizeof()))
                        != 0) {
            return EINVAL;
        }
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.query_device_ex$offset());
        int result = function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.query_device_ex.invoke(function, context, input, attr, ibv_device_attr_ex.sizeof());
        if (result != ContextOps.EOPNOTSUPP && result != ENOSYS) {
            return result;
        }
        MemorySegment attributes = Pointers.segment(attr, ibv_device_attr_ex.sizeof());
        attributes.fill((byte) 0);
        return verbs_h.ibv_query_device(context, ibv_device_attr_ex.orig_attr(attributes));
    }

    /**
     * {@code ibv_query_rt_values_ex}: the device's clock. EOPNOTSUPP where library or provider does not know it.
     *
     * @param context {@code struct ibv_context *}
     * @param values {@code struct ibv_values_ex} that says in its comp_mask what to fill
     * @return 0 or an errno
     */
    public static int ibv_query_rt_values_ex(MemorySegment context, MemorySegment values) {
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.query_rt_values$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.query_rt_values.invoke(function, context, values);
    }

    private static final class IbvQueryGid {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_query_gid", FunctionDescriptor.of(C_INT, C_POINTER, C_CHAR, C_INT, C_POINTER));
    }

    /**
     * {@code ibv_query_gid} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param port_num from 1
     * @param index from 0
     * @param gid {@code union ibv_gid} to fill
     * @return 0, or -1
     */
    public static int ibv_query_gid(
            CapturedErrno errno, MemorySegment context, byte port_num, int index, MemorySegment gid) {
        try {
            return (int) IbvQueryGid.HANDLE.invokeExact(errno.state(), context, port_num, index, gid);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvGetPkeyIndex {
        static final MethodHandle HANDLE =
                ErrnoVerbs.link("ibv_get_pkey_index", FunctionDescriptor.of(C_INT, C_POINTER, C_CHAR, C_SHORT));
    }

    /**
     * {@code ibv_get_pkey_index} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param port_num from 1
     * @param pkey 16 bits, big-endian
     * @return the index, or -1
     */
    public static int ibv_get_pkey_index(CapturedErrno errno, MemorySegment context, byte port_num, short pkey) {
        try {
            return (int) IbvGetPkeyIndex.HANDLE.invokeExact(errno.state(), context, port_num, pkey);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_is_qpt_supported}: whether a mask of queue pair types, as {@code ibv_odp_caps} or {@code ibv_tso_caps} have
     * one, holds a type.
     *
     * @param caps the mask
     * @param qpt a value of {@code ibv_qp_type}
     * @return 1 if it does, else 0
     */
    public static int ibv_is_qpt_supported(int caps, int qpt) {
        return (caps >>> qpt) & 1;
    }

    /**
     * {@code ibv_flow_label_to_udp_sport}: the source port that RoCEv2 packets of a flow have.
     *
     * @param fl flow label, 20 bits
     * @return the port, as 16 bits in host order
     */
    public static short ibv_flow_label_to_udp_sport(int fl) {
        int low = (fl & LOW_LABEL) ^ ((fl & HIGH_LABEL) >>> HIGH_LABEL_SHIFT);
        return (short) (low | LEAST_PORT);
    }
}
