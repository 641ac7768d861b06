package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;

/**
 * One end of a ping-pong over a reliable connection, a process of its own: {@code pingpong.c} is its twin, step by step, and
 * tells what it says and obeys.
 */
public final class PingpongEnd {
    private static final int SENDS = 1;
    private static final int RECEIVES = 16;

    private final RcQueuePair pair;
    private final RoundTrips trips;
    private final PrintStream out;

    private PingpongEnd(RcQueuePair pair, RoundTrips trips, PrintStream out) {
        this.pair = pair;
        this.trips = trips;
        this.out = out;
    }

    /**
     * Takes part until its input ends.
     *
     * @param arguments device, port, index of the GID, room for the longest message in bytes, spin or yield
     * @throws IOException if the input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        int gid = Integer.parseInt(arguments[2]);
        long room = Long.parseLong(arguments[3]);
        boolean yielding = arguments[4].equals("yield");
        try (DeviceContext context = Device.named(arguments[0]).open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(2 * room, AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = context.createCompletionQueue(SENDS + RECEIVES);
                // a ping-pong never has more outstanding than it asked for, whatever the device grants on top
                RcQueuePair pair = domain.createRc(
                        QueuePairOptions.sharing(queue).depth(SENDS, RECEIVES).allowOverrun());
                SendQueue sends = SendQueue.over(pair);
                ReceiveQueue receives = ReceiveQueue.over(pair);
                Completions completions = Completions.over(queue, RoundTrips.POLL_BATCH)) {
            QueuePairAddress address =
                    pair.initialize(context.gids(port).byIndex(gid), EnumSet.noneOf(AccessFlag.class));
            RoundTrips trips = new RoundTrips(memory, room, sends, receives, completions, yielding);
            trips.postReceives(RECEIVES);
            System.out.println(
                    "thread " + Path.of("/proc/thread-self").toRealPath().getFileName());
            System.out.println("address " + address.toText());
            new PingpongEnd(pair, trips, System.out).obeyAll();
        }
    }

    private void obeyAll() throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            obey(order.split(" "));
        }
    }

    private void obey(String[] order) {
        switch (order[0]) {
            case "connect" -> {
                pair.connect(QueuePairAddress.parse(order[1]), RcPath.defaults());
                out.println("connected");
            }
            case "pong" -> {
                out.println("ready");
                trips.pong(Integer.parseInt(order[1]), Integer.parseInt(order[2]));
                out.println("done");
            }
            case "ping" -> {
                long[] times = new long[Integer.parseInt(order[2])];
                trips.ping(Integer.parseInt(order[1]), times);
                out.println(timesLine(times));
            }
            default -> throw new IllegalArgumentException("there is no order '" + order[0] + "'");
        }
    }

    private static String timesLine(long[] times) {
        StringBuilder line = new StringBuilder("times");
        for (long time : times) {
            line.append(' ').append(time);
        }
        return line.toString();
    }
}
