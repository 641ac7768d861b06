package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.EnumSet;

/** One run of {@code verbs pingpong rc}, from opening the device to the report. */
final class RcPingpong {
    private final PingpongOptions options;
    private final boolean json;
    private final PrintWriter out;
    private final PrintWriter err;

    RcPingpong(PingpongOptions options, boolean json, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.json = json;
        this.out = out;
        this.err = err;
    }

    void run() {
        Device device = options.device() == null ? Device.first() : Device.named(options.device());
        try (DeviceContext context = device.open()) {
            PortAttributes port = context.port(options.port());
            requirePossible(device, port);
            GidEntry gid = chooseGid(context.gids(options.port()));
            try (Endpoint endpoint =
                    Endpoint.create(context, 2 * options.size(), options.depth(), AccessFlag.LOCAL_WRITE)) {
                run(endpoint, port, gid);
            }
        }
    }

    private void requirePossible(Device device, PortAttributes port) {
        String where = "port " + port.number() + " of " + device.name();
        if (options.size() > port.maxMessageLength()) {
            throw new CommandFailure("size (-s) " + options.size() + " is over the longest message of " + where + ", "
                    + port.maxMessageLength() + " bytes");
        }
        if (options.mtu().compareTo(port.activeMtu()) > 0) {
            throw new CommandFailure("MTU (-m) " + options.mtu().bytes() + " is over the active MTU of " + where + ", "
                    + port.activeMtu().bytes());
        }
    }

    private GidEntry chooseGid(GidTable gids) {
        return options.gidIndex() == null ? gids.preferred() : gids.byIndex(options.gidIndex());
    }

    private void run(Endpoint endpoint, PortAttributes port, GidEntry gid) {
        QueuePairAddress address = endpoint.queuePair().initialize(gid, EnumSet.noneOf(AccessFlag.class));
        RoundTrips trips =
                new RoundTrips(endpoint, options.isClient(), options.size(), options.depth(), options.patience());
        trips.postReceives();
        PingpongRecord mine = new PingpongRecord(
                address.lid(), address.queuePairNumber(), address.packetSequenceNumber(), told(port, gid));
        if (!json) {
            out.println("  local address:  " + mine);
            out.flush();
        }
        PingpongRecord peer = options.isClient() ? meetServer(endpoint, port, mine) : meetClient(endpoint, port, mine);
        if (!json) {
            out.println("  remote address: " + peer);
            out.flush();
        }
        Latencies latencies = new Latencies();
        long nanos =
                trips.run(options.size(), options.iterations(), options.validate(), latencies::record, Progress.NONE);
        String device = endpoint.queuePair().domain().context().device().name();
        PingpongResult result = new PingpongResult(options, device, gid, mine, peer, nanos, latencies);
        if (json) {
            out.println(Json.text(result.toJson()));
        } else {
            result.lines().forEach(out::println);
        }
        out.flush();
    }

    /** Over InfiniBand the C program routes by LID, and has no use for a GID, unless both ends ask for it. */
    private Gid told(PortAttributes port, GidEntry gid) {
        return port.linkLayer() == LinkLayer.ETHERNET || options.gidIndex() != null ? gid.gid() : Gid.NONE;
    }

    private PingpongRecord meetServer(Endpoint endpoint, PortAttributes port, PingpongRecord mine) {
        PingpongRecord peer;
        try (Meeting meeting = Meeting.connect(options.host(), options.tcpPort(), options.patience())) {
            meeting.tell(mine);
            peer = meeting.hear();
            meeting.tellDone();
        }
        connect(endpoint, port, peer);
        return peer;
    }

    private PingpongRecord meetClient(Endpoint endpoint, PortAttributes port, PingpongRecord mine) {
        try (ServerSocket listener = Meeting.listen(options.tcpPort())) {
            err.println("listening on TCP port " + listener.getLocalPort() + " for a client");
            err.flush();
            try (Meeting meeting = Meeting.accept(listener, options.clientWait(), options.patience())) {
                PingpongRecord peer = meeting.hear();
                connect(endpoint, port, peer);
                meeting.tell(mine);
                meeting.hearDone();
                return peer;
            }
        } catch (IOException e) {
            throw new CommandFailure("closing the TCP port: " + e.getMessage(), e);
        }
    }

    private void connect(Endpoint endpoint, PortAttributes port, PingpongRecord peer) {
        if (port.linkLayer() == LinkLayer.ETHERNET && peer.gid().isNone()) {
            throw new CommandFailure("the peer told no GID, and over RoCE there is no way to it without: start it with"
                    + " -g INDEX (ibv_rc_pingpong -g 1, say; 'ibv_devinfo -v' there lists the indexes)");
        }
        endpoint.queuePair()
                .connect(
                        new QueuePairAddress(
                                port.linkLayer(),
                                peer.lid(),
                                peer.gid(),
                                peer.queuePairNumber(),
                                peer.packetSequenceNumber(),
                                options.mtu(),
                                1),
                        RcPath.defaults().withMtu(options.mtu()).withMaxReads(1));
    }
}
