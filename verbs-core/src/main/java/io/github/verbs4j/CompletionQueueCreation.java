package io.github.verbs4j;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_cq;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Bell;
import io.github.verbs4j.internal.ContextEvents;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.Outcome;
import java.lang.foreign.MemorySegment;

/** {@code ibv_create_cq}: with the context's channel, so that its reader can sleep; without, where there are no events. */
final class CompletionQueueCreation {
    private final DeviceContext context;
    private final ContextEvents events;
    private final int entries;
    private final CapturedErrno errno = CapturedErrno.create();
    private MemorySegment channel;
    private Bell bell = Bell.mute();
    private MemorySegment pointer = MemorySegment.NULL;

    private CompletionQueueCreation(DeviceContext context, int entries) {
        this.context = context;
        this.events = context.events();
        this.entries = entries;
        this.channel = events.channel();
    }

    static CompletionQueue create(DeviceContext context, int entries) {
        if (entries < 1) {
            throw new IllegalArgumentException("entries=" + entries + ": a completion queue holds at least 1");
        }
        return Lifetime.create(
                "createCompletionQueue",
                () -> new CompletionQueueCreation(context, entries).create(),
                context.lifetime());
    }

    private CompletionQueue create() {
        boolean created = false;
        try {
            if (channel.address() != 0) {
                bell = events.add();
            }
            ask();
            if (pointer.address() == 0 && errno.value() == Errno.EOPNOTSUPP.number()) {
                doWithoutEvents();
                ask();
            }
            Outcome.pointer(pointer, errno, this::failed);
            checkAbi(Pointers.segment(pointer, ibv_cq.sizeof()));
            CompletionQueue queue = new CompletionQueue(context, pointer, bell);
            created = true;
            return queue;
        } finally {
            if (!created) {
                undo();
            }
        }
    }

    private void ask() {
        pointer = ErrnoVerbs.ibv_create_cq(
                errno, context.handle(), entries, MemorySegment.ofAddress(bell.number()), channel, 0);
    }

    private void doWithoutEvents() {
        events.remove(bell);
        bell = Bell.mute();
        channel = MemorySegment.NULL;
    }

    private VerbsException.Builder failed(int number) {
        return VerbsException.of("ibv_create_cq")
                .device(context.device().name())
                .limit("cqe", entries, context.attributes().maxCompletions(), "max_cqe")
                .argument("comp_vector", 0)
                .explain(context.creation(number, entries));
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
            verbs_h.ibv_destroy_cq(pointer);
        }
        events.remove(bell);
    }
}
