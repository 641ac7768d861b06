package io.github.verbs4j.host;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An RDMA device that the kernel knows, as {@code /sys/class/infiniband} shows it.
 *
 * @param name the device, for example {@code mlx5_0}
 * @param nodeType the kind of node, for example {@code CA} or {@code RNIC}; empty if unknown
 * @param uverbs the name of its user-space device node, for example {@code uverbs0}; empty if {@code ib_uverbs} did not
 *     make one
 * @param driver the kernel driver, for example {@code mlx5_core}, if it can be told
 * @param numaNode the NUMA node that the device is on, if the kernel knows; it does not on most machines with one node
 * @param ports its ports, by number
 */
public record RdmaDevice(
        String name,
        String nodeType,
        Optional<String> uverbs,
        Optional<String> driver,
        OptionalInt numaNode,
        List<RdmaPort> ports) {

    /** Drivers, some of the network only, whose name is another one. */
    private static final Map<String, String> PROVIDERS = Map.of(
            "ice",
            "irdma",
            "i40e",
            "irdma",
            "idpf",
            "irdma",
            "bnxt_en",
            "bnxt_re",
            "qede",
            "qedr",
            "hfi1",
            "hfi1verbs");

    private static final String CLASS = "/sys/class/infiniband";

    /** Keeps a copy of the list. */
    public RdmaDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(uverbs, "uverbs");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(numaNode, "numaNode");
        ports = List.copyOf(Objects.requireNonNull(ports, "ports"));
    }

    /** {@return the name of the provider that goes with the driver, for example {@code mlx5}, if it can be told} */
    public Optional<String> provider() {
        return driver.map(name ->
                PROVIDERS.getOrDefault(name, name.replaceFirst("^rdma_", "").replaceFirst("_core$", "")));
    }

    static List<RdmaDevice> readAll(Tree tree) {
        return tree.names(CLASS).stream().map(name -> read(tree, name)).toList();
    }

    private static RdmaDevice read(Tree tree, String name) {
        String directory = CLASS + "/" + name + "/";
        return new RdmaDevice(
                name,
                RdmaPort.afterColon(tree.line(directory + "node_type").orElse("")),
                uverbs(tree, name),
                driver(tree, directory),
                numaNode(tree, directory),
                tree.names(directory + "ports").stream()
                        .flatMapToInt(port -> Tree.parse(port).stream().mapToInt(number -> (int) number))
                        .sorted()
                        .mapToObj(port -> RdmaPort.read(tree, name, port))
                        .toList());
    }

    private static Optional<String> uverbs(Tree tree, String device) {
        String verbs = "/sys/class/infiniband_verbs/";
        return tree.names(verbs).stream()
                .filter(node -> tree.line(verbs + node + "/ibdev").equals(Optional.of(device)))
                .findFirst();
    }

    /** Soft-RoCE has no {@code device} link but, alone among drivers, a {@code parent}. */
    private static Optional<String> driver(Tree tree, String directory) {
        return tree.linkName(directory + "device/driver")
                .or(() -> tree.line(directory + "parent").map(_ -> "rdma_rxe"));
    }

    /** A software device is where its network interface is. */
    private static OptionalInt numaNode(Tree tree, String directory) {
        long node = tree.number(directory + "device/numa_node")
                .orElseGet(() -> tree.line(directory + "parent")
                        .map(parent -> tree.number("/sys/class/net/" + parent + "/device/numa_node")
                                .orElse(-1))
                        .orElse(-1L));
        return node < 0 ? OptionalInt.empty() : OptionalInt.of((int) node);
    }
}
