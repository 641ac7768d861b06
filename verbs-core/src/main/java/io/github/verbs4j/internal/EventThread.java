package io.github.verbs4j.internal;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.Descriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The thread of a device context that takes its events: it alone sits in {@code poll}, so that those who wait can be
 * interrupted, have deadlines, and be virtual threads. Each event is acknowledged before anyone is told of it:
 * destroying a queue waits for that, and a reader that was told may destroy its queue at once.
 */
public final class EventThread {
    private static final int STOP = 0;

    private final String device;
    private final List<EventReader> readers;
    private final Arena arena = Arena.ofAuto();
    private final CapturedErrno errno = new CapturedErrno(arena);
    private final int stop;
    private final MemorySegment descriptors;
    private final Thread thread;
    private volatile Throwable failure;

    /**
     * Starts it.
     *
     * @param device name of the device
     * @param readers of the descriptors to wait for
     */
    public EventThread(String device, List<EventReader> readers) {
        this.device = device;
        this.readers = List.copyOf(readers);
        this.thread =
                Thread.ofPlatform().daemon().name("verbs4j-events-" + device).unstarted(this::run);
        this.stop = Call.on(device, () -> failed("eventfd")).notNegative(Descriptors::eventfd);
        this.descriptors = Descriptors.readable(
                arena,
                IntStream.concat(IntStream.of(stop), readers.stream().mapToInt(EventReader::descriptor))
                        .toArray());
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
                for (int i = 0; i < readers.size(); i++) {
                    takeEvents(readers.get(i), Descriptors.found(descriptors, STOP + 1 + i));
                }
            }
        } catch (Throwable thrown) {
            failure = thrown;
            readers.forEach(reader -> reader.end(thrown));
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

    private void takeEvents(EventReader reader, int found) {
        if (found == 0) {
            return;
        }
        boolean taken;
        do {
            taken = reader.take(errno);
        } while (taken);
        boolean mayGoOn = errno.value() == Errno.EAGAIN.number() || errno.value() == Errno.EINTR.number();
        if (!mayGoOn || Descriptors.isError(found)) {
            throw failed(reader.operation()).errno(errno.value()).build();
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
    public void requireAlive() {
        if (failure != null) {
            throw gone(device, failure);
        }
    }

    /**
     * {@return what to tell those who wait for events when no more come; a new exception for each}
     *
     * @param device name of the device
     * @param reason why no more come
     */
    public static VerbsException gone(String device, Throwable reason) {
        VerbsException known = reason instanceof VerbsException failed ? failed : null;
        VerbsException.Builder told = VerbsException.of(known == null ? "poll" : known.operation())
                .device(device)
                .headline("no more events come from " + device + ": the thread that takes them gave up")
                .cause("the device is gone, or its driver is in error; see the cause of this exception")
                .next("close what was opened on this DeviceContext and it, and open the device again; poll() and the"
                        + " strategies that only poll need no events")
                .thrown(reason);
        if (known != null) {
            known.errno().ifPresent(errnoOfReason -> told.errno(errnoOfReason.number()));
        }
        return told.build();
    }

    /**
     * Ends it; returns when it has ended.
     *
     * @throws VerbsException if it cannot be told
     */
    public void stop() {
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
