package io.github.verbs4j.error;

import io.github.verbs4j.host.Capabilities;
import io.github.verbs4j.host.Capability;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What an error number tells where nothing else is known. */
final class RefusalExplanations {

    private RefusalExplanations() {}

    static Explanation of(Host host, Errno errno, String device) {
        return switch (errno.name()) {
            case "EINVAL" -> invalidArgument(host, device);
            case "ENOMEM" -> CreationExplanations.outOfMemory(host, device, List.of());
            case "EAGAIN" -> CreationExplanations.wouldBeTooMany(host, device);
            case "EPERM", "EACCES" -> notAllowed(host);
            case "EMFILE", "ENFILE" -> tooManyFiles(host, errno);
            case "EIO", "ENODEV" ->
                new Explanation(
                        "the device is gone, or has failed so that its driver resets it",
                        "see whether it is still there: rdma link\nand what the kernel says of it: dmesg | tail -30",
                        List.of());
            case "ENOSYS", "EOPNOTSUPP" ->
                new Explanation(
                        "the device, its driver in the kernel or its provider library has no such function",
                        "newer ones may: uname -r tells the kernel; ./verbs devinfo -v what the device has",
                        List.of());
            case "EBUSY" ->
                new Explanation(
                        "something still uses it: what was made on it through its handle(), or by another library",
                        "see who has what: rdma resource show",
                        List.of());
            default -> Explanation.NONE;
        };
    }

    private static Explanation invalidArgument(Host host, String device) {
        String driver = host.rdmaDevice(device)
                .flatMap(RdmaDevice::driver)
                .map(RefusalExplanations::rdmaModule)
                .orElse("");
        String modules =
                "module ib_uverbs FLAG; module ib_core FLAG" + (driver.isEmpty() ? "" : "; module " + driver + " FLAG");
        String control = host.dynamicDebug().orElse("/sys/kernel/debug/dynamic_debug/control");
        return new Explanation(
                "the kernel or the provider objects to a value above, or to a combination; EINVAL does not say which",
                "let the kernel tell, as root" + (host.container().isInside() ? " on the machine itself" : "") + ":\n"
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

    private static Explanation notAllowed(Host host) {
        Capabilities capabilities = host.capabilities();
        String held = Arrays.stream(Capability.values())
                .filter(capabilities::has)
                .map(one -> "CAP_" + one)
                .collect(Collectors.joining(", "));
        return new Explanation(
                "this process lacks a right that the kernel wants for it: raw packets and flows want CAP_NET_RAW, a device of"
                        + " another network namespace cannot be used at all",
                "run it with the capability (docker, podman: --cap-add NET_RAW; systemd unit: AmbientCapabilities=CAP_NET_RAW)"
                        + "\nor in the namespace of the device: rdma system tells the mode, rdma dev what is seen here",
                List.of("capabilities: " + (held.isEmpty() ? "none that matters here" : held)
                        + (capabilities.initialNamespace() ? "" : ", in a user namespace, where most have no effect")));
    }

    private static Explanation tooManyFiles(Host host, Errno errno) {
        return errno.equals(Errno.EMFILE)
                ? new Explanation(
                        "this process has as many files open as it may; devices, channels and connections are files too",
                        "close what is no longer used, or raise the limit and start the program again:\n"
                                + "  shell:          ulimit -n 65536\n"
                                + "  systemd unit:   LimitNOFILE=65536\n"
                                + "  docker, podman: --ulimit nofile=65536",
                        List.of("open files: " + text(host.openFiles()) + " of at most " + text(host.maxOpenFiles())))
                : new Explanation(
                        "the whole machine has as many files open as it may",
                        "sysctl fs.file-nr tells how many; sysctl -w fs.file-max=NUMBER raises it",
                        List.of());
    }

    private static String text(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "(unknown)";
    }
}
