package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The extended polling of {@code infiniband/verbs.h}, by its C names: {@link #ibv_start_poll}; if it returned 0, read the
 * completion, {@link #ibv_next_poll} for each further one, and {@link #ibv_end_poll}. The queue is a {@code struct
 * ibv_cq_ex *} from {@link CreatorVerbs#ibv_create_cq_ex}.
 *
 * <p>From a start that returned 0 to the end the provider may hold the lock of the completion queue. So one thread makes
 * all calls of a section, without waiting for another one in between and, if it is virtual, without unmounting; an exception
 * in between, those of this class too, must lead to the end. <strong>Never use {@link DataPath#pollCritical} on such a
 * queue:</strong> the virtual machine may stop this thread inside of the section, and then waits for ever for the one that
 * spins for the lock in the critical call.
 *
 * <p>Of a failed completion only {@link #wr_id}, {@link #status}, the queue pair's number and the vendor's error exist.
 *
 * <p>A function that the provider left out for this queue throws UnsupportedOperationException.
 */
public final class ExtendedPolling {
    private static final String REMEDY = "create the completion queue by ibv_create_cq_ex with this field among"
            + " wc_flags; if it was, its provider does not offer the function";

    private static final MutexMember STATUS = member("status", ibv_cq_ex.status$offset());
    private static final MutexMember WR_ID = member("wr_id", ibv_cq_ex.wr_id$offset());
    private static final MutexMember START_POLL = member("start_poll", ibv_cq_ex.start_poll$offset());
    private static final MutexMember NEXT_POLL = member("next_poll", ibv_cq_ex.next_poll$offset());
    private static final MutexMember END_POLL = member("end_poll", ibv_cq_ex.end_poll$offset());
    private static final MutexMember READ_OPCODE = member("read_opcode", ibv_cq_ex.read_opcode$offset());
    private static final MutexMember READ_VENDOR_ERR = member("read_vendor_err", ibv_cq_ex.read_vendor_err$offset());
    private static final MutexMember READ_WC_FLAGS = member("read_wc_flags", ibv_cq_ex.read_wc_flags$offset());
    private static final MutexMember READ_BYTE_LEN = member("read_byte_len", ibv_cq_ex.read_byte_len$offset());
    private static final MutexMember READ_IMM_DATA = member("read_imm_data", ibv_cq_ex.read_imm_data$offset());
    private static final MutexMember READ_QP_NUM = member("read_qp_num", ibv_cq_ex.read_qp_num$offset());
    private static final MutexMember READ_SRC_QP = member("read_src_qp", ibv_cq_ex.read_src_qp$offset());
    private static final MutexMember READ_SLID = member("read_slid", ibv_cq_ex.read_slid$offset());
    private static final MutexMember READ_SL = member("read_sl", ibv_cq_ex.read_sl$offset());
    private static final MutexMember READ_DLID_PATH_BITS =
            member("read_dlid_path_bits", ibv_cq_ex.read_dlid_path_bits$offset());
    private static final MutexMember READ_COMPLETION_TS =
            member("read_completion_ts", ibv_cq_ex.read_completion_ts$offset());
    private static final MutexMember READ_COMPLETION_WALLCLOCK_NS =
            member("read_completion_wallclock_ns", ibv_cq_ex.read_completion_wallclock_ns$offset());
    private static final MutexMember READ_CVLAN = member("read_cvlan", ibv_cq_ex.read_cvlan$offset());
    private static final MutexMember READ_FLOW_TAG = member("read_flow_tag", ibv_cq_ex.read_flow_tag$offset());
    private static final MutexMember READ_TM_INFO = member("read_tm_info", ibv_cq_ex.read_tm_info$offset());

    private ExtendedPolling() {}

    /**
     * {@code ibv_cq_ex_to_cq}: the same queue for the functions that take any completion queue.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return {@code struct ibv_cq *}
     */
    public static MemorySegment ibv_cq_ex_to_cq(MemorySegment cq) {
        return cq;
    }

    /**
     * {@code ibv_start_poll}: begins a section that stands at the first completion.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @param attr {@code struct ibv_poll_cq_attr *} with a comp_mask of 0
     * @return 0; ENOENT if the queue is empty or another errno, and then there is no section to end
     */
    public static int ibv_start_poll(MemorySegment cq, MemorySegment attr) {
        return ibv_cq_ex.start_poll.invoke(function(cq, "ibv_start_poll", START_POLL), cq, attr);
    }

    /**
     * {@code ibv_next_poll}: goes to the next completion.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return 0; ENOENT if there is none or another errno, and then the section is still to be ended
     */
    public static int ibv_next_poll(MemorySegment cq) {
        return ibv_cq_ex.next_poll.invoke(function(cq, "ibv_next_poll", NEXT_POLL), cq);
    }

    /**
     * {@code ibv_end_poll}: ends the section; nothing can be read any more.
     *
     * @param cq {@code struct ibv_cq_ex *}
     */
    public static void ibv_end_poll(MemorySegment cq) {
        ibv_cq_ex.end_poll.invoke(function(cq, "ibv_end_poll", END_POLL), cq);
    }

    /**
     * {@code cq->wr_id}: of the request that completed.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the request's 64 bits
     */
    public static long wr_id(MemorySegment cq) {
        return WR_ID.in(cq).get(JAVA_LONG, 0);
    }

    /**
     * {@code cq->status}: how it completed.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return a value of {@code ibv_wc_status}
     */
    public static int status(MemorySegment cq) {
        return STATUS.in(cq).get(JAVA_INT, 0);
    }

    /**
     * {@code ibv_wc_read_opcode}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return a value of {@code ibv_wc_opcode}
     */
    public static int ibv_wc_read_opcode(MemorySegment cq) {
        return ibv_cq_ex.read_opcode.invoke(function(cq, "ibv_wc_read_opcode", READ_OPCODE), cq);
    }

    /**
     * {@code ibv_wc_read_vendor_err}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return what the vendor says about a failure
     */
    public static int ibv_wc_read_vendor_err(MemorySegment cq) {
        return ibv_cq_ex.read_vendor_err.invoke(function(cq, "ibv_wc_read_vendor_err", READ_VENDOR_ERR), cq);
    }

    /**
     * {@code ibv_wc_read_wc_flags}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return bits of {@code ibv_wc_flags}, which tell what else there is to read
     */
    public static int ibv_wc_read_wc_flags(MemorySegment cq) {
        return ibv_cq_ex.read_wc_flags.invoke(function(cq, "ibv_wc_read_wc_flags", READ_WC_FLAGS), cq);
    }

    /**
     * {@code ibv_wc_read_byte_len}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return bytes received or read
     */
    public static int ibv_wc_read_byte_len(MemorySegment cq) {
        return ibv_cq_ex.read_byte_len.invoke(function(cq, "ibv_wc_read_byte_len", READ_BYTE_LEN), cq);
    }

    /**
     * {@code ibv_wc_read_imm_data}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the peer's 32 bits, big-endian, if the flags say {@code IBV_WC_WITH_IMM}
     */
    public static int ibv_wc_read_imm_data(MemorySegment cq) {
        return ibv_cq_ex.read_imm_data.invoke(function(cq, "ibv_wc_read_imm_data", READ_IMM_DATA), cq);
    }

    /**
     * {@code ibv_wc_read_invalidated_rkey}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the key that the peer invalidated, if the flags say {@code IBV_WC_WITH_INV}
     */
    public static int ibv_wc_read_invalidated_rkey(MemorySegment cq) {
        return ibv_cq_ex.read_imm_data.invoke(function(cq, "ibv_wc_read_invalidated_rkey", READ_IMM_DATA), cq);
    }

    /**
     * {@code ibv_wc_read_qp_num}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the number of the queue pair
     */
    public static int ibv_wc_read_qp_num(MemorySegment cq) {
        return ibv_cq_ex.read_qp_num.invoke(function(cq, "ibv_wc_read_qp_num", READ_QP_NUM), cq);
    }

    /**
     * {@code ibv_wc_read_src_qp}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the number of the sender's queue pair, of a datagram
     */
    public static int ibv_wc_read_src_qp(MemorySegment cq) {
        return ibv_cq_ex.read_src_qp.invoke(function(cq, "ibv_wc_read_src_qp", READ_SRC_QP), cq);
    }

    /**
     * {@code ibv_wc_read_slid}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the sender's local identifier, of a datagram on InfiniBand
     */
    public static int ibv_wc_read_slid(MemorySegment cq) {
        return ibv_cq_ex.read_slid.invoke(function(cq, "ibv_wc_read_slid", READ_SLID), cq);
    }

    /**
     * {@code ibv_wc_read_sl}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the service level, of a datagram
     */
    public static byte ibv_wc_read_sl(MemorySegment cq) {
        return ibv_cq_ex.read_sl.invoke(function(cq, "ibv_wc_read_sl", READ_SL), cq);
    }

    /**
     * {@code ibv_wc_read_dlid_path_bits}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the low bits of the local identifier that a datagram was sent to
     */
    public static byte ibv_wc_read_dlid_path_bits(MemorySegment cq) {
        return ibv_cq_ex.read_dlid_path_bits.invoke(
                function(cq, "ibv_wc_read_dlid_path_bits", READ_DLID_PATH_BITS), cq);
    }

    /**
     * {@code ibv_wc_read_completion_ts}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return when it completed, in ticks of the device's clock
     */
    public static long ibv_wc_read_completion_ts(MemorySegment cq) {
        return ibv_cq_ex.read_completion_ts.invoke(function(cq, "ibv_wc_read_completion_ts", READ_COMPLETION_TS), cq);
    }

    /**
     * {@code ibv_wc_read_completion_wallclock_ns}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return when it completed, in nanoseconds since 1970
     */
    public static long ibv_wc_read_completion_wallclock_ns(MemorySegment cq) {
        return ibv_cq_ex.read_completion_wallclock_ns.invoke(
                function(cq, "ibv_wc_read_completion_wallclock_ns", READ_COMPLETION_WALLCLOCK_NS), cq);
    }

    /**
     * {@code ibv_wc_read_cvlan}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the VLAN tag of a raw packet
     */
    public static short ibv_wc_read_cvlan(MemorySegment cq) {
        return ibv_cq_ex.read_cvlan.invoke(function(cq, "ibv_wc_read_cvlan", READ_CVLAN), cq);
    }

    /**
     * {@code ibv_wc_read_flow_tag}.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @return the tag of the flow rule that a raw packet met
     */
    public static int ibv_wc_read_flow_tag(MemorySegment cq) {
        return ibv_cq_ex.read_flow_tag.invoke(function(cq, "ibv_wc_read_flow_tag", READ_FLOW_TAG), cq);
    }

    /**
     * {@code ibv_wc_read_tm_info}: what tag matching says.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @param tm_info {@code struct ibv_wc_tm_info} to fill
     */
    public static void ibv_wc_read_tm_info(MemorySegment cq, MemorySegment tm_info) {
        ibv_cq_ex.read_tm_info.invoke(function(cq, "ibv_wc_read_tm_info", READ_TM_INFO), cq, tm_info);
    }

    private static MutexMember member(String name, long offset) {
        return MutexMember.behind("ibv_cq_ex", name, offset);
    }

    private static MemorySegment function(MemorySegment cq, String caller, MutexMember member) {
        return member.function(cq, caller, REMEDY);
    }
}
