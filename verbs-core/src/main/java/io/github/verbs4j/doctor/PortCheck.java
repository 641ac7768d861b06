package io.github.verbs4j.doctor;

import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.NetworkInterface;
import java.util.ArrayList;
import java.util.List;

/** Does a port carry anything, from which address, in packets of which length? */
final class PortCheck {
    /** A packet of 4096 bytes with all its headers. */
    private static final int FULL_PACKET = 4200;

    private PortCheck() {}

    static List<Finding> of(Host host, String device, PortReport report) {
        String subject = device + " port " + report.port().number();
        Explanation state = Explanations.port(host, device, report.port());
        if (state != Explanation.NONE) {
            return List.of(new Finding(
                    report.port().state().equals("DOWN") ? "link-down" : "port-not-active",
                    Severity.ERROR,
                    subject,
                    state.cause(),
                    "every connection and datagram over this port",
                    state.next()));
        }
        List<Finding> findings = new ArrayList<>();
        Explanation addresses = Explanations.addresses(report.port(), report.gids());
        if (addresses != Explanation.NONE) {
            findings.add(new Finding(
                    "no-ipv4-address",
                    Severity.ERROR,
                    subject,
                    addresses.cause(),
                    "connections by IPv4 address, and peers whose GID is of IPv4",
                    addresses.next()));
        }
        report.preferredGid()
                .filter(gid -> gid.type() == GidType.ROCE_V1)
                .ifPresent(_ -> findings.add(onlyVersion1(subject)));
        report.network()
                .filter(network -> network.mtu().orElse(FULL_PACKET) < FULL_PACKET)
                .ifPresent(network -> findings.add(shortPackets(subject, network)));
        findings.addAll(CounterCheck.of(device, report));
        return findings;
    }

    private static Finding onlyVersion1(String subject) {
        return new Finding(
                "roce-v1-only",
                Severity.WARNING,
                subject,
                "all its GIDs are of RoCE version 1",
                "traffic through a router, and with peers that speak version 2 only",
                "switch version 2 on in the driver or the firmware of the device");
    }

    private static Finding shortPackets(String subject, NetworkInterface network) {
        return new Finding(
                "small-mtu",
                Severity.INFO,
                subject,
                "the MTU of " + network.name() + " is " + network.mtu().getAsInt()
                        + ", too short for RDMA packets of 4096 bytes",
                "nothing; large messages take more packets, and more time, than they need",
                "ip link set " + network.name() + " mtu 9000   (if the switches and the peers have it too)");
    }
}
