package io.github.verbs4j.cm;

/** Where an identifier is on its way; the names are those of messages. */
enum State {
    NEW,
    LISTENING,
    RESOLVING_ADDRESS,
    ADDRESS_RESOLVED,
    RESOLVING_ROUTE,
    ROUTE_RESOLVED,
    CONNECTING,
    RESPONDED,
    REQUESTED,
    REJECTED,
    ACCEPTING,
    ESTABLISHED,
    JOINING,
    JOINED,
    DISCONNECTING,
    DISCONNECTED,
    FAILED,
    CLOSED;

    /** No event changes it any more. */
    boolean isOver() {
        return this == REJECTED || this == DISCONNECTED || this == FAILED || this == CLOSED;
    }
}
