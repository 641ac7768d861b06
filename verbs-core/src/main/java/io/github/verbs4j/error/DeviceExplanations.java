package io.github.verbs4j.error;

import io.github.verbs4j.host.Container;
import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Devices: not opened, not pleased. */
final class DeviceExplanations {

    private DeviceExplanations() {}

    static Explanation open(Host host, String name) {
        Optional<RdmaDevice> device = host.rdmaDevice(name);
        if (device.isEmpty()) {
            return new Explanation(
                    "the kernel has no device named " + name + " (any more)",
                    "list those it has: ls /sys/class/infiniband",
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
                .map(node -> node(host, name, node))
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

    /** A node that exists: may it be opened, and if not, by whose word? */
    static Explanation node(Host host, String device, DeviceNode node) {
        List<String> facts = facts(
                host,
                "node: " + node.path() + " " + node.permissions() + " " + node.owner() + ":" + node.group()
                        + ", this process may " + access(node));
        if (node.isAccessible()) {
            return accessible(host, device, facts);
        }
        boolean root = host.userId().orElse(-1) == 0;
        if (node.isOpenToAll() || root) {
            return new Explanation(
                    "the mode of " + node.path()
                            + " allows it, yet the kernel does not (EPERM): the device rules of the"
                            + " control group, or a security module (SELinux, AppArmor)",
                    host.container().isInside()
                            ? passDevice(host, node.path())
                            : "systemd unit: DeviceAllow=" + node.path() + " rw",
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
                                + "   (as root; the kernel's own default, which a udev rule here narrows)",
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

    static Explanation invalidArgument(Host host, String device) {
        String driver = host.rdmaDevice(device)
                .flatMap(RdmaDevice::driver)
                .map(DeviceExplanations::rdmaModule)
                .orElse("");
        String modules =
                "module ib_uverbs FLAG; module ib_core FLAG" + (driver.isEmpty() ? "" : "; module " + driver + " FLAG");
        String control = "/sys/kernel/debug/dynamic_debug/control";
        return new Explanation(
                "the kernel or the provider objects to a value above, or to a combination; EINVAL does not say which",
                "let the kernel tell, as root:\n"
                        + "  on:   echo '" + modules.replace("FLAG", "+p") + "' > " + control + "\n"
                        + "  see:  dmesg --follow   while the program runs again\n"
                        + "  off:  echo '" + modules.replace("FLAG", "-p") + "' > " + control + "\n"
                        + "nothing there? the provider refused it before the kernel saw it; see with "
                        + "strace -f -e trace=ioctl,write",
                List.of());
    }

    /** The module with the RDMA part of a driver. */
    private static String rdmaModule(String driver) {
        return driver.endsWith("_core") ? driver.substring(0, driver.length() - "_core".length()) + "_ib" : driver;
    }
}
