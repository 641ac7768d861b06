package io.github.verbs4j.internal;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.Descriptors;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Notification;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_comp_channel;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.MemorySegment;

/**
 * {@code ibv_comp_channel}: the completion events of a device context. All its queues share one channel, made with the
 * first of them, and one {@link EventThread}, started by the first event that is asked for.
 *
 * <p>Thread-safe.
 */
public final class CompletionEvents {
    private final MemorySegment context;
    private final String device;
    private final MemorySegment request;
    private final Bells bells = new Bells();
    private MemorySegment channel = MemorySegment.NULL;
    private volatile EventThread thread;

    /**
     * Makes it; nothing is asked of the device yet.
     *
     * @param context {@code struct ibv_context *}
     * @param device name of the device
     */
    public CompletionEvents(MemorySegment context, String device) {
        this.context = context;
        this.device = device;
        this.request = Notification.function(context);
    }

    /**
     * {@return the channel to create queues with; NULL if the device has no events}
     *
     * @throws VerbsException if it cannot be made
     */
    public synchronized MemorySegment channel() {
        if (channel.address() == 0 && request.address() != 0) {
            channel = create();
        }
        return channel;
    }

    private MemorySegment create() {
        CapturedErrno errno = CapturedErrno.create();
        MemorySegment made = ErrnoVerbs.ibv_create_comp_channel(errno, context);
        if (made.address() == 0 && errno.value() == Errno.EOPNOTSUPP.number()) {
            return MemorySegment.NULL;
        }
        Outcome.pointer(
                made,
                errno,
                number -> VerbsException.of("ibv_create_comp_channel").device(device));
        boolean good = false;
        try {
            MemorySegment struct = Pointers.segment(made, ibv_comp_channel.sizeof());
            Abi.check(
                    "ibv_comp_channel",
                    "context",
                    ibv_comp_channel.context(struct).address() == context.address());
            good = true;
            return made;
        } finally {
            if (!good) {
                verbs_h.ibv_destroy_comp_channel(made);
            }
        }
    }

    /** {@return a bell for a queue to be created with the channel} */
    public Bell add() {
        return bells.add();
    }

    /**
     * Forgets the bell of a queue that is gone.
     *
     * @param bell of the queue
     */
    public void remove(Bell bell) {
        bells.remove(bell);
    }

    /**
     * {@code ibv_req_notify_cq}: the next completion rings the bell.
     *
     * @param bell of the queue
     * @param queue address of the queue
     * @return 0, or an errno; EOPNOTSUPP if the queue has no events
     * @throws VerbsException if events come no more, or the thread that takes them cannot start
     */
    public int request(Bell bell, long queue) {
        if (bell.isMute()) {
            return Errno.EOPNOTSUPP.number();
        }
        bell.silence(); // before the question whether the thread lives: its last act is to ring
        EventThread running = thread;
        (running != null ? running : start()).requireAlive();
        return Notification.request(request, queue, 0);
    }

    private synchronized EventThread start() {
        if (thread == null) {
            int descriptor = ibv_comp_channel.fd(Pointers.segment(channel, ibv_comp_channel.sizeof()));
            CapturedErrno errno = CapturedErrno.create();
            Outcome.notNegative(
                    Descriptors.setNonBlocking(errno, descriptor),
                    errno,
                    number -> VerbsException.of("fcntl").device(device).argument("fd", descriptor));
            thread = new EventThread(device, channel, descriptor, bells);
        }
        return thread;
    }

    /**
     * Ends the thread, then destroys the channel, if they are there. Both would be made again.
     *
     * @throws VerbsException if the device refuses
     */
    public synchronized void close() {
        if (thread != null) {
            thread.stop();
            thread = null;
        }
        if (channel.address() != 0) {
            Outcome.returned(
                    verbs_h.ibv_destroy_comp_channel(channel),
                    errno -> VerbsException.of("ibv_destroy_comp_channel").device(device));
            channel = MemorySegment.NULL;
        }
    }
}
