package io.github.verbs4j.it.rdma;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device, port and GID that all tests use, chosen once: the device of the system property {@code verbs.device}, else
 * the first one with an active port. A machine without one is a failure that explains itself.
 */
public final class Rdma {
    private static final Path MACHINE = Path.of("/run/softroce");
    private static final Pattern LIBRARY = Pattern.compile("libibverbs\\.so\\.1\\.\\d+\\.([0-9.]+)");

    private record Choice(Device device, int port, int gidIndex) {}

    private static Choice choice;

    private Rdma() {}

    private static synchronized Choice choice() {
        if (choice == null) {
            choice = choose();
        }
        return choice;
    }

    private static Choice choose() {
        String name = System.getProperty("verbs.device", "").strip();
        List<Device> candidates = name.isEmpty() ? Device.list() : List.of(Device.named(name));
        if (candidates.isEmpty()) {
            candidates = List.of(Device.first()); // throws, with the explanation
        }
        for (Device device : candidates) {
            try (DeviceContext context = device.open()) {
                for (int port = 1; port <= context.attributes().portCount(); port++) {
                    if (context.port(port).state() == PortState.ACTIVE) {
                        return new Choice(
                                device, port, context.gids(port).preferred().index());
                    }
                }
            }
        }
        throw new IllegalStateException("no port of " + candidates + " is ACTIVE: bring a link up");
    }

    /** {@return the device} */
    public static Device device() {
        return choice().device;
    }

    /** {@return the port, from 1} */
    public static int port() {
        return choice().port;
    }

    /** {@return the device, opened} */
    public static DeviceContext open() {
        return device().open();
    }

    /**
     * {@return the GID}
     *
     * @param context the open device
     */
    public static GidEntry gid(DeviceContext context) {
        return context.gids(port()).byIndex(choice().gidIndex);
    }

    /** {@return whether this is the throw-away machine, which tests may change} */
    public static boolean isSoftRoceMachine() {
        return Files.isDirectory(MACHINE);
    }

    /** {@return the kernel driver of the device, {@code rdma_rxe} for example} */
    public static String driver() {
        return Host.local()
                .rdmaDevice(device().name())
                .flatMap(RdmaDevice::driver)
                .orElse("unknown driver");
    }

    /** {@return device, driver, kernel and library in one line} */
    public static String describe() {
        GidEntry gid;
        try (DeviceContext context = open()) {
            gid = gid(context);
        }
        return device().name() + " (" + driver() + "), " + gid + ", kernel "
                + Host.local().kernelRelease().orElse("unknown") + ", rdma-core " + libraryVersion()
                + (isSoftRoceMachine() ? ", in the Soft-RoCE machine" : "");
    }

    /** The library that is mapped into this process carries the version in its file name. */
    private static String libraryVersion() {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.map(LIBRARY::matcher)
                    .filter(Matcher::find)
                    .map(matcher -> matcher.group(1))
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
