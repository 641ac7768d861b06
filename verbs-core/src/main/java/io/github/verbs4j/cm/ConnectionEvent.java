package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_conn_param;
import java.lang.foreign.MemorySegment;

/**
 * {@code rdma_cm_event}: a copy, since C's own is gone once it is acknowledged.
 *
 * @param type what it tells
 * @param code the number of the type, for one that has no name here
 * @param status 0, a negative errno, or the reason of a rejection
 * @param privateData what the peer sent along, filled up with zeros to what the transport carries
 * @param readsToServe {@code responder_resources}: how many reads the peer would have under way
 * @param readsServed {@code initiator_depth}: how many of ours the peer serves at a time
 */
record ConnectionEvent(
        ConnectionEventType type, int code, int status, byte[] privateData, int readsToServe, int readsServed) {
    /** Copies all that a connected queue pair's event has; datagrams use the same place for something else. */
    static ConnectionEvent copy(MemorySegment event) {
        MemorySegment sent = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        int bytes = Byte.toUnsignedInt(rdma_conn_param.private_data_len(sent));
        MemorySegment data = rdma_conn_param.private_data(sent);
        int code = rdma_cm_event.event(event);
        return new ConnectionEvent(
                ConnectionEventType.ofCode(code),
                code,
                rdma_cm_event.status(event),
                data.address() == 0
                        ? new byte[0]
                        : Pointers.segment(data, bytes).toArray(JAVA_BYTE),
                Byte.toUnsignedInt(rdma_conn_param.responder_resources(sent)),
                Byte.toUnsignedInt(rdma_conn_param.initiator_depth(sent)));
    }

    /** Name or number. */
    String name() {
        return type == ConnectionEventType.UNKNOWN ? "event " + code : type.name();
    }
}
