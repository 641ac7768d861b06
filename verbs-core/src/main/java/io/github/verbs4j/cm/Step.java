package io.github.verbs4j.cm;

/** A call whose outcome comes as an event: from which state, to which, and the event that says that it went well. */
enum Step {
    RESOLVE_ADDRESS(
            "rdma_resolve_addr",
            State.NEW,
            State.RESOLVING_ADDRESS,
            ConnectionEventType.ADDR_RESOLVED,
            State.ADDRESS_RESOLVED),
    RESOLVE_ROUTE(
            "rdma_resolve_route",
            State.ADDRESS_RESOLVED,
            State.RESOLVING_ROUTE,
            ConnectionEventType.ROUTE_RESOLVED,
            State.ROUTE_RESOLVED),
    CONNECT(
            "rdma_connect",
            State.ROUTE_RESOLVED,
            State.CONNECTING,
            ConnectionEventType.CONNECT_RESPONSE,
            State.RESPONDED),
    /** Of datagrams: the answer is all there is. */
    LOOK_UP("rdma_connect", State.ROUTE_RESOLVED, State.CONNECTING, ConnectionEventType.ESTABLISHED, State.ESTABLISHED),
    JOIN(
            "rdma_join_multicast_ex",
            State.ADDRESS_RESOLVED,
            State.JOINING,
            ConnectionEventType.MULTICAST_JOIN,
            State.JOINED),
    ACCEPT("rdma_accept", State.REQUESTED, State.ACCEPTING, ConnectionEventType.ESTABLISHED, State.ESTABLISHED);

    private final String operation;
    private final State from;
    private final State during;
    private final ConnectionEventType awaited;
    private final State reached;

    Step(String operation, State from, State during, ConnectionEventType awaited, State reached) {
        this.operation = operation;
        this.from = from;
        this.during = during;
        this.awaited = awaited;
        this.reached = reached;
    }

    /** The C function. */
    String operation() {
        return operation;
    }

    State from() {
        return from;
    }

    State during() {
        return during;
    }

    ConnectionEventType awaited() {
        return awaited;
    }

    State reached() {
        return reached;
    }
}
