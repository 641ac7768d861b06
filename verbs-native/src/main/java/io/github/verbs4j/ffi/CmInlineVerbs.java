package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The functions that {@code rdma/rdma_cma.h} and {@code rdma/rdma_verbs.h} define {@code static inline}, by their C names: short
 * forms of verbs for the queues that an identifier has. Those that post one request are in {@link CmPostVerbs}.
 */
public final class CmInlineVerbs {
    private CmInlineVerbs() {}

    /**
     * {@code rdma_get_local_addr}.
     *
     * @param id {@code struct rdma_cm_id *}
     * @return {@code struct sockaddr *} inside of the identifier, of any family
     */
    public static MemorySegment rdma_get_local_addr(MemorySegment id) {
        return rdma_addr.src_storage(rdma_route.addr(rdma_cm_id.route(struct(id))));
    }

    /**
     * {@code rdma_get_peer_addr}.
     *
     * @param id {@code struct rdma_cm_id *}
     * @return {@code struct sockaddr *} inside of the identifier, of any family
     */
    public static MemorySegment rdma_get_peer_addr(MemorySegment id) {
        return rdma_addr.dst_storage(rdma_route.addr(rdma_cm_id.route(struct(id))));
    }

    /**
     * {@code rdma_seterrno}: from a result that is an errno to one that leaves it.
     *
     * @param errno receives errno
     * @param ret 0 or an errno
     * @return 0, or -1
     */
    public static int rdma_seterrno(CapturedErrno errno, int ret) {
        if (ret == 0) {
            return 0;
        }
        errno.set(ret);
        return -1;
    }

    /**
     * {@code rdma_reg_msgs}: memory for messages.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param addr first byte
     * @param length bytes
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment rdma_reg_msgs(CapturedErrno errno, MemorySegment id, MemorySegment addr, long length) {
        return register(errno, id, addr, length, 0);
    }

    /**
     * {@code rdma_reg_read}: memory that the peer may read.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param addr first byte
     * @param length bytes
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment rdma_reg_read(CapturedErrno errno, MemorySegment id, MemorySegment addr, long length) {
        return register(errno, id, addr, length, verbs4j_h.IBV_ACCESS_REMOTE_READ());
    }

    /**
     * {@code rdma_reg_write}: memory that the peer may write.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param addr first byte
     * @param length bytes
     * @return {@code struct ibv_mr *}, or NULL
     */
    public static MemorySegment rdma_reg_write(CapturedErrno errno, MemorySegment id, MemorySegment addr, long length) {
        return register(errno, id, addr, length, verbs4j_h.IBV_ACCESS_REMOTE_WRITE());
    }

    private static MemorySegment register(
            CapturedErrno errno, MemorySegment id, MemorySegment addr, long length, int remote) {
        return InlineVerbs.ibv_reg_mr(
                errno, rdma_cm_id.pd(struct(id)), addr, length, verbs4j_h.IBV_ACCESS_LOCAL_WRITE() | remote);
    }

    /**
     * {@code rdma_dereg_mr}.
     *
     * @param errno receives errno
     * @param mr {@code struct ibv_mr *}
     * @return 0, or -1
     */
    public static int rdma_dereg_mr(CapturedErrno errno, MemorySegment mr) {
        return rdma_seterrno(errno, verbs_h.ibv_dereg_mr(mr));
    }

    /**
     * {@code rdma_get_send_comp}: waits for a completion of a send.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param wc {@code struct ibv_wc} to fill
     * @return 1, or -1
     */
    public static int rdma_get_send_comp(CapturedErrno errno, MemorySegment id, MemorySegment wc) {
        MemorySegment struct = struct(id);
        return completion(errno, rdma_cm_id.send_cq(struct), rdma_cm_id.send_cq_channel(struct), wc);
    }

    /**
     * {@code rdma_get_recv_comp}: waits for a completion of a receive.
     *
     * @param errno receives errno
     * @param id {@code struct rdma_cm_id *}
     * @param wc {@code struct ibv_wc} to fill
     * @return 1, or -1
     */
    public static int rdma_get_recv_comp(CapturedErrno errno, MemorySegment id, MemorySegment wc) {
        MemorySegment struct = struct(id);
        return completion(errno, rdma_cm_id.recv_cq(struct), rdma_cm_id.recv_cq_channel(struct), wc);
    }

    private static int completion(CapturedErrno errno, MemorySegment cq, MemorySegment channel, MemorySegment wc) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(ADDRESS);
            MemorySegment context = arena.allocate(ADDRESS);
            while (true) {
                int polled = InlineVerbs.ibv_poll_cq(cq, 1, wc);
                if (polled == 0) {
                    int refused = InlineVerbs.ibv_req_notify_cq(cq, 0);
                    if (refused != 0) {
                        return rdma_seterrno(errno, refused);
                    }
                    polled = InlineVerbs.ibv_poll_cq(cq, 1, wc);
                }
                if (polled != 0) {
                    return polled < 0 ? rdma_seterrno(errno, polled) : polled;
                }
                int failed = ErrnoVerbs.ibv_get_cq_event(errno, channel, found, context);
                if (failed != 0) {
                    return failed;
                }
                verbs_h.ibv_ack_cq_events(cq, 1);
            }
        }
    }

    static MemorySegment struct(MemorySegment id) {
        return Pointers.segment(id, rdma_cm_id.sizeof());
    }
}
