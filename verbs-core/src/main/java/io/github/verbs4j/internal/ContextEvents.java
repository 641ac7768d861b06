package io.github.verbs4j.internal;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Notification;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The events of a device context. Completion events of all its queues come through one {@link CompletionChannel}, made
 * with the first of them; asynchronous events through the context itself; one {@link EventThread} takes both, started by
 * the first event of either sort that is asked for.
 *
 * <p>Thread-safe.
 */
public final class ContextEvents {
    private final MemorySegment context;
    private final String device;
    private final MemorySegment request;
    private final Bells bells = new Bells();
    private final EventSources sources = new EventSources();
    private final List<AsyncListener> listeners = new CopyOnWriteArrayList<>();
    private CompletionChannel channel;
    private volatile EventThread thread;

    /**
     * Makes it; nothing is asked of the device yet.
     *
     * @param context {@code struct ibv_context *}
     * @param device name of the device
     */
    public ContextEvents(MemorySegment context, String device) {
        this.context = context;
        this.device = device;
        this.request = Notification.function(context);
    }

    /**
     * {@return the channel to create queues with; NULL if the device has no events} A thread that runs without one will
     * not take another.
     *
     * @throws VerbsException if it cannot be made
     */
    public synchronized MemorySegment channel() {
        if (channel == null && thread == null && request.address() != 0) {
            channel = CompletionChannel.create(context, device, bells);
        }
        return channel == null ? MemorySegment.NULL : channel.pointer();
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

    /** {@return the resources that asynchronous events may name} */
    public EventSources sources() {
        return sources;
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
        running().requireAlive();
        return Notification.request(request, queue, 0);
    }

    /**
     * Tells a listener of every asynchronous event from now on, and of those that the device kept because nobody took
     * them.
     *
     * @param listener to be told, until it is {@link #ignore ignored}
     * @throws VerbsException if events come no more, or the thread that takes them cannot start
     */
    public void listen(AsyncListener listener) {
        listeners.add(listener); // before the question whether the thread lives: its last act is to tell
        boolean listening = false;
        try {
            running().requireAlive();
            listening = true;
        } finally {
            if (!listening) {
                listeners.remove(listener);
            }
        }
    }

    /**
     * Tells it no more.
     *
     * @param listener as it was told
     */
    public void ignore(AsyncListener listener) {
        listeners.remove(listener);
    }

    private EventThread running() {
        EventThread running = thread;
        return running != null ? running : start();
    }

    private synchronized EventThread start() {
        if (thread == null) {
            List<EventReader> readers = new ArrayList<>();
            readers.add(new AsyncReader(context, device, sources, listeners));
            if (channel().address() != 0) {
                readers.add(channel);
            }
            readers.forEach(reader -> reader.unblock(device));
            thread = new EventThread(device, readers);
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
        if (channel != null) {
            channel.destroy();
            channel = null;
        }
    }
}
