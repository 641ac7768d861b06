package io.github.verbs4j.host;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A port of an RDMA device, as {@code /sys/class/infiniband} shows it.
 *
 * @param number the port number, from 1
 * @param state the logical state, for example {@code ACTIVE} or {@code DOWN}; empty if unknown
 * @param physicalState the physical state, for example {@code LinkUp}; empty if unknown
 * @param linkLayer {@code Ethernet} or {@code InfiniBand}; empty if unknown
 * @param rate the rate in the kernel's words, for example {@code 100 Gb/sec (4X EDR)}; empty if unknown
 * @param netDevice the network interface behind the port, if one is visible from here
 */
public record RdmaPort(
        int number, String state, String physicalState, String linkLayer, String rate, Optional<String> netDevice) {
    /** Refuses null. */
    public RdmaPort {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(physicalState, "physicalState");
        Objects.requireNonNull(linkLayer, "linkLayer");
        Objects.requireNonNull(rate, "rate");
        Objects.requireNonNull(netDevice, "netDevice");
    }

    static RdmaPort read(Tree tree, String device, int number) {
        String port = "/sys/class/infiniband/" + device + "/ports/" + number + "/";
        return new RdmaPort(
                number,
                afterColon(tree.line(port + "state").orElse("")),
                afterColon(tree.line(port + "phys_state").orElse("")),
                tree.line(port + "link_layer").orElse(""),
                tree.line(port + "rate").orElse(""),
                tree.line(port + "gid_attrs/ndevs/0")
                        .or(() -> tree.line("/sys/class/infiniband/" + device + "/parent"))
                        .or(() -> only(tree.names("/sys/class/infiniband/" + device + "/device/net"))));
    }

    /** A port without addresses does not tell; where the hardware has one interface, it is that. */
    private static Optional<String> only(List<String> names) {
        return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
    }

    /** Sysfs writes {@code 4: ACTIVE}. */
    static String afterColon(String value) {
        return value.substring(value.indexOf(':') + 1).strip();
    }
}
