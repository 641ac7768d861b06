package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.QueuePairAddress;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.function.Consumer;

/** One run of {@code verbs pingpong}, from opening the device to the report. */
abstract class Pingpong {
    final PingpongOptions options;
    final PingpongOutput output;

    Pingpong(PingpongOptions options, PingpongOutput output) {
        this.options = options;
        this.output = output;
    }

    final void run() {
        Device device = options.device() == null ? Device.first() : Device.named(options.device());
        try (DeviceContext context = device.open()) {
            PortAttributes port = context.port(options.port());
            requirePossible(device, port);
            requireDepth(context.attributes(), device.name());
            output.result(play(context, port, chooseGid(context.gids(options.port()))));
        }
    }

    /** Meets the peer, and plays. */
    abstract PingpongResult play(DeviceContext context, PortAttributes port, GidEntry gid);

    private void requirePossible(Device device, PortAttributes port) {
        String where = "port " + port.number() + " of " + device.name();
        int packet = port.activeMtu().bytes();
        if (options.mtu() == null) {
            requireSize(packet, "the active MTU of " + where + ": a datagram is one packet");
            return;
        }
        requireSize(port.maxMessageLength(), "the longest message of " + where);
        if (options.mtu().bytes() > packet) {
            throw new CommandFailure(
                    "MTU (-m) " + options.mtu().bytes() + " is over the active MTU of " + where + ", " + packet);
        }
    }

    /** How many receives a device can keep posted beside our sends, which are completed by the same queue. */
    abstract int mostReceives(DeviceAttributes device);

    final void requireDepth(DeviceAttributes device, String name) {
        int most = mostReceives(device);
        if (options.depth() > most) {
            throw new CommandFailure(
                    "receives (-r) " + options.depth() + " are more than " + name + " can keep posted, " + most);
        }
    }

    private void requireSize(long longest, String what) {
        if (options.size() > longest) {
            throw new CommandFailure("size (-s) " + options.size() + " is over " + longest + " bytes, " + what);
        }
    }

    private GidEntry chooseGid(GidTable gids) {
        return options.gidIndex() == null ? gids.preferred() : gids.byIndex(options.gidIndex());
    }

    /** Tells the peer our addresses, as many as it tells; connects each as soon as both are known. */
    final List<PingpongRecord> meet(List<PingpongRecord> mine, Consumer<List<PingpongRecord>> connect) {
        return options.isClient() ? meetServer(mine, connect) : meetClient(mine, connect);
    }

    private List<PingpongRecord> meetServer(List<PingpongRecord> mine, Consumer<List<PingpongRecord>> connect) {
        List<PingpongRecord> peer;
        try (Meeting meeting = Meeting.connect(options.host(), options.tcpPort(), options.patience())) {
            meeting.tell(mine);
            peer = meeting.hear(mine.size());
            meeting.tellDone();
        }
        connect.accept(peer);
        return peer;
    }

    private List<PingpongRecord> meetClient(List<PingpongRecord> mine, Consumer<List<PingpongRecord>> connect) {
        try (ServerSocket listener = Meeting.listen(options.tcpPort())) {
            output.listening(listener.getLocalPort());
            try (Meeting meeting = Meeting.accept(listener, options.clientWait(), options.patience())) {
                List<PingpongRecord> peer = meeting.hear(mine.size());
                connect.accept(peer);
                meeting.tell(mine);
                meeting.hearDone();
                return peer;
            }
        } catch (IOException e) {
            throw new CommandFailure("closing the TCP port: " + e.getMessage(), e);
        }
    }

    /** What to tell of an address of ours. */
    final PingpongRecord record(QueuePairAddress address, PortAttributes port, GidEntry gid) {
        return new PingpongRecord(
                address.lid(), address.queuePairNumber(), address.packetSequenceNumber(), told(port, gid));
    }

    /** Over InfiniBand the C program routes by LID, and has no use for a GID, unless both ends ask for it. */
    private Gid told(PortAttributes port, GidEntry gid) {
        return port.linkLayer() == LinkLayer.ETHERNET || options.gidIndex() != null ? gid.gid() : Gid.NONE;
    }

    /** Where the peer is, as it told, and what was chosen for the way there: at both ends the same. */
    final QueuePairAddress address(PingpongRecord peer, PortAttributes port) {
        if (port.linkLayer() == LinkLayer.ETHERNET && peer.gid().isNone()) {
            throw new CommandFailure("the peer told no GID, and over RoCE there is no way to it without: start it with"
                    + " -g INDEX (-g 1, say; 'ibv_devinfo -v' there lists the indexes)");
        }
        return new QueuePairAddress(
                port.linkLayer(),
                peer.lid(),
                peer.gid(),
                peer.queuePairNumber(),
                peer.packetSequenceNumber(),
                options.mtu() == null ? port.activeMtu() : options.mtu(),
                1);
    }
}
