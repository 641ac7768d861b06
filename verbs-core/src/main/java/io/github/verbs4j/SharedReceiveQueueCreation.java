package io.github.verbs4j;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_srq;
import io.github.verbs4j.ffi.ibv_srq_attr;
import io.github.verbs4j.ffi.ibv_srq_init_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code ibv_create_srq}: only on a device that has such queues and a provider that posts to them. */
final class SharedReceiveQueueCreation {
    private final ProtectionDomain domain;
    private final DeviceContext context;
    private final DeviceAttributes limits;
    private final int depth;
    private final int segments;

    private SharedReceiveQueueCreation(ProtectionDomain domain, int depth, int segments) {
        this.domain = domain;
        this.context = domain.context();
        this.limits = context.attributes();
        this.depth = depth;
        this.segments = segments;
    }

    static SharedReceiveQueue create(ProtectionDomain domain, int depth, int segments) {
        if (depth < 1) {
            throw new IllegalArgumentException("depth=" + depth + ": a shared receive queue holds at least 1 receive");
        }
        if (segments < 0) {
            throw new IllegalArgumentException("segments=" + segments + " is negative");
        }
        return Lifetime.create(
                "createSharedReceiveQueue",
                () -> new SharedReceiveQueueCreation(domain, depth, segments).create(),
                domain.lifetime());
    }

    private SharedReceiveQueue create() {
        if (limits.maxSharedReceiveQueues() == 0) {
            throw unsupported("max_srq of the device is 0");
        }
        MemorySegment post = DataPath.postSharedReceive(context.handle());
        if (post.address() == 0) {
            throw unsupported("the provider leaves ibv_post_srq_recv out");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_srq_init_attr.allocate(arena);
            MemorySegment asked = ibv_srq_init_attr.attr(init);
            ibv_srq_attr.max_wr(asked, depth);
            ibv_srq_attr.max_sge(asked, segments);
            MemorySegment pointer = Call.on(domain, this::asked)
                    .explained(this::explain)
                    .pointer(
                            errno -> ErrnoVerbs.ibv_create_srq(errno, domain.handle(), init),
                            made -> SharedReceiveQueue.name(made, context.device()));
            checkAbi(pointer);
            return new SharedReceiveQueue(
                    domain, pointer, post, ibv_srq_attr.max_wr(asked), ibv_srq_attr.max_sge(asked));
        }
    }

    private UnsupportedCapabilityException unsupported(String reason) {
        return UnsupportedCapabilityException.of(
                "ibv_create_srq", "shared receive queues", context.device().name(), context.provider(), reason);
    }

    private VerbsException.Builder asked() {
        return VerbsException.of("ibv_create_srq")
                .device(context.device().name())
                .limit("max_wr", depth, limits.maxSharedReceiveRequests(), "max_srq_wr")
                .limit("max_sge", segments, limits.maxSharedReceiveSegments(), "max_srq_sge");
    }

    private void explain(VerbsException.Builder failure, int errno) {
        if (errno == SharedReceiveQueue.EOPNOTSUPP) {
            throw unsupported("");
        }
        failure.argument("max_srq of the device", limits.maxSharedReceiveQueues())
                .explain(context.creation(errno, depth));
    }

    private void checkAbi(MemorySegment pointer) {
        MemorySegment srq = Pointers.segment(pointer, ibv_srq.sizeof());
        boolean sameContext = ibv_srq.context(srq).address() == context.handle().address();
        boolean samePd = ibv_srq.pd(srq).address() == domain.handle().address();
        if (!sameContext || !samePd) {
            SharedReceiveQueue.destroying(SharedReceiveQueue.name(pointer, context.device()), context.device())
                    .tryReturned(() -> verbs_h.ibv_destroy_srq(pointer));
        }
        Abi.check("ibv_srq", "context", sameContext);
        Abi.check("ibv_srq", "pd", samePd);
    }
}
