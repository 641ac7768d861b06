package io.github.verbs4j.cm;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** What is known of a call that fails: everything that an exception has to tell. */
final class Failure {
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENETUNREACH = 101;
    private static final int EHOSTUNREACH = 113;
    /** The kernel's own, which has no name outside of it. */
    private static final int ENOTSUPP = 524;

    private final VerbsException.Builder builder;
    private final InetSocketAddress destination;
    private InetSocketAddress source;

    Failure(Identifier identifier, String operation, InetSocketAddress towards) {
        this.source = identifier.source();
        InetSocketAddress known = identifier.destination();
        this.destination = known == null ? towards : known;
        this.builder = VerbsException.of(operation);
        identifier.device().ifPresent(builder::device);
        if (source != null) {
            builder.argument("source", source);
        }
        if (destination != null) {
            builder.argument("destination", destination);
        }
    }

    /** Tells the address that a call asks for as ours. */
    Failure from(InetSocketAddress address) {
        source = address;
        builder.argument("source", address);
        return this;
    }

    /** Tells one more thing that a call asks for. */
    Failure asking(String name, Object value) {
        builder.argument(name, value);
        return this;
    }

    /** Of a call that C refused. */
    ConnectionException of(int errno) {
        explain(errno);
        return exception(null, null);
    }

    /** Of an event that says no. */
    ConnectionException of(ConnectionEvent event) {
        builder.argument("event", event.name());
        RejectReason reason = event.rejectReason();
        if (reason != null) {
            builder.argument("status", event.status() + " (" + reason + ")").cause(reason.text());
            builder.next(
                    switch (reason) {
                        case INVALID_SERVICE_ID ->
                            "start the server, or give the port that it listens on: ports of librdmacm are not those"
                                    + " of TCP";
                        case STALE_CONN -> "connect again, with another queue pair";
                        default -> "look into the log of the peer";
                    });
            return exception(event.type(), reason);
        }
        builder.argument("status", event.status());
        if (event.status() < 0) {
            explain(-event.status());
        }
        return exception(event.type(), null);
    }

    /** Of an event that did not come. */
    ConnectionException noEvent(ConnectionEventType awaited, Duration timeout) {
        builder.errno(Errno.ETIMEDOUT.number())
                .argument("event", awaited + " did not come")
                .argument("timeout", timeout)
                .cause(
                        "the peer does not answer: it is down, a firewall drops UDP port 4791 (RoCE), the server does not"
                                + " accept, or its backlog is full")
                .next("ping the address from ours; see whether the server takes its requests");
        return exception(null, null);
    }

    /** Of an address that no device is behind. */
    ConnectionException noDevice() {
        return of(Errno.ENODEV.number());
    }

    private void explain(int errno) {
        builder.errno(errno);
        if (errno == Errno.ENODEV.number()) {
            builder.cause("the address is reached through an interface without an RDMA device, such as loopback")
                    .next("use an address of an interface that has one: 'rdma link' shows which have");
        }
        if (errno == Errno.EINVAL.number()) {
            builder.cause(
                            "the kernel does not have the connection in this state any more: the peer gave up, most likely")
                    .next("close it, and take the next");
        }
        switch (errno) {
            case EADDRINUSE ->
                builder.cause("something listens on this address and port").next("use another port");
            case EADDRNOTAVAIL ->
                builder.cause(
                                "the address is not one of this machine, or of this network namespace; or something holds the"
                                        + " port on a wildcard")
                        .next("use an address that 'ip address' shows here, or another port");
            case ENETUNREACH, EHOSTUNREACH ->
                builder.cause("there is no way to the address").next("see 'ip route get' of the address");
            case ENOTSUPP ->
                builder.cause("Linux joins no IPv6 group over RoCE version 2")
                        .next("use an IPv4 group; or, where the network delivers it without being asked,"
                                + " queuePair.attach(Gid.of(group), 0)");
            default -> {}
        }
    }

    private ConnectionException exception(ConnectionEventType event, RejectReason reason) {
        return new ConnectionException(builder, event, reason, source, destination);
    }
}
