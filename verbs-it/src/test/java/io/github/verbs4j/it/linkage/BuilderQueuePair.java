package io.github.verbs4j.it.linkage;

import static io.github.verbs4j.ffi.verbs4j_h.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.ffi.BuilderDataVerbs;
import io.github.verbs4j.ffi.BuilderVerbs;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CreatorVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.ffi.ibv_global_route;
import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_cap;
import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A queue pair for {@code ibv_wr_*}, made through ffi alone and connected to itself: what it writes, it writes here. */
final class BuilderQueuePair implements AutoCloseable {
    private static final int DEPTH = 16;
    private static final int INLINE_BYTES = 64;
    private static final int RNR_TIMER = 12;
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;

    private final MemorySegment handle;
    private final MemorySegment builder;

    private BuilderQueuePair(MemorySegment handle) {
        this.handle = handle;
        this.builder = verbs_h.ibv_qp_to_qp_ex(handle);
        assertNotEquals(0, builder.address(), "ibv_qp_to_qp_ex");
    }

    /**
     * {@return a queue pair in RTS}
     *
     * @param completions {@code struct ibv_cq *}
     */
    static BuilderQueuePair connected(ProtectionDomain domain, MemorySegment completions) {
        BuilderQueuePair queuePair = new BuilderQueuePair(create(domain, completions));
        try (Arena arena = Arena.ofConfined()) {
            queuePair.connect(ibv_qp_attr.allocate(arena), Rdma.gid(domain.context()));
        }
        return queuePair;
    }

    private static MemorySegment create(ProtectionDomain domain, MemorySegment completions) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_qp_init_attr_ex.allocate(arena);
            ibv_qp_init_attr_ex.send_cq(init, completions);
            ibv_qp_init_attr_ex.recv_cq(init, completions);
            ibv_qp_init_attr_ex.qp_type(init, IBV_QPT_RC());
            MemorySegment cap = ibv_qp_init_attr_ex.cap(init);
            ibv_qp_cap.max_send_wr(cap, DEPTH);
            ibv_qp_cap.max_recv_wr(cap, DEPTH);
            ibv_qp_cap.max_send_sge(cap, 1);
            ibv_qp_cap.max_recv_sge(cap, 1);
            ibv_qp_cap.max_inline_data(cap, INLINE_BYTES);
            ibv_qp_init_attr_ex.comp_mask(init, IBV_QP_INIT_ATTR_PD() | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
            ibv_qp_init_attr_ex.pd(init, domain.handle());
            ibv_qp_init_attr_ex.send_ops_flags(init, IBV_QP_EX_WITH_RDMA_WRITE());
            CapturedErrno errno = CapturedErrno.create();
            MemorySegment handle =
                    CreatorVerbs.ibv_create_qp_ex(errno, domain.context().handle(), init);
            assertNotEquals(0, handle.address(), () -> "ibv_create_qp_ex failed with errno " + errno.value());
            return Pointers.segment(handle, ibv_qp.sizeof());
        }
    }

    private void connect(MemorySegment a, GidEntry gid) {
        ibv_qp_attr.port_num(a, (byte) Rdma.port());
        ibv_qp_attr.qp_access_flags(a, IBV_ACCESS_REMOTE_WRITE());
        modify(a, IBV_QPS_INIT(), IBV_QP_PKEY_INDEX() | IBV_QP_PORT() | IBV_QP_ACCESS_FLAGS());

        MemorySegment path = ibv_qp_attr.ah_attr(a);
        ibv_ah_attr.is_global(path, (byte) 1);
        ibv_ah_attr.port_num(path, (byte) Rdma.port());
        MemorySegment route = ibv_ah_attr.grh(path);
        MemorySegment.copy(MemorySegment.ofArray(gid.gid().toByteArray()), 0, ibv_global_route.dgid(route), 0, 16);
        ibv_global_route.sgid_index(route, (byte) gid.index());
        ibv_global_route.hop_limit(route, (byte) 64);
        ibv_qp_attr.path_mtu(a, IBV_MTU_1024());
        ibv_qp_attr.dest_qp_num(a, ibv_qp.qp_num(handle));
        ibv_qp_attr.max_dest_rd_atomic(a, (byte) 1);
        ibv_qp_attr.min_rnr_timer(a, (byte) RNR_TIMER);
        modify(
                a,
                IBV_QPS_RTR(),
                IBV_QP_AV()
                        | IBV_QP_PATH_MTU()
                        | IBV_QP_DEST_QPN()
                        | IBV_QP_RQ_PSN()
                        | IBV_QP_MAX_DEST_RD_ATOMIC()
                        | IBV_QP_MIN_RNR_TIMER());

        ibv_qp_attr.timeout(a, (byte) TIMEOUT);
        ibv_qp_attr.retry_cnt(a, (byte) RETRIES);
        ibv_qp_attr.rnr_retry(a, (byte) RETRIES);
        ibv_qp_attr.max_rd_atomic(a, (byte) 1);
        modify(
                a,
                IBV_QPS_RTS(),
                IBV_QP_TIMEOUT()
                        | IBV_QP_RETRY_CNT()
                        | IBV_QP_RNR_RETRY()
                        | IBV_QP_SQ_PSN()
                        | IBV_QP_MAX_QP_RD_ATOMIC());
    }

    private void modify(MemorySegment attributes, int state, int mask) {
        ibv_qp_attr.qp_state(attributes, state);
        assertEquals(0, verbs_h.ibv_modify_qp(handle, attributes, mask | IBV_QP_STATE()), "ibv_modify_qp");
    }

    /**
     * Writes within a region in one section of two requests, of which the second is signaled: the first half by reference,
     * the second half inline.
     *
     * @param id of the second request
     * @param length bytes, of which half may be inline
     */
    void write(long id, MemoryRegion memory, long from, long to, int length) {
        int half = length / 2;
        long target = memory.address() + to;
        BuilderVerbs.ibv_wr_start(builder);
        BuilderVerbs.wr_id(builder, -id);
        BuilderVerbs.wr_flags(builder, 0);
        BuilderVerbs.ibv_wr_rdma_write(builder, memory.remoteKey().value(), target);
        BuilderDataVerbs.ibv_wr_set_sge(builder, memory.localKey().value(), memory.address() + from, half);
        BuilderVerbs.wr_id(builder, id);
        // the setter of inline data says so by itself, but not to Soft-RoCE
        BuilderVerbs.wr_flags(builder, IBV_SEND_SIGNALED() | IBV_SEND_INLINE());
        BuilderVerbs.ibv_wr_rdma_write(builder, memory.remoteKey().value(), target + half);
        BuilderDataVerbs.ibv_wr_set_inline_data(builder, memory.segment().asSlice(from + half, half), half);
        assertEquals(0, BuilderVerbs.ibv_wr_complete(builder), "ibv_wr_complete");
    }

    @Override
    public void close() {
        assertEquals(0, verbs_h.ibv_destroy_qp(handle), "ibv_destroy_qp");
    }
}
