package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions that {@code infiniband/verbs.h} defines {@code static inline} or renames by a macro, by their C names and
 * with the header's semantics rather than those of the frozen compatibility symbols of the same name: ports and GIDs,
 * ordinary registration, posting and polling. A function that the provider left out fails with {@code EOPNOTSUPP}, where C would
 * call the NULL.
 *
 * <p>Call {@link NativeLibrary#open()} first: it explains a missing library.
 */
public final class InlineVerbs {
    /** What {@code IBV_ACCESS_OPTIONAL_RANGE} holds: bits that an old kernel may ignore. */
    private static final int ACCESS_OPTIONAL_RANGE = verbs4j_h.IBV_ACCESS_OPTIONAL_RANGE();

    private static final MethodHandle QUERY_PORT =
            Calls.link(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS, JAVA_LONG));

    private InlineVerbs() {}

    /**
     * {@code ibv_query_port}: through the context's own function, else through the compatibility symbol, which fills
     * fewer fields.
     *
     * @param context {@code struct ibv_context *}
     * @param port_num port number, from 1
     * @param port_attr {@code struct ibv_port_attr} to fill
     * @return 0 or an errno
     */
    public static int ibv_query_port(MemorySegment context, byte port_num, MemorySegment port_attr) {
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.query_port$offset());
        if (function.address() == 0) {
            Pointers.segment(port_attr, ibv_port_attr.sizeof()).fill((byte) 0);
            return verbs_h.ibv_query_port(context, port_num, port_attr);
        }
        try {
            return (int) QUERY_PORT.invokeExact(function, context, port_num, port_attr, ibv_port_attr.sizeof());
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_query_gid_ex}: one row of the GID table with its type.
     *
     * @param context {@code struct ibv_context *}
     * @param port_num port number, from 1
     * @param gid_index row, from 0
     * @param entry {@code struct ibv_gid_entry} to fill
     * @param flags 0
     * @return 0 or an errno, ENODATA for an empty row
     */
    public static int ibv_query_gid_ex(
            MemorySegment context, int port_num, int gid_index, MemorySegment entry, int flags) {
        return verbs_h._ibv_query_gid_ex(context, port_num, gid_index, entry, flags, ibv_gid_entry.sizeof());
    }

    /**
     * {@code ibv_query_gid_table}: all filled rows of all ports.
     *
     * @param context {@code struct ibv_context *}
     * @param entries array of {@code struct ibv_gid_entry} to fill
     * @param max_entries its length in entries
     * @param flags 0
     * @return how many were written, or a negative errno
     */
    public static long ibv_query_gid_table(MemorySegment context, MemorySegment entries, long max_entries, int flags) {
        return verbs_h._ibv_query_gid_table(context, entries, max_entries, flags, ibv_gid_entry.sizeof());
    }

    /**
     * {@code ibv_reg_mr}: the macro, which takes optional access flags too; an old kernel then ignores those.
     *
     * @param errno receives errno
     * @param pd {@code struct ibv_pd *}
     * @param addr first byte
     * @param length bytes
     * @param access bits of {@code ibv_access_flags}
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment ibv_reg_mr(
            CapturedErrno errno, MemorySegment pd, MemorySegment addr, long length, int access) {
        return ErrnoVerbs.ibv_reg_mr_iova2(errno, pd, addr, length, addr.address(), access);
    }

    /**
     * {@return whether any of the bits is optional: ignored by a kernel that does not know it}
     *
     * @param access bits of {@code ibv_access_flags}
     */
    public static boolean isOptionalAccess(int access) {
        return (access & ACCESS_OPTIONAL_RANGE) != 0;
    }

    /**
     * {@code ibv_post_send}.
     *
     * @param qp {@code struct ibv_qp *}
     * @param wr first {@code struct ibv_send_wr} of the chain
     * @param bad_wr pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int ibv_post_send(MemorySegment qp, MemorySegment wr, MemorySegment bad_wr) {
        return post(DataPath.postSend(ContextOps.of(qp)), qp, wr, bad_wr);
    }

    /**
     * {@code ibv_post_recv}.
     *
     * @param qp {@code struct ibv_qp *}
     * @param wr first {@code struct ibv_recv_wr} of the chain
     * @param bad_wr pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int ibv_post_recv(MemorySegment qp, MemorySegment wr, MemorySegment bad_wr) {
        return post(DataPath.postReceive(ContextOps.of(qp)), qp, wr, bad_wr);
    }

    private static int post(MemorySegment function, MemorySegment qp, MemorySegment wr, MemorySegment bad_wr) {
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : DataPath.post(function, qp.address(), wr.address(), bad_wr.address());
    }

    /**
     * {@code ibv_poll_cq}.
     *
     * @param cq {@code struct ibv_cq *}
     * @param num_entries room in the array
     * @param wc array of {@code struct ibv_wc}
     * @return how many were written, or a negative number
     */
    public static int ibv_poll_cq(MemorySegment cq, int num_entries, MemorySegment wc) {
        MemorySegment function = DataPath.pollCompletionQueue(ContextOps.of(cq));
        return function.address() == 0
                ? -ContextOps.EOPNOTSUPP
                : DataPath.poll(function, cq.address(), num_entries, wc.address());
    }

    /**
     * {@code ibv_req_notify_cq}.
     *
     * @param cq {@code struct ibv_cq *}
     * @param solicited_only 0 for any completion, else for solicited receives and failures only
     * @return 0 or an errno
     */
    public static int ibv_req_notify_cq(MemorySegment cq, int solicited_only) {
        MemorySegment function = Notification.function(ContextOps.of(cq));
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : Notification.request(function, cq.address(), solicited_only);
    }
}
