package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CmQueueVerbs;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.rdma_conn_param;
import io.github.verbs4j.internal.AddressVectors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Leads the user's queue pair from state to state, with what librdmacm knows of the way to the peer. */
final class Readiness {
    /** Room behind the struct for what a newer library may add. */
    private static final long SPARE_BYTES = 256;

    private Readiness() {}

    /** What a peer may do if nobody says otherwise. */
    static final Set<AccessFlag> READ_WRITE = EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

    /** To INIT: receives may be posted. */
    static void initialize(Identifier identifier, RcQueuePair queuePair, Set<AccessFlag> remoteAccess) {
        requireSameDevice(identifier, queuePair);
        QueuePairState state = queuePair.state();
        if (state != QueuePairState.RESET) {
            throw new IllegalStateException("initialize: " + queuePair + " is in " + state
                    + ", and has to be in RESET: it may have a connection already; take another, or reset() it");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = attributes(arena, identifier, QueuePairState.INIT);
            queuePair.modify(Transition.to(QueuePairState.INIT)
                    .partitionKeyIndex(Short.toUnsignedInt(ibv_qp_attr.pkey_index(a)))
                    .port(Byte.toUnsignedInt(ibv_qp_attr.port_num(a)))
                    .access(remoteAccess));
        }
    }

    /** Refuses what is no access of peers; call before anything is done. */
    static void requireAccess(Set<AccessFlag> remoteAccess) {
        for (AccessFlag flag : Objects.requireNonNull(remoteAccess, "remoteAccess")) {
            if (!AccessFlag.ofPeers().contains(Objects.requireNonNull(flag, "remoteAccess contains null"))) {
                throw new IllegalArgumentException("remoteAccess=" + remoteAccess + ": " + flag + " is none of "
                        + AccessFlag.ofPeers().stream().sorted().toList());
            }
        }
    }

    /** librdmacm opens the device once more for itself: any context of ours will do, if it is of the same device. */
    static void requireSameDevice(Identifier identifier, QueuePair queuePair) {
        String needed =
                identifier.device().orElseThrow(() -> new Failure(identifier, "rdma_init_qp_attr", null).noDevice());
        String given = queuePair.domain().context().device().name();
        if (!needed.equals(given)) {
            throw new IllegalArgumentException("queuePair=" + queuePair + " is of " + given
                    + ", but the address is reached through " + needed + ": make one on a context of that device");
        }
    }

    /** From INIT to RTR and RTS. */
    static void makeReady(Identifier identifier, RcQueuePair queuePair, ConnectionOptions options, Reads reads) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = attributes(arena, identifier, QueuePairState.RTR);
            queuePair.modify(Transition.to(QueuePairState.RTR)
                    .path(AddressVectors.read(ibv_qp_attr.ah_attr(a)))
                    .pathMtu(Mtu.ofCode(ibv_qp_attr.path_mtu(a)))
                    .destination(ibv_qp_attr.dest_qp_num(a))
                    .receivePacketSequenceNumber(ibv_qp_attr.rq_psn(a))
                    .readsAsResponder(reads.served())
                    .minRnrTimer(options.minRnrTimer()));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = attributes(arena, identifier, QueuePairState.RTS);
            queuePair.modify(Transition.to(QueuePairState.RTS)
                    .ackTimeout(Byte.toUnsignedInt(ibv_qp_attr.timeout(a)))
                    .retryCount(options.retryCount())
                    .rnrRetry(options.rnrRetry())
                    .sendPacketSequenceNumber(ibv_qp_attr.sq_psn(a))
                    .readsAsInitiator(reads.underWay()));
        }
    }

    /** What librdmacm says of a step. */
    static MemorySegment attributes(Arena arena, Identifier identifier, QueuePairState target) {
        MemorySegment attributes = arena.allocate(ibv_qp_attr.sizeof() + SPARE_BYTES, 8);
        MemorySegment mask = arena.allocate(JAVA_INT);
        ibv_qp_attr.qp_state(attributes, target.code());
        identifier.call(
                "rdma_init_qp_attr",
                new Failure(identifier, "rdma_init_qp_attr", null),
                (CapturedErrno errno) -> CmQueueVerbs.rdma_init_qp_attr(errno, identifier.pointer(), attributes, mask));
        return attributes;
    }

    /** How many reads and atomics may be under way, ours and the peer's: the least of what everybody says. */
    record Reads(int underWay, int served) {
        /** What we ask for. */
        static Reads asked(RcQueuePair queuePair, ConnectionOptions options) {
            DeviceAttributes limits = queuePair.domain().context().attributes();
            return new Reads(
                    Math.min(options.maxReads(), limits.maxReadsAsInitiator()),
                    Math.min(options.readsServed(), limits.maxReadsAsResponder()));
        }

        /** What is left of it once the peer has said what it wants. */
        Reads agreed(ConnectionEvent peer) {
            return new Reads(Math.min(underWay, peer.readsServed()), Math.min(served, peer.readsToServe()));
        }
    }

    /** {@code struct rdma_conn_param}. */
    static MemorySegment parameters(Arena arena, RcQueuePair queuePair, ConnectionOptions options, Reads reads) {
        MemorySegment struct = rdma_conn_param.allocate(arena);
        byte[] data = options.privateData();
        if (data.length > 0) {
            MemorySegment copy = arena.allocate(data.length);
            copy.copyFrom(MemorySegment.ofArray(data));
            rdma_conn_param.private_data(struct, copy);
            rdma_conn_param.private_data_len(struct, (byte) data.length);
        }
        rdma_conn_param.initiator_depth(struct, (byte) reads.underWay());
        rdma_conn_param.responder_resources(struct, (byte) reads.served());
        rdma_conn_param.retry_count(struct, (byte) options.retryCount());
        rdma_conn_param.rnr_retry_count(struct, (byte) options.rnrRetry());
        rdma_conn_param.qp_num(struct, queuePair.number());
        rdma_conn_param.srq(struct, (byte) (queuePair.sharedReceives().isPresent() ? 1 : 0));
        return struct;
    }
}
