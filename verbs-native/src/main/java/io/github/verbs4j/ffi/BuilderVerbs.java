package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The {@code ibv_wr_*} builders of {@code infiniband/verbs.h}, by their C names: {@link #ibv_wr_start}, for each request
 * {@link #wr_id}, {@link #wr_flags}, an operation and its data ({@link BuilderDataVerbs}), then {@link #ibv_wr_complete} or
 * {@link #ibv_wr_abort}.
 * The queue pair is a {@code struct ibv_qp_ex *}, as {@code ibv_qp_to_qp_ex} returns it.
 *
 * <p>From start to complete or abort the provider may hold the lock of the queue pair. So one thread makes all calls of a
 * section, without waiting for another one in between and, if it is virtual, without unmounting; an exception in between,
 * those of this class too, must lead to abort. <strong>Never use {@link DataPath#postCritical} on such a queue
 * pair:</strong> the virtual machine may stop this thread inside of the section, and then waits for ever for the one that
 * spins for the lock in the critical call.
 *
 * <p>A function that the provider left out for this queue pair throws UnsupportedOperationException.
 */
public final class BuilderVerbs {
    private static final String REMEDY = "create the queue pair by ibv_create_qp_ex with this operation among"
            + " send_ops_flags; if it was, its provider does not offer the function";

    private static final MutexMember WR_ID = member("wr_id", ibv_qp_ex.wr_id$offset());
    private static final MutexMember WR_FLAGS = member("wr_flags", ibv_qp_ex.wr_flags$offset());
    private static final MutexMember RDMA_READ = member("wr_rdma_read", ibv_qp_ex.wr_rdma_read$offset());
    private static final MutexMember RDMA_WRITE = member("wr_rdma_write", ibv_qp_ex.wr_rdma_write$offset());
    private static final MutexMember RDMA_WRITE_IMM = member("wr_rdma_write_imm", ibv_qp_ex.wr_rdma_write_imm$offset());
    private static final MutexMember SEND = member("wr_send", ibv_qp_ex.wr_send$offset());
    private static final MutexMember SEND_IMM = member("wr_send_imm", ibv_qp_ex.wr_send_imm$offset());
    private static final MutexMember SEND_INV = member("wr_send_inv", ibv_qp_ex.wr_send_inv$offset());
    private static final MutexMember SEND_TSO = member("wr_send_tso", ibv_qp_ex.wr_send_tso$offset());
    private static final MutexMember ATOMIC_CMP_SWP = member("wr_atomic_cmp_swp", ibv_qp_ex.wr_atomic_cmp_swp$offset());
    private static final MutexMember ATOMIC_FETCH_ADD =
            member("wr_atomic_fetch_add", ibv_qp_ex.wr_atomic_fetch_add$offset());
    private static final MutexMember ATOMIC_WRITE = member("wr_atomic_write", ibv_qp_ex.wr_atomic_write$offset());
    private static final MutexMember BIND_MW = member("wr_bind_mw", ibv_qp_ex.wr_bind_mw$offset());
    private static final MutexMember LOCAL_INV = member("wr_local_inv", ibv_qp_ex.wr_local_inv$offset());
    private static final MutexMember START = member("wr_start", ibv_qp_ex.wr_start$offset());
    private static final MutexMember COMPLETE = member("wr_complete", ibv_qp_ex.wr_complete$offset());
    private static final MutexMember ABORT = member("wr_abort", ibv_qp_ex.wr_abort$offset());

    private BuilderVerbs() {}

    /**
     * {@code qp->wr_id = id}: of the requests that follow.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param id any 64 bits
     */
    public static void wr_id(MemorySegment qp, long id) {
        WR_ID.in(qp).set(JAVA_LONG, 0, id);
    }

    /**
     * {@code qp->wr_flags = flags}: of the requests that follow.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param flags bits of {@code ibv_send_flags}; Soft-RoCE needs {@code IBV_SEND_INLINE} for inline data, which other
     *     providers take from the setter
     */
    public static void wr_flags(MemorySegment qp, int flags) {
        WR_FLAGS.in(qp).set(JAVA_INT, 0, flags);
    }

    /**
     * {@code ibv_wr_start}: begins a section.
     *
     * @param qp {@code struct ibv_qp_ex *}
     */
    public static void ibv_wr_start(MemorySegment qp) {
        ibv_qp_ex.wr_start.invoke(function(qp, "ibv_wr_start", START), qp);
    }

    /**
     * {@code ibv_wr_complete}: ends the section and posts its requests, all or none.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @return 0 or the errno of the first function in the section that failed
     */
    public static int ibv_wr_complete(MemorySegment qp) {
        return ibv_qp_ex.wr_complete.invoke(function(qp, "ibv_wr_complete", COMPLETE), qp);
    }

    /**
     * {@code ibv_wr_abort}: ends the section and forgets its requests.
     *
     * @param qp {@code struct ibv_qp_ex *}
     */
    public static void ibv_wr_abort(MemorySegment qp) {
        ibv_qp_ex.wr_abort.invoke(function(qp, "ibv_wr_abort", ABORT), qp);
    }

    /**
     * {@code ibv_wr_rdma_read}: a request to read, into the data set next.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there
     */
    public static void ibv_wr_rdma_read(MemorySegment qp, int rkey, long remote_addr) {
        ibv_qp_ex.wr_rdma_read.invoke(function(qp, "ibv_wr_rdma_read", RDMA_READ), qp, rkey, remote_addr);
    }

    /**
     * {@code ibv_wr_rdma_write}: a request to write the data set next.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there
     */
    public static void ibv_wr_rdma_write(MemorySegment qp, int rkey, long remote_addr) {
        ibv_qp_ex.wr_rdma_write.invoke(function(qp, "ibv_wr_rdma_write", RDMA_WRITE), qp, rkey, remote_addr);
    }

    /**
     * {@code ibv_wr_rdma_write_imm}: a request to write the data set next and to consume a receive of the peer.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there
     * @param imm_data 32 bits, big-endian
     */
    public static void ibv_wr_rdma_write_imm(MemorySegment qp, int rkey, long remote_addr, int imm_data) {
        ibv_qp_ex.wr_rdma_write_imm.invoke(
                function(qp, "ibv_wr_rdma_write_imm", RDMA_WRITE_IMM), qp, rkey, remote_addr, imm_data);
    }

    /**
     * {@code ibv_wr_send}: a request to send the data set next.
     *
     * @param qp {@code struct ibv_qp_ex *}
     */
    public static void ibv_wr_send(MemorySegment qp) {
        ibv_qp_ex.wr_send.invoke(function(qp, "ibv_wr_send", SEND), qp);
    }

    /**
     * {@code ibv_wr_send_imm}: a request to send the data set next and 32 bits.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param imm_data 32 bits, big-endian
     */
    public static void ibv_wr_send_imm(MemorySegment qp, int imm_data) {
        ibv_qp_ex.wr_send_imm.invoke(function(qp, "ibv_wr_send_imm", SEND_IMM), qp, imm_data);
    }

    /**
     * {@code ibv_wr_send_inv}: a request to send the data set next and to invalidate a key of the peer.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param invalidate_rkey the key
     */
    public static void ibv_wr_send_inv(MemorySegment qp, int invalidate_rkey) {
        ibv_qp_ex.wr_send_inv.invoke(function(qp, "ibv_wr_send_inv", SEND_INV), qp, invalidate_rkey);
    }

    /**
     * {@code ibv_wr_send_tso}: a request to send the data set next in segments, each behind a copy of a header.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param hdr the header
     * @param hdr_sz bytes of it
     * @param mss bytes of data in a segment at most
     */
    public static void ibv_wr_send_tso(MemorySegment qp, MemorySegment hdr, short hdr_sz, short mss) {
        ibv_qp_ex.wr_send_tso.invoke(function(qp, "ibv_wr_send_tso", SEND_TSO), qp, hdr, hdr_sz, mss);
    }

    /**
     * {@code ibv_wr_atomic_cmp_swp}: a request to replace the peer's 64 bits if they are what is expected. The old ones come
     * into the data set next.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there, a multiple of 8
     * @param compare what is expected
     * @param swap what replaces it
     */
    public static void ibv_wr_atomic_cmp_swp(MemorySegment qp, int rkey, long remote_addr, long compare, long swap) {
        ibv_qp_ex.wr_atomic_cmp_swp.invoke(
                function(qp, "ibv_wr_atomic_cmp_swp", ATOMIC_CMP_SWP), qp, rkey, remote_addr, compare, swap);
    }

    /**
     * {@code ibv_wr_atomic_fetch_add}: a request to add to the peer's 64 bits. The old ones come into the data set next.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there, a multiple of 8
     * @param add what is added
     */
    public static void ibv_wr_atomic_fetch_add(MemorySegment qp, int rkey, long remote_addr, long add) {
        ibv_qp_ex.wr_atomic_fetch_add.invoke(
                function(qp, "ibv_wr_atomic_fetch_add", ATOMIC_FETCH_ADD), qp, rkey, remote_addr, add);
    }

    /**
     * {@code ibv_wr_atomic_write}: a request to write 64 bits at once. No data is set for it.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there, a multiple of 8
     * @param atomic_wr the 64 bits, copied at once
     * @throws UnsupportedOperationException also if libibverbs is older than rdma-core 44, where the function came
     */
    public static void ibv_wr_atomic_write(MemorySegment qp, int rkey, long remote_addr, MemorySegment atomic_wr) {
        Release.require("ibv_wr_atomic_write", Release.ATOMIC_WRITE);
        ibv_qp_ex.wr_atomic_write.invoke(
                function(qp, "ibv_wr_atomic_write", ATOMIC_WRITE), qp, rkey, remote_addr, atomic_wr);
    }

    /**
     * {@code ibv_wr_bind_mw}: a request to bind a window of type 2.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param mw {@code struct ibv_mw *}
     * @param rkey the window's new key, as from {@link WindowVerbs#ibv_inc_rkey}
     * @param bind_info {@code struct ibv_mw_bind_info *}; Soft-RoCE reads its region without a look, so that a NULL there ends
     *     the virtual machine
     */
    public static void ibv_wr_bind_mw(MemorySegment qp, MemorySegment mw, int rkey, MemorySegment bind_info) {
        ibv_qp_ex.wr_bind_mw.invoke(function(qp, "ibv_wr_bind_mw", BIND_MW), qp, mw, rkey, bind_info);
    }

    /**
     * {@code ibv_wr_local_inv}: a request to invalidate a key of this side.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param invalidate_rkey the key
     */
    public static void ibv_wr_local_inv(MemorySegment qp, int invalidate_rkey) {
        ibv_qp_ex.wr_local_inv.invoke(function(qp, "ibv_wr_local_inv", LOCAL_INV), qp, invalidate_rkey);
    }

    static MutexMember member(String name, long offset) {
        return MutexMember.behind("ibv_qp_ex", name, offset);
    }

    static MemorySegment function(MemorySegment qp, String caller, MutexMember member) {
        return member.function(qp, caller, REMEDY);
    }
}
