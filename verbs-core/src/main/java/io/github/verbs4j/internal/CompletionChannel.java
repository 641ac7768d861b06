package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_comp_channel;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code ibv_comp_channel}: what the completion events of all queues of a device context come through. */
final class CompletionChannel implements EventReader {
    private final MemorySegment pointer;
    private final String device;
    private final Bells bells;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment queue = arena.allocate(ADDRESS);
    private final MemorySegment number = arena.allocate(ADDRESS);

    private CompletionChannel(MemorySegment pointer, String device, Bells bells) {
        this.pointer = pointer;
        this.device = device;
        this.bells = bells;
    }

    /** Null if the device has none. */
    static CompletionChannel create(MemorySegment context, String device, Bells bells) {
        CapturedErrno errno = CapturedErrno.create();
        Call call = Call.on(
                device, () -> VerbsException.of("ibv_create_comp_channel").device(device));
        MemorySegment made = call.tryPointer(
                errno, captured -> ErrnoVerbs.ibv_create_comp_channel(captured, context), channel -> name(device));
        if (made.address() == 0 && errno.value() == Errno.EOPNOTSUPP.number()) {
            return null;
        }
        if (made.address() == 0) {
            throw call.failed(errno.value());
        }
        boolean good = false;
        try {
            MemorySegment struct = Pointers.segment(made, ibv_comp_channel.sizeof());
            Abi.check(
                    "ibv_comp_channel",
                    "context",
                    ibv_comp_channel.context(struct).address() == context.address());
            good = true;
            return new CompletionChannel(made, device, bells);
        } finally {
            if (!good) {
                destroying(device).tryReturned(() -> verbs_h.ibv_destroy_comp_channel(made));
            }
        }
    }

    private static String name(String device) {
        return "CompletionChannel of " + device;
    }

    private static Call destroying(String device) {
        return Call.on(
                name(device),
                () -> VerbsException.of("ibv_destroy_comp_channel").device(device));
    }

    MemorySegment pointer() {
        return pointer;
    }

    @Override
    public int descriptor() {
        return ibv_comp_channel.fd(Pointers.segment(pointer, ibv_comp_channel.sizeof()));
    }

    @Override
    public String operation() {
        return "ibv_get_cq_event";
    }

    @Override
    public boolean take(CapturedErrno errno) {
        if (ErrnoVerbs.ibv_get_cq_event(errno, pointer, queue, number) != 0) {
            return false;
        }
        verbs_h.ibv_ack_cq_events(queue.get(ADDRESS, 0), 1);
        bells.ring(number.get(JAVA_LONG, 0));
        return true;
    }

    @Override
    public void end(Throwable failure) {
        bells.ringAll();
    }

    /**
     * Destroys it.
     *
     * @throws VerbsException if the device refuses
     */
    void destroy() {
        destroying(device).returned(() -> verbs_h.ibv_destroy_comp_channel(pointer));
    }
}
