package io.github.verbs4j.cm;

import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.rdma_conn_param;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Makes the user's queue pair ready for datagrams, with what librdmacm knows of our end. */
final class DatagramReadiness {
    private DatagramReadiness() {}

    /** To INIT: receives may be posted. */
    static void initialize(Identifier identifier, UdQueuePair queuePair) {
        Readiness.requireSameDevice(identifier, queuePair);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = Readiness.attributes(arena, identifier, QueuePairState.INIT);
            GidEntry gid = queuePair
                    .domain()
                    .context()
                    .gids(Byte.toUnsignedInt(ibv_qp_attr.port_num(a)))
                    .byGid(identifier.gid());
            queuePair.initialize(gid, ibv_qp_attr.qkey(a), Short.toUnsignedInt(ibv_qp_attr.pkey_index(a)));
        }
    }

    /** What a peer sends to another state than these is lost. */
    static void requireReady(UdQueuePair queuePair) {
        QueuePairState state = queuePair.state();
        if (state != QueuePairState.RTR && state != QueuePairState.RTS) {
            throw new IllegalStateException(
                    queuePair + " is in " + state + ", and what it is sent would be lost: lead it to"
                            + " RTS with initialize(queuePair) and queuePair.activate()");
        }
    }

    /** What a peer sends with another key is lost too. */
    static void requireKey(Identifier identifier, UdQueuePair queuePair) {
        Readiness.requireSameDevice(identifier, queuePair);
        if (queuePair.state() == QueuePairState.RESET) {
            throw new IllegalStateException(
                    queuePair + " is in RESET, and has no queue key yet; initialize(queuePair) gives it one");
        }
        try (Arena arena = Arena.ofConfined()) {
            int told = ibv_qp_attr.qkey(Readiness.attributes(arena, identifier, QueuePairState.INIT));
            int own = queuePair.query().queueKey();
            if (own != told) {
                throw new IllegalArgumentException(
                        "queuePair=%s has queue key 0x%08x, but peers send with 0x%08x, which would be lost: lead it to INIT"
                                        .formatted(queuePair, own, told)
                                + " with initialize(queuePair), or with DatagramDestination.QUEUE_KEY");
            }
        }
    }

    static void requireBytes(byte[] privateData, int max, String carrier) {
        if (Objects.requireNonNull(privateData, "privateData").length > max) {
            throw new IllegalArgumentException("privateData has " + privateData.length + " bytes; " + carrier
                    + " for datagrams carries at most " + max + ": send the rest as a datagram");
        }
    }

    /** {@code struct rdma_conn_param}; the queue key is the kernel's choice. */
    static MemorySegment parameters(Arena arena, int queuePairNumber, byte[] privateData) {
        MemorySegment struct = rdma_conn_param.allocate(arena);
        if (privateData.length > 0) {
            rdma_conn_param.private_data(
                    struct, arena.allocate(privateData.length).copyFrom(MemorySegment.ofArray(privateData)));
            rdma_conn_param.private_data_len(struct, (byte) privateData.length);
        }
        rdma_conn_param.qp_num(struct, queuePairNumber);
        return struct;
    }
}
