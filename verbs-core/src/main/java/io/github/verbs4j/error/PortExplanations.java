package io.github.verbs4j.error;

import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.NetworkInterface;
import io.github.verbs4j.host.RdmaPort;
import java.util.List;
import java.util.Optional;

/** Ports: not up, not configured, without an address. */
final class PortExplanations {

    private PortExplanations() {}

    static Explanation state(Host host, String device, RdmaPort port) {
        if (port.state().equals("ACTIVE")) {
            return Explanation.NONE;
        }
        List<String> facts = List.of("port " + port.number() + " of " + device + ": " + port.state() + ", "
                + port.physicalState() + ", " + port.linkLayer());
        return switch (port.state()) {
            case "INIT", "ARMED" ->
                new Explanation(
                        "the link is up, but no subnet manager has configured the port (it is " + port.state() + ")",
                        "start one on a machine of this fabric: systemctl start opensm   (package opensm), or see why the"
                                + " switch's own does not reach the port: sminfo   (package infiniband-diags)",
                        facts);
            default ->
                port.linkLayer().equals("InfiniBand")
                        ? noInfiniBandLink(port, facts)
                        : noEthernetLink(host, port, facts);
        };
    }

    private static Explanation noInfiniBandLink(RdmaPort port, List<String> facts) {
        return new Explanation(
                "the link is down (physical state " + port.physicalState() + ")",
                "look at the cable and the switch's port: ibstat, iblinkinfo   (package infiniband-diags)",
                facts);
    }

    private static Explanation noEthernetLink(Host host, RdmaPort port, List<String> facts) {
        Optional<String> name = port.netDevice();
        if (name.isEmpty()) {
            return new Explanation(
                    "the link is down, and the port's network interface is not in this network namespace",
                    "find it on the machine itself: rdma link; ip link",
                    facts);
        }
        boolean off =
                host.networkInterface(name.get()).filter(NetworkInterface::up).isEmpty();
        return off
                ? new Explanation(
                        "the link is down: its network interface " + name.get() + " is switched off",
                        "ip link set " + name.get() + " up",
                        facts)
                : new Explanation(
                        "the link is down: its network interface " + name.get() + " is on, but has no carrier",
                        "look at cable, transceiver and the switch's port: ethtool " + name.get(),
                        facts);
    }

    /** Of an Ethernet port that is up: does it have the addresses that RoCE goes by? */
    static Explanation addresses(RdmaPort port, GidTable gids) {
        if (!port.linkLayer().equals("Ethernet")
                || gids.entries().stream().anyMatch(entry -> entry.gid().isIpv4())) {
            return Explanation.NONE;
        }
        String name = port.netDevice().orElse("its network interface");
        String left = gids.entries().isEmpty()
                ? "the GID table is empty"
                : gids.entries().stream().map(GidEntry::gid).allMatch(gid -> gid.isLinkLocal())
                        ? "its only GID is link-local, which no router passes on"
                        : "its GIDs are of IPv6";
        return new Explanation(
                name + " has no IPv4 address: " + left,
                "ip address add ADDRESS/PREFIX dev " + port.netDevice().orElse("INTERFACE"),
                List.of());
    }
}
