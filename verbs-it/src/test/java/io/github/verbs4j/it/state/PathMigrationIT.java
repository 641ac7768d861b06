package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AlternatePath;
import io.github.verbs4j.attr.PathMigration;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Alternate paths, of which Ethernet has none, and the state of migration, which Soft-RoCE keeps and makes nothing of. */
@SoftRoceMachine
class PathMigrationIT {
    @Test
    void shouldRefuseAnAlternatePathAsTheKernelWould() {
        try (Link link = Link.connected()) {
            RcQueuePair queuePair = link.client().queuePair();
            AlternatePath other = new AlternatePath(Steps.path(link.server()), 0, 14);
            UnsupportedCapabilityException thrown = assertThrows(
                    UnsupportedCapabilityException.class,
                    () -> queuePair.modify(Transition.to(QueuePairState.RTS).alternatePath(other)));
            assertEquals("alternate paths", thrown.capability());
            assertEquals("rxe", thrown.provider());
            assertEquals(Errno.EINVAL.number(), askTheKernel(queuePair));
            assertEquals(QueuePairState.RTS, queuePair.query().state());
        }
    }

    /** For an alternate path like the first one. */
    private static int askTheKernel(RcQueuePair queuePair) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(arena);
            int known = verbs4j_h.IBV_QP_STATE() | verbs4j_h.IBV_QP_AV();
            assertEquals(
                    0, verbs_h.ibv_query_qp(queuePair.handle(), attributes, known, ibv_qp_init_attr.allocate(arena)));
            ibv_qp_attr.alt_ah_attr(attributes).copyFrom(ibv_qp_attr.ah_attr(attributes));
            ibv_qp_attr.alt_port_num(attributes, (byte) Rdma.port());
            ibv_qp_attr.alt_timeout(attributes, (byte) 14);
            return verbs_h.ibv_modify_qp(
                    queuePair.handle(), attributes, verbs4j_h.IBV_QP_STATE() | verbs4j_h.IBV_QP_ALT_PATH());
        }
    }

    @Test
    void shouldTellTheStateOfMigration() {
        try (Link link = Link.connected()) {
            RcQueuePair queuePair = link.client().queuePair();
            assertEquals(PathMigration.MIGRATED, queuePair.query().pathMigration());
            queuePair.modify(Transition.to(QueuePairState.RTS).pathMigration(PathMigration.REARM));
            assertEquals(PathMigration.REARM, queuePair.query().pathMigration());
        }
    }
}
