package io.github.verbs4j.cm;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;

/** What is known of a call that fails: everything that an exception has to tell. */
final class Failure {
    private static final byte[] NO_DATA = {};

    private final String operation;
    private final VerbsException.Builder builder;
    private Way way;

    Failure(Identifier identifier, String operation, InetSocketAddress towards) {
        InetSocketAddress known = identifier.destination();
        this.operation = operation;
        this.builder = VerbsException.of(operation);
        this.way = new Way(identifier.device().orElse(null), identifier.source(), known == null ? towards : known);
    }

    /** Tells the address that a call asks for as ours. */
    Failure from(InetSocketAddress address) {
        way = new Way(way.device(), address, way.destination());
        return this;
    }

    /** Tells one more thing that a call asks for. */
    Failure asking(String name, Object value) {
        builder.argument(name, value);
        return this;
    }

    /** What is asked, before it is known how it ends, and without looking at the machine. */
    VerbsException.Builder asked() {
        builder.device(way.device());
        if (way.source() != null) {
            builder.argument("source", Way.text(way.source()));
        }
        if (way.destination() != null) {
            builder.argument("destination", Way.text(way.destination()));
        }
        return builder;
    }

    /** Of a call that C refused. */
    ConnectionException of(int errno) {
        if (errno == Errno.ENODEV.number()) {
            way = new Way(null, way.source(), way.destination()); // the kernel may have begun with any
        }
        addresses();
        builder.errno(errno);
        return exception(Cause.of(operation, errno, way));
    }

    /** Of an event that says no. */
    ConnectionException of(ConnectionEvent event) {
        addresses();
        builder.argument("event", event.name());
        RejectReason reason = event.rejectReason();
        if (reason != null) {
            return rejected(event, reason);
        }
        builder.argument("status", event.status());
        if (event.status() < 0) {
            builder.errno(event.status());
        } else {
            headline(event.name());
        }
        return exception(event.type(), null, event.privateData(), Cause.of(event, operation, way));
    }

    private ConnectionException rejected(ConnectionEvent event, RejectReason reason) {
        headline(reason == RejectReason.UNKNOWN ? event.name() : event.name() + ", " + reason);
        builder.argument("status", event.status());
        String said = readable(event.privateData());
        if (!said.isEmpty()) {
            builder.argument("privateData", said);
        }
        Cause cause = reason == RejectReason.CONSUMER_DEFINED && said.isEmpty()
                ? Cause.REJECTED_SILENTLY
                : new Cause(reason.text(), reason.remedy());
        return exception(event.type(), reason, event.privateData(), cause);
    }

    /** Of an event that did not come. */
    ConnectionException noEvent(ConnectionEventType awaited, Duration timeout) {
        addresses();
        builder.errno(Errno.ETIMEDOUT.number())
                .argument("event", awaited + " did not come")
                .argument("timeout", timeout);
        return exception(Cause.silence(operation, way));
    }

    /** Of an address that no device is behind. */
    ConnectionException noDevice() {
        return of(Errno.ENODEV.number());
    }

    /** Of a step that is under way when its identifier is closed. */
    ConnectionException meanwhile() {
        addresses();
        builder.headline("the connection was closed while it was being made");
        return exception(Cause.NONE);
    }

    /** Where no errno says what happened. */
    private void headline(String what) {
        builder.headline(operation + " failed" + (way.device() == null ? "" : " on " + way.device()) + ": " + what);
    }

    private void addresses() {
        way = way.complete();
        asked();
    }

    private ConnectionException exception(Cause cause) {
        return exception(null, null, NO_DATA, cause);
    }

    private ConnectionException exception(
            ConnectionEventType event, RejectReason reason, byte[] privateData, Cause cause) {
        builder.cause(cause.text()).next(cause.next()).explainErrno();
        return new ConnectionException(builder, event, reason, privateData, way.source(), way.destination());
    }

    /** What the peer said, without what the transport adds: in letters if it is ASCII, else in hexadecimal digits. */
    static String readable(byte[] privateData) {
        int length = privateData.length;
        while (length > 0 && privateData[length - 1] == 0) {
            length--;
        }
        byte[] said = Arrays.copyOf(privateData, length);
        for (byte one : said) {
            if (one < ' ' || one > '~') {
                return "0x" + HexFormat.of().formatHex(said);
            }
        }
        return length == 0 ? "" : '"' + new String(said, StandardCharsets.US_ASCII) + '"';
    }
}
