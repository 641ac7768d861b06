package io.github.verbs4j.doctor;

import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaControlGroup;
import io.github.verbs4j.host.RdmaDevice;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An RDMA device of the kernel.
 *
 * @param device the device
 * @param node its node in {@code /dev/infiniband}, if it is there
 * @param refusal what the kernel said when the node was to be opened, for example {@code Permission denied}; empty if it
 *     opened
 * @param controlGroup what the control group of this process has on the device, if it counts
 * @param ports its ports
 */
public record DeviceReport(
        RdmaDevice device,
        Optional<DeviceNode> node,
        Optional<String> refusal,
        Optional<RdmaControlGroup> controlGroup,
        List<PortReport> ports) {
    /** Refuses null. */
    public DeviceReport {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(refusal, "refusal");
        Objects.requireNonNull(controlGroup, "controlGroup");
        ports = List.copyOf(Objects.requireNonNull(ports, "ports"));
    }

    /** {@return the name, for example {@code mlx5_0}} */
    public String name() {
        return device.name();
    }

    static DeviceReport read(Host host, RdmaDevice device) {
        return new DeviceReport(
                device,
                device.uverbs().flatMap(host::deviceNode),
                device.uverbs().flatMap(host::openRefusal),
                host.rdmaControlGroup(device.name()),
                device.ports().stream()
                        .map(port -> PortReport.read(host, device.name(), port))
                        .toList());
    }
}
