package io.github.verbs4j.internal;

import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.event.DeviceEvent;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_async_event;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** {@code ibv_get_async_event}: the asynchronous events of a device context, told to all who listen. */
final class AsyncReader implements EventReader {
    private final MemorySegment context;
    private final String device;
    private final EventSources sources;
    private final List<AsyncListener> listeners;
    private final MemorySegment event = Queries.output(Arena.ofAuto(), ibv_async_event.sizeof());

    /** The listeners may change while it reads. */
    AsyncReader(MemorySegment context, String device, EventSources sources, List<AsyncListener> listeners) {
        this.context = context;
        this.device = device;
        this.sources = sources;
        this.listeners = listeners;
    }

    @Override
    public int descriptor() {
        return ibv_context.async_fd(Pointers.segment(context, ibv_context.sizeof()));
    }

    @Override
    public String operation() {
        return "ibv_get_async_event";
    }

    @Override
    public boolean take(CapturedErrno errno) {
        if (ErrnoVerbs.ibv_get_async_event(errno, context, event) != 0) {
            return false;
        }
        int code = ibv_async_event.event_type(event);
        AsyncEventType type = AsyncEventType.ofCode(code);
        MemorySegment element = ibv_async_event.element(event);
        Object source;
        try {
            // before it is acknowledged: until then the resource cannot be gone, nor another one have its address
            source = type.namesResource()
                    ? sources.find(ibv_async_event.element.qp(element).address())
                    : null;
        } finally {
            verbs_h.ibv_ack_async_event(event);
        }
        int port = type.namesPort() ? ibv_async_event.element.port_num(element) : 0;
        tell(type, code, source, port);
        listeners.forEach(listener -> listener.raised(code, source, port));
        return true;
    }

    private void tell(AsyncEventType type, int code, Object source, int port) {
        DeviceEvent told = new DeviceEvent();
        if (told.shouldCommit()) {
            String about = source != null ? source.toString() : port > 0 ? "port " + port : device;
            told.tell(type == AsyncEventType.UNKNOWN ? "event " + code : type.name(), about, device);
        }
    }

    @Override
    public void end(Throwable failure) {
        listeners.forEach(listener -> listener.ended(EventThread.gone(device, failure)));
    }
}
