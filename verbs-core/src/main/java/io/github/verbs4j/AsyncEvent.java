package io.github.verbs4j;

import io.github.verbs4j.attr.AsyncEventType;
import java.util.Objects;

/**
 * {@code ibv_async_event}: something that happened on a device without having been asked for. It is a copy: acknowledged
 * already, and harmless to keep.
 *
 * @param type what happened
 * @param code its number in {@code ibv_event_type}, which tells more where the type is UNKNOWN
 * @param source what it happened to: a {@link QueuePair}, a {@link CompletionQueue} or a {@link SharedReceiveQueue}, open or
 *     closed by now; the {@link DeviceContext} if the event concerns a port or the whole device, or something that was made by the
 *     {@code ffi} package
 * @param port number of the port that it concerns, from 1; 0 if it concerns none
 */
public record AsyncEvent(AsyncEventType type, int code, Resource source, int port) {
    /** Refuses null. */
    public AsyncEvent {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(source, "source");
    }
}
