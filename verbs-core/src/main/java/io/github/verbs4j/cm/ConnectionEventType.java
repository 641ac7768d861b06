package io.github.verbs4j.cm;

/**
 * {@code rdma_cm_event_type}: what an event of librdmacm tells. Each has one meaning here:
 *
 * <table>
 * <caption>What follows from an event</caption>
 * <tr><th>event<th>while<th>what follows
 * <tr><td>ADDR_RESOLVED, ROUTE_RESOLVED, CONNECT_RESPONSE, ESTABLISHED<td>a call waits for it<td>the call has gone well
 * <tr><td>CONNECT_REQUEST<td>listening<td>{@link Listener#await} has a request
 * <tr><td>ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DISCONNECTED<td>a connection is made<td>what is under way
 *     fails with a {@link ConnectionException} that has the event; so does whatever is asked for next: only closing is left
 * <tr><td>DISCONNECTED, or one of these failures<td>connected<td>the queue pair is led to ERR, and
 *     {@link Connection#disconnected} completes with the event
 * <tr><td>DEVICE_REMOVAL<td>always<td>as DISCONNECTED; a listener on an address of the device fails too
 * <tr><td>ADDR_CHANGE<td>connected<td>{@link Connection#addressChanged} completes; the connection stays
 * <tr><td>TIMEWAIT_EXIT<td>always<td>nothing: use another queue pair for the next connection, and no one has to wait for it
 * <tr><td>any other, one without a name too<td>always<td>nothing: the deadline of what is under way stands
 * </table>
 *
 * <p>An event that comes after the end, or after {@code close()}, reaches nobody.
 */
public enum ConnectionEventType {
    /** {@code RDMA_CM_EVENT_ADDR_RESOLVED}: a device reaches the address. */
    ADDR_RESOLVED(0),
    /** {@code RDMA_CM_EVENT_ADDR_ERROR}: no device reaches the address. */
    ADDR_ERROR(1),
    /** {@code RDMA_CM_EVENT_ROUTE_RESOLVED}: the way to the address is known. */
    ROUTE_RESOLVED(2),
    /** {@code RDMA_CM_EVENT_ROUTE_ERROR}: there is no way to the address. */
    ROUTE_ERROR(3),
    /** {@code RDMA_CM_EVENT_CONNECT_REQUEST}: a peer asks a listener for a connection. */
    CONNECT_REQUEST(4),
    /** {@code RDMA_CM_EVENT_CONNECT_RESPONSE}: the peer accepted, and our queue pair is to get ready. */
    CONNECT_RESPONSE(5),
    /** {@code RDMA_CM_EVENT_CONNECT_ERROR}: a connection failed while it was made. */
    CONNECT_ERROR(6),
    /** {@code RDMA_CM_EVENT_UNREACHABLE}: the peer does not answer; of datagrams also: it answers no, with a reason. */
    UNREACHABLE(7),
    /** {@code RDMA_CM_EVENT_REJECTED}: the peer, or its kernel, said no. */
    REJECTED(8),
    /** {@code RDMA_CM_EVENT_ESTABLISHED}: both ends are ready. */
    ESTABLISHED(9),
    /** {@code RDMA_CM_EVENT_DISCONNECTED}: an end asked to disconnect. */
    DISCONNECTED(10),
    /** {@code RDMA_CM_EVENT_DEVICE_REMOVAL}: the device goes away; only closing is left. */
    DEVICE_REMOVAL(11),
    /** {@code RDMA_CM_EVENT_MULTICAST_JOIN}: a group was joined. */
    MULTICAST_JOIN(12),
    /** {@code RDMA_CM_EVENT_MULTICAST_ERROR}: a group could not be joined, or was lost. */
    MULTICAST_ERROR(13),
    /** {@code RDMA_CM_EVENT_ADDR_CHANGE}: the hardware address of our own interface changed. */
    ADDR_CHANGE(14),
    /** {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}: the queue pair of a former connection may be used again. */
    TIMEWAIT_EXIT(15),
    /** An event that this version has no name for. */
    UNKNOWN(-1);

    private static final ConnectionEventType[] VALUES = values();
    private final int code;

    ConnectionEventType(int code) {
        this.code = code;
    }

    /** {@return the number of {@code rdma_cm_event_type}} */
    public int code() {
        return code;
    }

    /** {@return whether it ends whatever the connection was about to do} */
    public boolean isFailure() {
        return switch (this) {
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL, MULTICAST_ERROR -> true;
            default -> false;
        };
    }

    /**
     * {@return the type of a number, {@link #UNKNOWN} if it has no name here}
     *
     * @param code as in {@code rdma_cm_event.event}
     */
    public static ConnectionEventType ofCode(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? VALUES[code] : UNKNOWN;
    }
}
