package io.github.verbs4j;

import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CreatorVerbs;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_cq;
import io.github.verbs4j.ffi.ibv_cq_init_attr_ex;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Bell;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.ContextEvents;
import io.github.verbs4j.internal.ExtendedReader;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * {@code ibv_create_cq} and {@code ibv_create_cq_ex}: with the context's channel, so that the reader can sleep; without,
 * where there are no events.
 */
final class CompletionQueueCreation {
    private final DeviceContext context;
    private final ContextEvents events;
    private final CompletionQueueOptions options;
    private final CapturedErrno errno = CapturedErrno.create();
    private MemorySegment channel;
    private Bell bell = Bell.mute();
    private MemorySegment pointer = MemorySegment.NULL;

    private CompletionQueueCreation(DeviceContext context, CompletionQueueOptions options) {
        this.context = context;
        this.events = context.events();
        this.options = options;
        this.channel = events.channel();
    }

    static CompletionQueue create(DeviceContext context, CompletionQueueOptions options) {
        int vectors = context.completionVectors();
        if (options.vector() < 0 || options.vector() >= vectors) {
            throw new IllegalArgumentException("vector=" + options.vector() + " is not in 0.." + (vectors - 1) + " of "
                    + context.device().name());
        }
        return Lifetime.create(
                "createCompletionQueue",
                () -> new CompletionQueueCreation(context, options).create(),
                context.lifetime());
    }

    private CompletionQueue create() {
        boolean created = false;
        try {
            if (channel.address() != 0) {
                bell = events.add();
            }
            Call call = Call.on(context, this::asked).explained(this::explain);
            pointer = call.tryPointer(errno, this::ask, this::name);
            if (pointer.address() == 0 && errno.value() == Errno.EOPNOTSUPP.number()) {
                doWithoutEvents();
                pointer = call.tryPointer(errno, this::ask, this::name);
            }
            if (pointer.address() == 0) {
                throw call.failed(errno.value());
            }
            checkAbi(Pointers.segment(pointer, ibv_cq.sizeof()));
            CompletionQueue queue = new CompletionQueue(context, pointer, bell, options, reader());
            created = true;
            return queue;
        } finally {
            if (!created) {
                undo();
            }
        }
    }

    private MemorySegment ask(CapturedErrno captured) {
        return options.isExtended()
                ? askExtended(captured)
                : ErrnoVerbs.ibv_create_cq(
                        captured,
                        context.handle(),
                        options.entries(),
                        MemorySegment.ofAddress(bell.number()),
                        channel,
                        options.vector());
    }

    private MemorySegment askExtended(CapturedErrno captured) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_cq_init_attr_ex.allocate(arena);
            ibv_cq_init_attr_ex.cqe(init, options.entries());
            ibv_cq_init_attr_ex.cq_context(init, MemorySegment.ofAddress(bell.number()));
            ibv_cq_init_attr_ex.channel(init, channel);
            ibv_cq_init_attr_ex.comp_vector(init, options.vector());
            // the number always: slots are counted by it
            ibv_cq_init_attr_ex.wc_flags(
                    init, CompletionField.mask(options.fields()) | verbs4j_h.IBV_WC_EX_WITH_QP_NUM());
            if (options.ignoresOverrun()) {
                ibv_cq_init_attr_ex.comp_mask(init, verbs4j_h.IBV_CQ_INIT_ATTR_MASK_FLAGS());
                ibv_cq_init_attr_ex.flags(init, verbs4j_h.IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN());
            }
            return CreatorVerbs.ibv_create_cq_ex(captured, context.handle(), init);
        }
    }

    private String name(MemorySegment made) {
        return CompletionQueue.name(Pointers.segment(made, ibv_cq.sizeof()), context);
    }

    /** Null for a plain queue. */
    private ExtendedReader reader() {
        if (!options.isExtended()) {
            return null;
        }
        ExtendedReader reader = new ExtendedReader(pointer, options.fields(), context.provider());
        if (!reader.missing().isEmpty()) {
            throw unsupported("the provider made the queue without " + reader.missing());
        }
        return reader;
    }

    private UnsupportedCapabilityException unsupported(String reason) {
        return UnsupportedCapabilityException.of(
                "ibv_create_cq_ex",
                "extended completion queues with " + options.fields()
                        + (options.ignoresOverrun() ? " that ignore an overrun" : ""),
                context.device().name(),
                context.provider(),
                reason);
    }

    private void doWithoutEvents() {
        events.remove(bell);
        bell = Bell.mute();
        channel = MemorySegment.NULL;
    }

    private VerbsException.Builder asked() {
        VerbsException.Builder asked = VerbsException.of(options.isExtended() ? "ibv_create_cq_ex" : "ibv_create_cq")
                .device(context.device().name())
                .limit("cqe", options.entries(), context.attributes().maxCompletions(), "max_cqe")
                .argument("comp_vector", options.vector());
        if (options.isExtended()) {
            asked.argument("wc_flags", options.fields());
        }
        return asked;
    }

    private void explain(VerbsException.Builder failure, int number) {
        if (options.isExtended() && number == Errno.EOPNOTSUPP.number()) {
            throw unsupported("the provider refuses them");
        }
        failure.explain(context.creation(number, options.entries()));
    }

    private void checkAbi(MemorySegment cq) {
        Abi.check(
                "ibv_cq",
                "context",
                ibv_cq.context(cq).address() == context.handle().address());
        Abi.check("ibv_cq", "channel", ibv_cq.channel(cq).address() == channel.address());
        Abi.check("ibv_cq", "cq_context", ibv_cq.cq_context(cq).address() == bell.number());
    }

    private void undo() {
        if (pointer.address() != 0) {
            CompletionQueue.destroying(name(pointer), context).tryReturned(() -> verbs_h.ibv_destroy_cq(pointer));
        }
        events.remove(bell);
    }
}
