package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * The setters {@code ibv_wr_set_*} of {@code infiniband/verbs.h}, by their C names: what the last request of a section of
 * {@link BuilderVerbs} carries, and whom it goes to. The rules of the section hold for them too.
 *
 * <p>A function that the provider left out for this queue pair throws UnsupportedOperationException.
 */
public final class BuilderDataVerbs {
    private static final MutexMember SET_UD_ADDR =
            BuilderVerbs.member("wr_set_ud_addr", ibv_qp_ex.wr_set_ud_addr$offset());
    private static final MutexMember SET_XRC_SRQN =
            BuilderVerbs.member("wr_set_xrc_srqn", ibv_qp_ex.wr_set_xrc_srqn$offset());
    private static final MutexMember SET_INLINE_DATA =
            BuilderVerbs.member("wr_set_inline_data", ibv_qp_ex.wr_set_inline_data$offset());
    private static final MutexMember SET_INLINE_DATA_LIST =
            BuilderVerbs.member("wr_set_inline_data_list", ibv_qp_ex.wr_set_inline_data_list$offset());
    private static final MutexMember SET_SGE = BuilderVerbs.member("wr_set_sge", ibv_qp_ex.wr_set_sge$offset());
    private static final MutexMember SET_SGE_LIST =
            BuilderVerbs.member("wr_set_sge_list", ibv_qp_ex.wr_set_sge_list$offset());

    private BuilderDataVerbs() {}

    /**
     * {@code ibv_wr_set_ud_addr}: the receiver of a datagram.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param ah {@code struct ibv_ah *}
     * @param remote_qpn number of the peer's queue pair
     * @param remote_qkey its key
     */
    public static void ibv_wr_set_ud_addr(MemorySegment qp, MemorySegment ah, int remote_qpn, int remote_qkey) {
        ibv_qp_ex.wr_set_ud_addr.invoke(
                BuilderVerbs.function(qp, "ibv_wr_set_ud_addr", SET_UD_ADDR), qp, ah, remote_qpn, remote_qkey);
    }

    /**
     * {@code ibv_wr_set_xrc_srqn}: the shared receive queue of an extended reliable connection.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param remote_srqn number of the peer's queue
     */
    public static void ibv_wr_set_xrc_srqn(MemorySegment qp, int remote_srqn) {
        ibv_qp_ex.wr_set_xrc_srqn.invoke(
                BuilderVerbs.function(qp, "ibv_wr_set_xrc_srqn", SET_XRC_SRQN), qp, remote_srqn);
    }

    /**
     * {@code ibv_wr_set_inline_data}: the data of the last request, copied at once.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param addr the data
     * @param length bytes, at most the queue pair's {@code max_inline_data}
     */
    public static void ibv_wr_set_inline_data(MemorySegment qp, MemorySegment addr, long length) {
        ibv_qp_ex.wr_set_inline_data.invoke(
                BuilderVerbs.function(qp, "ibv_wr_set_inline_data", SET_INLINE_DATA), qp, addr, length);
    }

    /**
     * {@code ibv_wr_set_sge}: the registered memory of the last request.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param lkey of the memory
     * @param addr where the data starts
     * @param length bytes
     */
    public static void ibv_wr_set_sge(MemorySegment qp, int lkey, long addr, int length) {
        ibv_qp_ex.wr_set_sge.invoke(BuilderVerbs.function(qp, "ibv_wr_set_sge", SET_SGE), qp, lkey, addr, length);
    }

    /**
     * {@code ibv_wr_set_inline_data_list}: as {@link #ibv_wr_set_inline_data}, of several pieces. Soft-RoCE before rdma-core 64
     * forgets to count them: it sends nothing and looks at no bound.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param num_buf how many
     * @param buf_list array of {@code struct ibv_data_buf}
     */
    public static void ibv_wr_set_inline_data_list(MemorySegment qp, long num_buf, MemorySegment buf_list) {
        ibv_qp_ex.wr_set_inline_data_list.invoke(
                BuilderVerbs.function(qp, "ibv_wr_set_inline_data_list", SET_INLINE_DATA_LIST), qp, num_buf, buf_list);
    }

    /**
     * {@code ibv_wr_set_sge_list}: as {@link #ibv_wr_set_sge}, of several pieces. Soft-RoCE before rdma-core 64 takes each for
     * as long as the first.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param num_sge how many
     * @param sg_list array of {@code struct ibv_sge}
     */
    public static void ibv_wr_set_sge_list(MemorySegment qp, long num_sge, MemorySegment sg_list) {
        ibv_qp_ex.wr_set_sge_list.invoke(
                BuilderVerbs.function(qp, "ibv_wr_set_sge_list", SET_SGE_LIST), qp, num_sge, sg_list);
    }
}
