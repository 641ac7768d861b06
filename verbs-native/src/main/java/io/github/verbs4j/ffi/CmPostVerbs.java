package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The functions of {@code rdma/rdma_verbs.h} that post one request to the queue pair of an identifier, by their C names; the
 * context of a request is what its completion has as {@code wr_id}. They are inline in C and fail with -1 and errno.
 */
public final class CmPostVerbs {
    private CmPostVerbs() {}

    /**
     * {@code rdma_post_recvv}: to the shared receive queue of the identifier, if it has one.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param sgl array of {@code struct ibv_sge}
     * @param nsge its length
     * @return 0, or -1
     */
    public static int rdma_post_recvv(
            CapturedErrno errno, MemorySegment id, MemorySegment context, MemorySegment sgl, int nsge) {
        MemorySegment struct = CmInlineVerbs.struct(id);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wr = ibv_recv_wr.allocate(arena);
            ibv_recv_wr.wr_id(wr, context.address());
            ibv_recv_wr.sg_list(wr, sgl);
            ibv_recv_wr.num_sge(wr, nsge);
            MemorySegment bad = arena.allocate(ADDRESS);
            MemorySegment srq = rdma_cm_id.srq(struct);
            return CmInlineVerbs.rdma_seterrno(
                    errno,
                    srq.address() == 0
                            ? InlineVerbs.ibv_post_recv(rdma_cm_id.qp(struct), wr, bad)
                            : SharedReceiveVerbs.ibv_post_srq_recv(srq, wr, bad));
        }
    }

    /**
     * {@code rdma_post_sendv}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param sgl array of {@code struct ibv_sge}
     * @param nsge its length
     * @param flags bits of {@code ibv_send_flags}
     * @return 0, or -1
     */
    public static int rdma_post_sendv(
            CapturedErrno errno, MemorySegment id, MemorySegment context, MemorySegment sgl, int nsge, int flags) {
        return post(errno, id, context, sgl, nsge, verbs4j_h.IBV_WR_SEND(), flags, wr -> {});
    }

    /**
     * {@code rdma_post_readv}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param sgl array of {@code struct ibv_sge}
     * @param nsge its length
     * @param flags bits of {@code ibv_send_flags}
     * @param remote_addr address at the peer
     * @param rkey of the peer's memory
     * @return 0, or -1
     */
    public static int rdma_post_readv(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment sgl,
            int nsge,
            int flags,
            long remote_addr,
            int rkey) {
        return post(
                errno,
                id,
                context,
                sgl,
                nsge,
                verbs4j_h.IBV_WR_RDMA_READ(),
                flags,
                wr -> remote(wr, remote_addr, rkey));
    }

    /**
     * {@code rdma_post_writev}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param sgl array of {@code struct ibv_sge}
     * @param nsge its length
     * @param flags bits of {@code ibv_send_flags}
     * @param remote_addr address at the peer
     * @param rkey of the peer's memory
     * @return 0, or -1
     */
    public static int rdma_post_writev(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment sgl,
            int nsge,
            int flags,
            long remote_addr,
            int rkey) {
        return post(
                errno,
                id,
                context,
                sgl,
                nsge,
                verbs4j_h.IBV_WR_RDMA_WRITE(),
                flags,
                wr -> remote(wr, remote_addr, rkey));
    }

    /**
     * {@code rdma_post_recv}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param addr first byte, inside of the region
     * @param length bytes
     * @param mr {@code struct ibv_mr *}
     * @return 0, or -1
     */
    public static int rdma_post_recv(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr) {
        try (Arena arena = Arena.ofConfined()) {
            return rdma_post_recvv(errno, id, context, element(arena, addr, length, mr), 1);
        }
    }

    /**
     * {@code rdma_post_send}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param addr first byte
     * @param length bytes
     * @param mr {@code struct ibv_mr *}, or NULL for inline data
     * @param flags bits of {@code ibv_send_flags}
     * @return 0, or -1
     */
    public static int rdma_post_send(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return rdma_post_sendv(errno, id, context, element(arena, addr, length, mr), 1, flags);
        }
    }

    /**
     * {@code rdma_post_read}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param addr first byte of what receives it
     * @param length bytes
     * @param mr {@code struct ibv_mr *}
     * @param flags bits of {@code ibv_send_flags}
     * @param remote_addr address at the peer
     * @param rkey of the peer's memory
     * @return 0, or -1
     */
    public static int rdma_post_read(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags,
            long remote_addr,
            int rkey) {
        try (Arena arena = Arena.ofConfined()) {
            return rdma_post_readv(errno, id, context, element(arena, addr, length, mr), 1, flags, remote_addr, rkey);
        }
    }

    /**
     * {@code rdma_post_write}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param addr first byte
     * @param length bytes
     * @param mr {@code struct ibv_mr *}, or NULL for inline data
     * @param flags bits of {@code ibv_send_flags}
     * @param remote_addr address at the peer
     * @param rkey of the peer's memory
     * @return 0, or -1
     */
    public static int rdma_post_write(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags,
            long remote_addr,
            int rkey) {
        try (Arena arena = Arena.ofConfined()) {
            return rdma_post_writev(errno, id, context, element(arena, addr, length, mr), 1, flags, remote_addr, rkey);
        }
    }

    /**
     * {@code rdma_post_ud_send}: a datagram, with the queue key of {@code RDMA_PS_UDP}.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param context of the request
     * @param addr first byte
     * @param length bytes
     * @param mr {@code struct ibv_mr *}, or NULL for inline data
     * @param flags bits of {@code ibv_send_flags}
     * @param ah {@code struct ibv_ah *}
     * @param remote_qpn the peer's queue pair
     * @return 0, or -1
     */
    public static int rdma_post_ud_send(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags,
            MemorySegment ah,
            int remote_qpn) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sge = element(arena, addr, length, mr);
            return post(errno, id, context, sge, 1, verbs4j_h.IBV_WR_SEND(), flags, wr -> {
                MemorySegment ud = ibv_send_wr.wr.ud(ibv_send_wr.wr(wr));
                ibv_send_wr.wr.ud.ah(ud, ah);
                ibv_send_wr.wr.ud.remote_qpn(ud, remote_qpn);
                ibv_send_wr.wr.ud.remote_qkey(ud, verbs4j_h.RDMA_UDP_QKEY());
            });
        }
    }

    private static MemorySegment element(Arena arena, MemorySegment addr, long length, MemorySegment mr) {
        MemorySegment sge = ibv_sge.allocate(arena);
        ibv_sge.addr(sge, addr.address());
        ibv_sge.length(sge, (int) length);
        ibv_sge.lkey(sge, mr.address() == 0 ? 0 : ibv_mr.lkey(Pointers.segment(mr, ibv_mr.sizeof())));
        return sge;
    }

    private static void remote(MemorySegment wr, long remote_addr, int rkey) {
        MemorySegment rdma = ibv_send_wr.wr.rdma(ibv_send_wr.wr(wr));
        ibv_send_wr.wr.rdma.remote_addr(rdma, remote_addr);
        ibv_send_wr.wr.rdma.rkey(rdma, rkey);
    }

    private static int post(
            CapturedErrno errno,
            MemorySegment id,
            MemorySegment context,
            MemorySegment sgl,
            int nsge,
            int opcode,
            int flags,
            Consumer<MemorySegment> target) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wr = ibv_send_wr.allocate(arena);
            ibv_send_wr.wr_id(wr, context.address());
            ibv_send_wr.sg_list(wr, sgl);
            ibv_send_wr.num_sge(wr, nsge);
            ibv_send_wr.opcode(wr, opcode);
            ibv_send_wr.send_flags(wr, flags);
            target.accept(wr);
            MemorySegment qp = rdma_cm_id.qp(CmInlineVerbs.struct(id));
            return CmInlineVerbs.rdma_seterrno(errno, InlineVerbs.ibv_post_send(qp, wr, arena.allocate(ADDRESS)));
        }
    }
}
