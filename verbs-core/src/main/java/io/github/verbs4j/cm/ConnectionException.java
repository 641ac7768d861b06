package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** A connection could not be made, or broke: which event said so, why, and between which addresses. Immutable. */
public final class ConnectionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final ConnectionEventType event;
    private final RejectReason rejectReason;
    private final InetSocketAddress source;
    private final InetSocketAddress destination;
    private final byte[] privateData;

    ConnectionException(
            VerbsException.Builder builder,
            ConnectionEventType event,
            RejectReason rejectReason,
            byte[] privateData,
            InetSocketAddress source,
            InetSocketAddress destination) {
        super(builder);
        this.event = event;
        this.rejectReason = rejectReason;
        this.privateData = privateData;
        this.source = source;
        this.destination = destination;
    }

    /** {@return the event that told; empty if a call failed, or no event came in time} */
    public Optional<ConnectionEventType> event() {
        return Optional.ofNullable(event);
    }

    /** {@return why the peer rejected it, on InfiniBand and RoCE; empty if it did not} */
    public Optional<RejectReason> rejectReason() {
        return Optional.ofNullable(rejectReason);
    }

    /**
     * {@return what the peer sent along with its rejection, filled up with zeros by the transport (148 bytes on InfiniBand and
     * RoCE); of length 0 if it did not reject}
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** {@return our address, as far as it was known; its port is 0 where the kernel had not chosen one yet} */
    public Optional<InetSocketAddress> source() {
        return Optional.ofNullable(source);
    }

    /** {@return the peer's address, as far as it was known} */
    public Optional<InetSocketAddress> destination() {
        return Optional.ofNullable(destination);
    }
}
