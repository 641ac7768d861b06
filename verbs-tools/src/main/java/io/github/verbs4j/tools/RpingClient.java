package io.github.verbs4j.tools;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.Connector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/** The end of an rping that announces memory: from where the server reads a ping, and to where it writes the answer. */
final class RpingClient {
    /** As the C program: one read at a time. */
    static final ConnectionOptions ONE_READ = ConnectionOptions.defaults().withReads(1, 1);

    private static final long SOURCE_AT = 0;
    private static final long SINK_AT = RpingAnnouncement.BYTES;

    private final RpingOptions options;
    private final RpingOutput output;
    private final RpingText text;
    private int pings;
    private long nanos;

    RpingClient(RpingOptions options, RpingOutput output) {
        this.options = options;
        this.output = output;
        this.text = new RpingText(options.size());
    }

    /** Pings as often as asked, or until interrupted. */
    void run() {
        try {
            connect();
            output.result(summary() + (options.validate() && pings > 0 ? ", every byte as it must be" : ""));
        } catch (InterruptedException _) {
            output.note("interrupted after " + summary());
        }
    }

    private String summary() {
        return String.format(
                Locale.ROOT,
                "%d pings of %d bytes in %.2f seconds%s",
                pings,
                options.size(),
                nanos / 1e9,
                pings == 0 ? "" : String.format(Locale.ROOT, " = %.1f usec/ping", nanos / 1e3 / pings));
    }

    private void connect() throws InterruptedException {
        try (ConnectionManager manager = ConnectionManager.open();
                Connector connector = Usage.connector(manager, options.address(), options.source())) {
            connector.resolve(options.patience());
            output.step("resolved %s: reached through %s", Text.address(options.address()), connector.device());
            connect(connector);
        }
    }

    private void connect(Connector connector) throws InterruptedException {
        try (RpingEnd end = RpingEnd.on(connector.device(), options.patience())) {
            connector.initialize(end.queuePair());
            end.postReceive();
            try (Connection connection = connector.connect(ONE_READ, options.patience())) {
                output.step("connected from %s", Text.address(connection.source()));
                ping(end, connection);
                connection.disconnect(options.patience());
                output.step("disconnected");
            }
        }
    }

    private void ping(RpingEnd end, Connection connection) throws InterruptedException {
        MemoryRegion source = end.allocate(options.size(), AccessFlag.REMOTE_READ);
        MemoryRegion sink = end.allocate(options.size(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        RpingAnnouncement.of(source.remote()).write(end.messages(), SOURCE_AT);
        RpingAnnouncement.of(sink.remote()).write(end.messages(), SINK_AT);
        output.step("source %s, sink %s", source.remote(), sink.remote());
        long start = System.nanoTime();
        while (options.count() == 0 || pings < options.count()) {
            text.write(source.segment(), pings);
            announce(SOURCE_AT, RpingStage.READ_DONE, end, connection);
            announce(SINK_AT, RpingStage.WRITE_DONE, end, connection);
            if (options.validate()) {
                validate(sink.segment());
            }
            output.ping("ping", () -> RpingText.text(sink.segment(), options.size()));
            pings++;
            nanos = System.nanoTime() - start;
        }
    }

    private void announce(long message, RpingStage answer, RpingEnd end, Connection connection)
            throws InterruptedException {
        end.send(message, pings, connection);
        end.require(answer, pings, connection);
        end.postReceive(pings, connection);
        output.step("ping %d: %s", pings, answer);
    }

    private void validate(MemorySegment sink) {
        long wrong = text.mismatch(sink, pings);
        if (wrong >= 0) {
            throw new CommandFailure(String.format(
                    "ping %d: byte %d of the %d that came back is 0x%02x, not what was sent",
                    pings, wrong, options.size(), sink.get(ValueLayout.JAVA_BYTE, wrong)));
        }
    }
}
