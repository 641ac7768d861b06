package io.github.verbs4j.error;

import io.github.verbs4j.host.Container;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.KernelModules;
import io.github.verbs4j.host.ModuleState;
import io.github.verbs4j.host.NamespaceMode;
import io.github.verbs4j.host.RdmaDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The library lists no device. */
final class NoDeviceExplanation {

    private static final List<String> MODULES = List.of("ib_uverbs", "rdma_ucm", "mlx5_ib", "rdma_rxe");

    /** Network drivers whose RDMA half is a module of its own. */
    private static final Map<String, String> RDMA_HALF = new LinkedHashMap<>();

    static {
        RDMA_HALF.put("mlx5_core", "mlx5_ib");
        RDMA_HALF.put("mlx4_core", "mlx4_ib");
        RDMA_HALF.put("ice", "irdma");
        RDMA_HALF.put("bnxt_en", "bnxt_re");
        RDMA_HALF.put("qede", "qedr");
        RDMA_HALF.put("cxgb4", "iw_cxgb4");
        RDMA_HALF.put("mana", "mana_ib");
    }

    private NoDeviceExplanation() {}

    static Explanation of(Host host) {
        return host.rdmaDevices().isEmpty() ? kernelHasNone(host) : libraryHasNone(host);
    }

    private static Explanation libraryHasNone(Host host) {
        List<RdmaDevice> devices = host.rdmaDevices();
        List<RdmaDevice> reachable =
                devices.stream().filter(device -> device.uverbs().isPresent()).toList();
        if (reachable.isEmpty()) {
            return new Explanation(
                    "the kernel has " + devices(host) + ", but no user-space interface to it" + becauseOfUverbs(host),
                    loading(host, "ib_uverbs"),
                    facts(host));
        }
        boolean configured = ProviderExplanation.isConfigured(host, ProviderExplanation.wanted(devices));
        if (configured && reachable.stream().noneMatch(device -> hasNode(host, device))) {
            RdmaDevice first = reachable.getFirst();
            return DeviceExplanations.noNode(host, first.name(), first.uverbs().orElseThrow(), facts(host));
        }
        if (configured && host.namespaceMode() == NamespaceMode.EXCLUSIVE) {
            return exclusive(host);
        }
        return ProviderExplanation.of(host, devices);
    }

    private static Explanation kernelHasNone(Host host) {
        if (!host.hasSysfs()) {
            return new Explanation(
                    "/sys shows nothing here: which devices the kernel has cannot be told, and the libraries find none",
                    "mount -t sysfs sysfs /sys   (as root; in a container, start it without masking /sys)",
                    facts(host));
        }
        KernelModules modules = host.modules();
        Optional<Map.Entry<String, String>> half = RDMA_HALF.entrySet().stream()
                .filter(entry -> modules.state(entry.getKey()).isPresent())
                .filter(entry -> !modules.state(entry.getValue()).isPresent())
                .findFirst();
        if (host.namespaceMode() == NamespaceMode.EXCLUSIVE) {
            return exclusive(host);
        }
        if (half.isPresent()) {
            return new Explanation(
                    "the network driver " + half.get().getKey() + " is loaded, its RDMA half "
                            + half.get().getValue() + " is not",
                    loading(host, half.get().getValue()) + "\n" + Remedies.SOFT_ROCE,
                    facts(host));
        }
        return new Explanation(
                "the kernel knows no RDMA device: "
                        + (modules.state("ib_core").isPresent()
                                ? "no hardware, no driver loaded, no software device made"
                                : "none of its RDMA modules is loaded"),
                softwareDevice(host) + "\n" + Remedies.SOFT_ROCE,
                facts(host));
    }

    private static Explanation exclusive(Host host) {
        return new Explanation(
                "no RDMA device in this network namespace; devices are exclusive to one on this machine",
                "on the machine itself: rdma dev show, then rdma dev set DEVICE netns NAME\n"
                        + "or share all devices: rdma system set netns shared",
                facts(host));
    }

    /** libibverbs lists only devices whose node is there, accessible or not. */
    private static boolean hasNode(Host host, RdmaDevice device) {
        return device.uverbs().flatMap(host::deviceNode).isPresent();
    }

    private static String softwareDevice(Host host) {
        KernelModules modules = host.modules();
        List<String> steps = new ArrayList<>();
        if (!modules.state("ib_uverbs").isPresent()) {
            steps.add("modprobe ib_uverbs");
        }
        if (!modules.state("rdma_rxe").isPresent()) {
            steps.add("modprobe rdma_rxe");
        }
        steps.add("rdma link add rxe0 type rxe netdev eth0");
        String command = "make a software device (Soft-RoCE) over a network interface, as root"
                + (host.container().isInside() ? " on the machine itself" : "") + ":\n  " + String.join(" && ", steps);
        return modules.state("rdma_rxe") == ModuleState.ABSENT
                ? command + "\nrdma_rxe is not on disk for this kernel, install it first:\n  "
                        + host.distribution().family().extraModules()
                : command;
    }

    static String becauseOfUverbs(Host host) {
        return host.modules().state("ib_uverbs").isPresent() ? "" : ": the module ib_uverbs is not loaded";
    }

    /** How to get a module into the kernel. */
    static String loading(Host host, String module) {
        String where = host.container().isInside() ? ", on the machine itself: a container cannot" : "";
        return switch (host.modules().state(module)) {
            case LOADED, BUILT_IN ->
                module + " is there; see dmesg for why it made no interface, and mount /sys in a container";
            case ABSENT ->
                "install the kernel's " + module + " ("
                        + host.distribution().family().extraModules() + "), then: modprobe " + module;
            case INSTALLED -> typed(module, where);
            case NOT_LOADED ->
                host.container().isInside() || host.kernelRelease().isEmpty()
                        ? typed(module, where)
                        : "the modules of the running kernel ("
                                + host.kernelRelease().get()
                                + ") are not on disk, as after an upgrade: restart the machine, then: modprobe "
                                + module;
        };
    }

    private static String typed(String module, String where) {
        return "modprobe " + module + "   (as root" + where + ")\n" + "at every start: echo " + module
                + " > /etc/modules-load.d/" + module + ".conf";
    }

    static List<String> facts(Host host) {
        List<String> facts = new ArrayList<>();
        facts.add("devices of the kernel (/sys/class/infiniband): " + devices(host));
        KernelModules modules = host.modules();
        facts.add("modules: "
                + MODULES.stream()
                        .map(module -> module + " " + words(modules.state(module)))
                        .collect(Collectors.joining(", ")));
        facts.add("nodes (/dev/infiniband): " + nodes(host));
        List<String> providers = host.providers();
        facts.add("providers (/etc/libibverbs.d): " + (providers.isEmpty() ? "none" : String.join(", ", providers)));
        containerFact(host).ifPresent(facts::add);
        return facts;
    }

    static String devices(Host host) {
        List<RdmaDevice> devices = host.rdmaDevices();
        return devices.isEmpty()
                ? "none"
                : devices.stream().map(RdmaDevice::name).collect(Collectors.joining(", "));
    }

    static String nodes(Host host) {
        String nodes = host.deviceNodes().stream()
                .map(node -> node.name() + (node.isAccessible() ? "" : " (not accessible)"))
                .collect(Collectors.joining(", "));
        return nodes.isEmpty() ? "none" : nodes;
    }

    static Optional<String> containerFact(Host host) {
        Container container = host.container();
        return container.isInside()
                ? Optional.of("in a container: " + container.kind().name().toLowerCase(Locale.ROOT) + " ("
                        + container.evidence() + ")")
                : Optional.empty();
    }

    private static String words(ModuleState state) {
        return switch (state) {
            case LOADED -> "loaded";
            case BUILT_IN -> "built in";
            case INSTALLED, NOT_LOADED -> "not loaded";
            case ABSENT -> "not installed";
        };
    }
}
