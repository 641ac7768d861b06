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

    /** What a message adds where this is not the state that a call needs. */
    String towards(State needed) {
        if (isOver() || ordinal() > needed.ordinal()) {
            return ": that was done already";
        }
        return switch (needed) {
            case ADDRESS_RESOLVED, ROUTE_RESOLVED -> ": resolve(timeout) comes first";
            case ACCEPTING -> ": acceptAsync(options, timeout) comes first";
            default -> "";
        };
    }

    /** No event changes it any more. */
    boolean isOver() {
        return this == REJECTED || this == DISCONNECTED || this == FAILED || this == CLOSED;
    }
}
