package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.QueuePairAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The demo, as the process that begins; {@link DemoPeer} is the other one. */
final class Demo {
    private final DemoPlan plan;
    private final String deviceName;
    private final int port;
    private final Integer gidIndex;
    private final Console console;

    Demo(DemoPlan plan, String deviceName, int port, Integer gidIndex, Console console) {
        this.plan = plan;
        this.deviceName = deviceName;
        this.port = port;
        this.gidIndex = gidIndex;
        this.console = console;
    }

    void run() {
        Device device = deviceName == null ? Device.first() : Device.named(deviceName);
        try (PeerProcess peer = PeerProcess.start(device, port, gidIndex);
                DeviceContext context = device.open();
                ConnectedEndpoint<RcQueuePair> endpoint = create(context)) {
            GidTable gids = context.gids(port);
            GidEntry gid = gidIndex == null ? gids.preferred() : gids.byIndex(gidIndex);
            DemoMachine machine = DemoMachine.read(device, gid);
            machine.lines().forEach(console::line);
            console.line("");
            console.line("Stages");
            List<Row> rows = play(endpoint, peer, gid);
            compareWithC(device, gid, rows);
            report(rows);
            machine.caveats().forEach(console::line);
            DemoStory.lines(machine.isSoftware()).forEach(console::line);
        }
    }

    /** The memory and queue pair of either process. */
    static ConnectedEndpoint<RcQueuePair> create(DeviceContext context) {
        return ConnectedEndpoint.reliable(
                context,
                DemoPlan.BLOCK_AT + DemoPlan.BLOCK,
                DemoPlan.DEPTH,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ);
    }

    private List<Row> play(ConnectedEndpoint<RcQueuePair> endpoint, PeerProcess peer, GidEntry gid) {
        QueuePairAddress mine = endpoint.queuePair().initialize(gid);
        RoundTrips trips = new RoundTrips(endpoint, true, DemoPlan.ROOM, DemoPlan.DEPTH, DemoPlan.PATIENCE);
        trips.postReceives();
        console.stage("starting the peer, a second Java process", peer::hello);
        console.stage("exchanging addresses over a pipe, connecting", () -> {
            endpoint.connect(peer.address());
            peer.connect(mine);
            return null;
        });
        List<Row> rows = new ArrayList<>();
        for (long size : DemoPlan.SIZES) {
            rows.add(measure(trips, peer, size));
        }
        new OneSided(endpoint, peer, peer.memory(), console).writeAndRead();
        return rows;
    }

    private Row measure(RoundTrips trips, PeerProcess peer, long size) {
        String messages = " round trips of " + size + " bytes";
        run("comparing every byte of " + plan.checked() + messages, trips, peer, size, plan.checked(), true);
        run(
                "warming up: " + count(plan.warmUp()) + messages + ", not measured",
                trips,
                peer,
                size,
                plan.warmUp(),
                false);
        return new Row(
                size, run("measuring " + count(plan.measured()) + messages, trips, peer, size, plan.measured(), false));
    }

    private Latencies run(
            String what, RoundTrips trips, PeerProcess peer, long size, int iterations, boolean validate) {
        return console.stage(what, () -> {
            Latencies latencies = new Latencies();
            peer.play(size, iterations, validate);
            trips.run(size, iterations, validate, latencies::record, console.counter(iterations));
            peer.played();
            return latencies;
        });
    }

    private void compareWithC(Device device, GidEntry gid, List<Row> rows) {
        if (plan.ofC() == 0 || !CPingpong.isInstalled()) {
            return;
        }
        for (Row row : rows) {
            row.meanOfC = console.stage(
                    "for scale: C's ibv_rc_pingpong, " + count(plan.ofC()) + " round trips of " + row.size + " bytes",
                    () -> CPingpong.mean(device, gid, row.size, plan.ofC()));
        }
    }

    private void report(List<Row> rows) {
        Table table = Table.of(">size", ">iterations", ">min", ">p50", ">p99", ">p99.9", ">max", ">mean", ">C mean");
        for (Row row : rows) {
            List<String> cells = new ArrayList<>(List.of(row.size + " B", count(row.latencies.count())));
            cells.addAll(row.latencies.cells());
            cells.add(Latencies.micros(row.latencies.meanMicros()));
            cells.add(row.meanOfC.isPresent() ? Latencies.micros(row.meanOfC.getAsDouble()) : "n/a");
            table.row(cells);
        }
        console.line("");
        console.line("Round trip in microseconds, a message there and one back");
        table.lines().forEach(line -> console.line("  " + line));
        if (plan.ofC() > 0) {
            CPingpong.note(rows.stream().allMatch(row -> row.meanOfC.isPresent()))
                    .forEach(console::line);
        }
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A line of the table. */
    private static final class Row {
        private final long size;
        private final Latencies latencies;
        private OptionalDouble meanOfC = OptionalDouble.empty();

        Row(long size, Latencies latencies) {
            this.size = size;
            this.latencies = latencies;
        }
    }
}
