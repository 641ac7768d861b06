package io.github.verbs4j.error;

import io.github.verbs4j.host.Capability;
import io.github.verbs4j.host.Container;
import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Device nodes that cannot be opened. */
final class DeviceExplanations {

    /** The error number of who has only looked at the node. */
    static final Errno NOT_TRIED = new Errno(0);

    private DeviceExplanations() {}

    /** A limit that has nothing to do with what is opened. */
    static boolean isNotOfTheNode(Errno errno) {
        return errno.equals(Errno.EAGAIN) || errno.equals(Errno.EMFILE) || errno.equals(Errno.ENFILE);
    }

    static Explanation open(Host host, Errno errno, String name) {
        if (isNotOfTheNode(errno)) {
            return RefusalExplanations.of(host, errno, name);
        }
        Optional<RdmaDevice> device = host.rdmaDevice(name);
        if (device.isEmpty()) {
            return new Explanation(
                    "the kernel has no device named " + name,
                    host.rdmaDevices().isEmpty()
                            ? NoDeviceExplanation.of(host).next()
                            : "list those it has: ls /sys/class/infiniband",
                    List.of("devices of the kernel: " + NoDeviceExplanation.devices(host)));
        }
        Optional<String> uverbs = device.get().uverbs();
        if (uverbs.isEmpty()) {
            return new Explanation(
                    name + " has no user-space interface here" + NoDeviceExplanation.becauseOfUverbs(host),
                    NoDeviceExplanation.loading(host, "ib_uverbs"),
                    NoDeviceExplanation.facts(host));
        }
        return host.deviceNode(uverbs.get())
                .map(node -> node(host, errno, name, node))
                .orElseGet(() ->
                        noNode(host, name, uverbs.get(), facts(host, "nodes: " + NoDeviceExplanation.nodes(host))));
    }

    /** A node that the kernel would serve, but that is not there. */
    static Explanation noNode(Host host, String device, String uverbs, List<String> facts) {
        return noNode(host, device, uverbs, "/sys/class/infiniband_verbs/" + uverbs + "/dev", facts);
    }

    /** {@code numbers} is the file that tells major and minor. */
    static Explanation noNode(Host host, String owner, String name, String numbers, List<String> facts) {
        String path = DeviceNode.DIRECTORY + "/" + name;
        return new Explanation(
                path + ", the node of " + owner + ", does not exist here",
                host.container().isInside()
                        ? passDevice(host, path)
                        : "mkdir -p /dev/infiniband && mknod -m 0666 " + path
                                + " c $(tr : ' ' < " + numbers
                                + ")\nas root; a /dev of type devtmpfs has the node by itself",
                facts);
    }

    /** A node that nobody has tried to open. */
    static Explanation node(Host host, String device, DeviceNode node) {
        return node(host, NOT_TRIED, device, node);
    }

    /** A node that exists: may it be opened, and if not, by whose word? */
    static Explanation node(Host host, Errno errno, String device, DeviceNode node) {
        List<String> facts = facts(
                host,
                "node: " + node.path() + " " + node.permissions() + " " + node.owner() + ":" + node.group()
                        + ", by which this process may " + access(node));
        if (node.isAccessible()) {
            // by its mode; a mount may say otherwise, which the library, having tried other ways too, tells as ENOENT
            return host.openRefusal(node.name())
                    .filter(Errno.EACCES.text()::equals)
                    .map(refused -> ofRules(host, Errno.EACCES, node, facts))
                    .orElseGet(() -> accessible(host, device, facts));
        }
        boolean overridesModes = host.capabilities().has(Capability.DAC_OVERRIDE)
                && host.capabilities().initialNamespace();
        if (node.isOpenToAll() || overridesModes) {
            return ofRules(host, errno, node, facts);
        }
        if (host.userId().orElse(-1) == 0) {
            facts.add("CAP_DAC_OVERRIDE (opens any node): "
                    + (host.capabilities().initialNamespace() ? "no" : "without effect in a user namespace"));
            return new Explanation(
                    "root may not read and write " + node.path()
                            + " here (EACCES): its mode and owner do not allow it, and"
                            + " root is without CAP_DAC_OVERRIDE",
                    "chmod 0666 " + node.path() + "   (where the node is real)\n"
                            + "docker, podman: --cap-add DAC_OVERRIDE, or --device=" + node.path()
                            + " with an owner or group that the container has",
                    facts);
        }
        boolean groupHelps = !node.group().equals("root") && node.permissions().startsWith("rw", 3);
        return new Explanation(
                "this user may not read and write " + node.path() + " (EACCES)",
                groupHelps
                        ? "usermod -aG " + node.group() + " USER, then log in again"
                                + (host.container().isInside()
                                        ? "; in a container: --group-add with that group's number"
                                        : "")
                        : "chmod 0666 " + node.path()
                                + "   (as root; the kernel's own default: a udev rule, or somebody, has narrowed it)",
                facts);
    }

    /** The mode says yes. */
    private static Explanation ofRules(Host host, Errno errno, DeviceNode node, List<String> facts) {
        if (errno.equals(Errno.EACCES)) {
            return new Explanation(
                    "the mode of " + node.path()
                            + " allows it, yet the kernel does not (EACCES): the file system that it is"
                            + " on is mounted nodev, or a security module (SELinux, AppArmor) forbids it",
                    "look for nodev in: findmnt -T " + node.path() + " -o TARGET,OPTIONS\n"
                            + "look for denials in: dmesg | grep -iE 'avc|apparmor'",
                    facts);
        }
        return new Explanation(
                "the mode of " + node.path() + " allows it, yet the kernel does not (EPERM): the device rules of the"
                        + " control group, or a security module (SELinux, AppArmor)",
                host.container().isInside()
                        ? passDevice(host, node.path())
                        : "systemd unit: DeviceAllow=" + node.path() + " rw",
                facts);
    }

    private static Explanation accessible(Host host, String device, List<String> facts) {
        return switch (host.namespaceMode()) {
            case EXCLUSIVE ->
                new Explanation(
                        "RDMA devices are exclusive to a network namespace on this machine, and " + device
                                + " is most likely in another one than this process (EPERM)",
                        "move the device: rdma dev set " + device + " netns NAME\n"
                                + "or share all devices: rdma system set netns shared",
                        facts);
            case SHARED, UNKNOWN ->
                new Explanation(
                        "not the node's permissions: the kernel's driver or the provider library refused",
                        "look at the last lines of dmesg; check that libibverbs and its providers are of one version",
                        facts);
        };
    }

    private static String access(DeviceNode node) {
        if (node.isAccessible()) {
            return "read and write it";
        }
        return node.readable() ? "read it only" : node.writable() ? "write it only" : "not open it";
    }

    private static String passDevice(Host host, String path) {
        String docker =
                "docker, podman: --device=" + path + " --device=/dev/infiniband/rdma_cm   (a volume is not enough)";
        String kubernetes = "Kubernetes:     request the resource of an RDMA device plugin for the container";
        return host.container().kind() == Container.Kind.KUBERNETES
                ? kubernetes + "\n" + docker
                : docker + "\n" + kubernetes;
    }

    private static List<String> facts(Host host, String first) {
        List<String> facts = new ArrayList<>(List.of(first));
        facts.add("RDMA network namespaces: "
                + switch (host.namespaceMode()) {
                    case SHARED -> "shared";
                    case EXCLUSIVE -> "exclusive";
                    case UNKNOWN -> "unknown (shared by default)";
                });
        NoDeviceExplanation.containerFact(host).ifPresent(facts::add);
        return facts;
    }
}
