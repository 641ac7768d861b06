package io.github.verbs4j.doctor;

import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.host.Counters;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.NetworkInterface;
import io.github.verbs4j.host.RdmaPort;
import java.util.Objects;
import java.util.Optional;

/**
 * A port of an RDMA device.
 *
 * @param port the port
 * @param network the network interface behind it, if this network namespace has it
 * @param gids its addresses
 * @param counters what it counts, whichever process it was
 */
public record PortReport(RdmaPort port, Optional<NetworkInterface> network, GidTable gids, Counters counters) {
    /** Refuses null. */
    public PortReport {
        Objects.requireNonNull(port, "port");
        Objects.requireNonNull(network, "network");
        Objects.requireNonNull(gids, "gids");
        Objects.requireNonNull(counters, "counters");
    }

    /** {@return the address to use when nobody said which, if there is one} */
    public Optional<GidEntry> preferredGid() {
        return gids.entries().isEmpty() ? Optional.empty() : Optional.of(gids.preferred());
    }

    static PortReport read(Host host, String device, RdmaPort port) {
        return new PortReport(
                port,
                port.netDevice().flatMap(host::networkInterface),
                host.gidTable(device, port.number()),
                host.counters(device, port.number()));
    }
}
