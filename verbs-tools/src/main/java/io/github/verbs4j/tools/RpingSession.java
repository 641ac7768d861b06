package io.github.verbs4j.tools;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionRequest;
import java.lang.foreign.ValueLayout;

/** A client of an rping server: reads its pings out of its memory, and writes each back to where it wants it. */
final class RpingSession {
    private static final long GO_ON_AT = 0;

    /** Whatever size a client was told. */
    private static final int ROOM = RpingText.LONGEST + 1;

    private final RpingOptions options;
    private final RpingOutput output;
    private final String client;
    private RpingText expected = new RpingText(RpingText.SHORTEST);
    private int pings;

    RpingSession(RpingOptions options, RpingOutput output, String client) {
        this.options = options;
        this.output = output;
        this.client = client;
    }

    /** Serves the client until it disconnects. */
    void run(ConnectionRequest request) throws InterruptedException {
        try (request;
                RpingEnd end = RpingEnd.on(request.device(), options.patience())) {
            request.initialize(end.queuePair());
            end.postReceive();
            MemoryRegion buffer = end.allocate(ROOM, AccessFlag.LOCAL_WRITE);
            try (Connection connection = request.accept(RpingClient.ONE_READ, options.patience())) {
                output.note("client " + client + " connected through " + request.device());
                while (end.await(RpingStage.SOURCE, pings, connection).isEmpty()) {
                    answer(end, connection, buffer);
                    pings++;
                }
            }
            output.note("client " + client + " disconnected after " + pings + " pings"
                    + (options.validate() && pings > 0 ? ", every byte as it must be" : ""));
        }
    }

    private void answer(RpingEnd end, Connection connection, MemoryRegion buffer) throws InterruptedException {
        RemoteRegion source = announced(end, connection);
        int size = (int) source.length();
        end.post(end.sends().read(RpingEnd.READ, buffer, 0, size, source, 0), pings, connection);
        end.require(RpingStage.READ, pings, connection);
        if (options.validate()) {
            validate(buffer, size);
        }
        output.ping("server ping", () -> RpingText.text(buffer.segment(), size));
        end.send(GO_ON_AT, pings, connection);

        end.require(RpingStage.SINK, pings, connection);
        RemoteRegion sink = announced(end, connection);
        int length = Math.min(RpingText.length(buffer.segment(), size) + 1, size); // with its zero
        if (length > sink.length()) {
            throw new CommandFailure("ping " + pings + ": its " + length + " bytes do not fit the " + sink.length()
                    + " that client " + client + " has for the answer");
        }
        end.post(end.sends().write(RpingEnd.WRITE, buffer, 0, length, sink, 0), pings, connection);
        end.require(RpingStage.WRITE, pings, connection);
        end.send(GO_ON_AT, pings, connection);
    }

    /** The memory that the client has just announced; it may announce more once it is told to go on. */
    private RemoteRegion announced(RpingEnd end, Connection connection) throws InterruptedException {
        RpingAnnouncement announcement = end.received();
        if (announcement.size() < 1 || announcement.size() > ROOM) {
            throw new CommandFailure("ping " + pings + ": client " + client + " announced "
                    + Integer.toUnsignedString(announcement.size()) + " bytes, not 1 to " + ROOM
                    + ": is it an rping?");
        }
        RemoteRegion region = announcement.region();
        output.step("ping %d: announced %s", pings, region);
        end.postReceive(pings, connection);
        return region;
    }

    private void validate(MemoryRegion buffer, int size) {
        if (size < RpingText.SHORTEST) {
            throw new CommandFailure("ping " + pings + ": " + size + " bytes are too few for what a ping says");
        }
        if (expected.size() != size) {
            expected = new RpingText(size);
        }
        long wrong = expected.mismatch(buffer.segment(), pings);
        if (wrong >= 0) {
            throw new CommandFailure(String.format(
                    "ping %d: byte %d of the %d of client %s is 0x%02x, not that of a ping",
                    pings, wrong, size, client, buffer.segment().get(ValueLayout.JAVA_BYTE, wrong)));
        }
    }
}
