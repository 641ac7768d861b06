package io.github.verbs4j.error;

import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.Host;
import java.util.List;

/** librdmacm cannot reach the kernel's connection manager. */
final class ConnectionManagerExplanation {

    private static final String MODULE = "rdma_ucm";
    private static final String NODE = "rdma_cm";

    private ConnectionManagerExplanation() {}

    static Explanation of(Host host) {
        if (!host.modules().state(MODULE).isPresent()) {
            return new Explanation(
                    "the module rdma_ucm is not loaded, so that programs do not reach the kernel's connection manager",
                    NoDeviceExplanation.loading(host, MODULE)
                            + (host.rdmaDevices().isEmpty() ? "\n" + Remedies.SOFT_ROCE : ""),
                    facts(host));
        }
        return host.deviceNode(NODE)
                .map(node -> DeviceExplanations.node(host, "the connection manager", node))
                .orElseGet(() -> DeviceExplanations.noNode(
                        host, "the connection manager", NODE, "/sys/class/misc/rdma_cm/dev", facts(host)));
    }

    private static List<String> facts(Host host) {
        return List.of("nodes (" + DeviceNode.DIRECTORY + "): " + NoDeviceExplanation.nodes(host));
    }
}
