package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RemoteRegion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The demo's second process, with a main method of its own so that it starts fast: does what the lines on its standard input say, and answers each with one line. Its end of the
 * conversation is in {@link PeerProcess}.
 */
final class DemoPeer {
    /** In place of an index: the preferred row. */
    static final String PREFERRED = "preferred";

    private final ConnectedEndpoint<RcQueuePair> endpoint;
    private final GidEntry gid;
    private final BufferedReader in;
    private final PrintWriter out;
    private final RoundTrips trips;

    DemoPeer(ConnectedEndpoint<RcQueuePair> endpoint, GidEntry gid, InputStream in, PrintWriter out) {
        this.endpoint = endpoint;
        this.gid = gid;
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.out = out;
        this.trips = new RoundTrips(endpoint, false, DemoPlan.ROOM, DemoPlan.DEPTH, DemoPlan.PATIENCE);
    }

    /** Arguments: device, port, row of the GID table. */
    static void main(String[] arguments) {
        try (DeviceContext context = Device.named(arguments[0]).open();
                ConnectedEndpoint<RcQueuePair> endpoint = Demo.create(context)) {
            GidTable gids = context.gids(Integer.parseInt(arguments[1]));
            GidEntry gid =
                    arguments[2].equals(PREFERRED) ? gids.preferred() : gids.byIndex(Integer.parseInt(arguments[2]));
            new DemoPeer(endpoint, gid, System.in, new PrintWriter(System.out)).serve();
        } catch (RuntimeException e) {
            System.err.println("verbs demo, second process: " + Failures.reason(e));
            System.exit(1);
        }
    }

    /** Until the input ends. */
    void serve() {
        QueuePairAddress mine = endpoint.queuePair().initialize(gid);
        trips.postReceives();
        RemoteRegion memory = endpoint.memory().remote();
        answer("hello " + mine.toText() + " " + memory.address() + " " + memory.length() + " "
                + memory.key().value());
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                answer(obey(line.split(" ")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String obey(String[] words) {
        switch (words[0]) {
            case "connect" -> endpoint.connect(QueuePairAddress.parse(words[1]));
            case "play" ->
                trips.run(
                        Long.parseLong(words[1]),
                        Integer.parseInt(words[2]),
                        Boolean.parseBoolean(words[3]),
                        _ -> {},
                        Progress.NONE);
            case "fill" ->
                Payload.fill(endpoint.memory().segment(), DemoPlan.BLOCK_AT, DemoPlan.BLOCK, Long.parseLong(words[1]));
            case "compare" -> {
                long wrong = Payload.mismatch(
                        endpoint.memory().segment(), DemoPlan.BLOCK_AT, DemoPlan.BLOCK, Long.parseLong(words[1]));
                if (wrong >= 0) {
                    return "byte " + wrong + " of what the RDMA write left here is wrong";
                }
            }
            default -> throw new CommandFailure("unknown order " + words[0]);
        }
        return PeerProcess.OBEYED;
    }

    private void answer(String line) {
        out.println(line);
        out.flush();
    }
}
