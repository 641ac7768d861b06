package io.github.verbs4j.doctor;

import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Container;
import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.Distribution;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.HugePages;
import io.github.verbs4j.host.KernelModules;
import io.github.verbs4j.host.Libraries;
import io.github.verbs4j.host.ModuleState;
import io.github.verbs4j.host.NamespaceMode;
import io.github.verbs4j.host.NumaNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The machine, as far as RDMA cares.
 *
 * @param kernel the release of the running kernel, if it can be told
 * @param distribution the Linux distribution; in a container the image's
 * @param container whether this process is in one
 * @param namespaceMode how RDMA devices and network namespaces go together
 * @param modules the modules that every RDMA program needs, in the order of their layers, and the drivers that are
 *     loaded
 * @param connectionManager the node of the kernel's connection manager, if there is one
 * @param libraries libibverbs, librdmacm and the providers' libraries
 * @param configuredProviders the providers that libibverbs was told to try, {@code /etc/libibverbs.d}
 * @param available memory that the machine could still give out without swapping
 * @param hugePages its pools of huge pages, by size
 * @param numaNodes its NUMA nodes, by number; none if the kernel does not know nodes
 */
public record MachineReport(
        Optional<String> kernel,
        Distribution distribution,
        Container container,
        NamespaceMode namespaceMode,
        Map<String, ModuleState> modules,
        Optional<DeviceNode> connectionManager,
        Libraries libraries,
        List<String> configuredProviders,
        ByteLimit available,
        List<HugePages> hugePages,
        List<NumaNode> numaNodes) {
    /** Refuses null. */
    public MachineReport {
        Objects.requireNonNull(kernel, "kernel");
        Objects.requireNonNull(distribution, "distribution");
        Objects.requireNonNull(container, "container");
        Objects.requireNonNull(namespaceMode, "namespaceMode");
        Objects.requireNonNull(modules, "modules");
        Objects.requireNonNull(connectionManager, "connectionManager");
        Objects.requireNonNull(libraries, "libraries");
        configuredProviders = List.copyOf(Objects.requireNonNull(configuredProviders, "configuredProviders"));
        Objects.requireNonNull(available, "available");
        hugePages = List.copyOf(Objects.requireNonNull(hugePages, "hugePages"));
        numaNodes = List.copyOf(Objects.requireNonNull(numaNodes, "numaNodes"));
    }

    /** Core, interface to user space, the connection manager and its interface. */
    private static final List<String> LAYERS = List.of("ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm");

    private static final List<String> DRIVERS = List.of(
            "mlx5_ib",
            "mlx4_ib",
            "irdma",
            "bnxt_re",
            "qedr",
            "iw_cxgb4",
            "efa",
            "erdma",
            "hfi1",
            "mana_ib",
            "rdma_rxe",
            "siw");

    static MachineReport read(Host host) {
        KernelModules kernel = host.modules();
        Map<String, ModuleState> modules = new LinkedHashMap<>();
        LAYERS.forEach(name -> modules.put(name, kernel.state(name)));
        DRIVERS.stream()
                .filter(name -> kernel.state(name).isPresent())
                .forEach(name -> modules.put(name, kernel.state(name)));
        return new MachineReport(
                host.kernelRelease(),
                host.distribution(),
                host.container(),
                host.namespaceMode(),
                modules,
                host.deviceNode("rdma_cm"),
                host.libraries(),
                host.providers(),
                new ByteLimit(host.memoryUse().available().orElse(-1)),
                host.hugePages(),
                host.numaNodes());
    }
}
