package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.Descriptors;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The thread of a device context that takes its events: it alone sits in {@code poll}, so that those who wait can be
 * interrupted, have deadlines, and be virtual threads. Each event is acknowledged before anyone is told of it:
 * destroying a queue waits for that, and a reader that was told may destroy its queue at once.
 */
final class EventThread {
    private static final int STOP = 0;
    private static final int CHANNEL = 1;

    private final String device;
    private final MemorySegment channel;
    private final Bells bells;
    private final Arena arena = Arena.ofAuto();
    private final CapturedErrno errno = new CapturedErrno(arena);
    private final int stop;
    private final MemorySegment descriptors;
    private final MemorySegment queue = arena.allocate(ADDRESS);
    private final MemorySegment number = arena.allocate(ADDRESS);
    private final Thread thread;
    private volatile Throwable failure;

    /**
     * Starts it.
     *
     * @param device name of the device
     * @param channel {@code struct ibv_comp_channel *}
     * @param descriptor of the channel, non-blocking
     * @param bells to ring
     */
    EventThread(String device, MemorySegment channel, int descriptor, Bells bells) {
        this.device = device;
        this.channel = channel;
        this.bells = bells;
        this.thread =
                Thread.ofPlatform().daemon().name("verbs4j-events-" + device).unstarted(this::run);
        this.stop = Outcome.notNegative(Descriptors.eventfd(errno), errno, ignored -> failed("eventfd"));
        this.descriptors = Descriptors.readable(arena, stop, descriptor);
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) {
                Descriptors.close(errno, stop);
            }
        }
    }

    private void run() {
        try {
            while (awaitEvents()) {
                takeCompletionEvents();
            }
        } catch (Throwable thrown) {
            failure = thrown;
            bells.ringAll();
        }
    }

    /** False when it is time to stop. */
    private boolean awaitEvents() {
        while (Descriptors.poll(errno, descriptors) == -1) {
            if (errno.value() != Errno.EINTR.number()) {
                throw failed("poll").errno(errno.value()).build();
            }
        }
        return Descriptors.found(descriptors, STOP) == 0;
    }

    private void takeCompletionEvents() {
        while (ErrnoVerbs.ibv_get_cq_event(errno, channel, queue, number) == 0) {
            verbs_h.ibv_ack_cq_events(queue.get(ADDRESS, 0), 1);
            bells.ring(number.get(JAVA_LONG, 0));
        }
        boolean mayGoOn = errno.value() == Errno.EAGAIN.number() || errno.value() == Errno.EINTR.number();
        if (!mayGoOn || Descriptors.isError(Descriptors.found(descriptors, CHANNEL))) {
            throw failed("ibv_get_cq_event").errno(errno.value()).build();
        }
    }

    private VerbsException.Builder failed(String operation) {
        return VerbsException.of(operation).device(device);
    }

    /**
     * Goes on if events still come.
     *
     * @throws VerbsException if the thread had to give up, and why
     */
    void requireAlive() {
        if (failure != null) {
            throw gone(failure);
        }
    }

    private VerbsException gone(Throwable reason) {
        VerbsException.Builder told = failed("ibv_get_cq_event")
                .headline("no more completion events come from " + device + ": the thread that takes them gave up")
                .cause("the device is gone, or its driver is in error; see the cause of this exception")
                .next("close what was opened on this DeviceContext and it, and open the device again; poll() and the"
                        + " strategies that only poll need no events")
                .thrown(reason);
        if (reason instanceof VerbsException known) {
            known.errno().ifPresent(errnoOfReason -> told.errno(errnoOfReason.number()));
        }
        return told.build();
    }

    /** Ends it; returns when it has ended. */
    void stop() {
        CapturedErrno mine = CapturedErrno.create();
        if (Descriptors.signal(mine, stop, Arena.ofAuto()) < 0) {
            throw failed("write").errno(mine.value()).build();
        }
        joinUninterruptibly();
        Descriptors.close(mine, stop);
    }

    private void joinUninterruptibly() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
