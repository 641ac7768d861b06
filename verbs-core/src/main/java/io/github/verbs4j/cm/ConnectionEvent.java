package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.rdma_conn_param;
import io.github.verbs4j.ffi.rdma_ud_param;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.AddressVectors;
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
 * @param destination of datagrams, in an event that tells one; else null
 */
record ConnectionEvent(
        ConnectionEventType type,
        int code,
        int status,
        byte[] privateData,
        int readsToServe,
        int readsServed,
        DatagramDestination destination) {
    /** Copies all that the event has. */
    static ConnectionEvent copy(MemorySegment event) {
        MemorySegment id = Pointers.segment(rdma_cm_event.id(event), rdma_cm_id.sizeof());
        boolean datagrams = rdma_cm_id.ps(id) == verbs4j_h.RDMA_PS_UDP();
        MemorySegment sent = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        byte[] data = privateData(sent); // in the same place with datagrams
        int code = rdma_cm_event.event(event);
        ConnectionEventType type = ConnectionEventType.ofCode(code);
        return new ConnectionEvent(
                type,
                code,
                rdma_cm_event.status(event),
                data,
                datagrams ? 0 : Byte.toUnsignedInt(rdma_conn_param.responder_resources(sent)),
                datagrams ? 0 : Byte.toUnsignedInt(rdma_conn_param.initiator_depth(sent)),
                datagrams && isAnswer(type) ? destination(event, data) : null);
    }

    private static byte[] privateData(MemorySegment sent) {
        MemorySegment data = rdma_conn_param.private_data(sent);
        return data.address() == 0
                ? new byte[0]
                : Pointers.segment(data, Byte.toUnsignedInt(rdma_conn_param.private_data_len(sent)))
                        .toArray(JAVA_BYTE);
    }

    private static boolean isAnswer(ConnectionEventType type) {
        return type == ConnectionEventType.ESTABLISHED || type == ConnectionEventType.MULTICAST_JOIN;
    }

    private static DatagramDestination destination(MemorySegment event, byte[] data) {
        MemorySegment sent = rdma_cm_event.param.ud(rdma_cm_event.param(event));
        return new DatagramDestination(
                AddressVectors.read(rdma_ud_param.ah_attr(sent)),
                rdma_ud_param.qp_num(sent),
                rdma_ud_param.qkey(sent),
                data);
    }

    /** Why a peer, or its kernel, said no; null if none did. What it says of datagrams comes as UNREACHABLE. */
    RejectReason rejectReason() {
        if (status <= 0) {
            return null;
        }
        return switch (type) {
            case REJECTED -> RejectReason.ofCode(status);
            case UNREACHABLE -> RejectReason.ofLookup(status);
            default -> null;
        };
    }

    /** Name or number. */
    String name() {
        return type == ConnectionEventType.UNKNOWN ? "event " + code : type.name();
    }
}
