package io.github.verbs4j.cm;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.Enhancements;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.ffi.ibv_ece;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Enhanced connection establishment (ECE): each end tells what its device can do beyond the standard, and makes use of what the
 * other one told. librdmacm does this for queue pairs of its own only.
 */
final class Enhancing {
    private Enhancing() {}

    /** Before the peer is asked, or answered. */
    static void offer(Identifier identifier, RcQueuePair queuePair) {
        Enhancements ours;
        try {
            ours = queuePair.enhancements();
        } catch (UnsupportedCapabilityException none) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            ibv_ece.vendor_id(struct, ours.vendorId());
            ibv_ece.options(struct, ours.options());
            identifier.call(
                    "rdma_set_local_ece",
                    new Failure(identifier, "rdma_set_local_ece", null).asking("enhancements", ours),
                    errno -> CmConnectionVerbs.rdma_set_local_ece(errno, identifier.pointer(), struct));
        }
    }

    /** What the peer told; empty if it told nothing. */
    static Optional<Enhancements> told(Identifier identifier) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            identifier.call(
                    "rdma_get_remote_ece",
                    new Failure(identifier, "rdma_get_remote_ece", null),
                    errno -> CmConnectionVerbs.rdma_get_remote_ece(errno, identifier.pointer(), struct));
            return Optional.of(new Enhancements(ibv_ece.vendor_id(struct), ibv_ece.options(struct)))
                    .filter(peers -> peers.vendorId() != 0);
        }
    }

    /** Before the queue pair is led to RTR. */
    static void use(Identifier identifier, RcQueuePair queuePair) {
        told(identifier).ifPresent(peers -> {
            try {
                queuePair.enhance(peers);
            } catch (UnsupportedCapabilityException none) {
                // our device is of another kind: then there is nothing to use
            }
        });
    }
}
