package io.github.verbs4j.it.rdma;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import io.github.verbs4j.testkit.TestDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device, port and GID that all tests use, chosen once: the device of the system property {@code verbs.device}, else
 * the first one with an active port. A machine without one is a failure that explains itself.
 */
public final class Rdma {
    private static final Path MACHINE = Path.of("/run/softroce");
    private static final Pattern LIBRARY = Pattern.compile("libibverbs\\.so\\.1\\.\\d+\\.([0-9.]+)");

    private static TestDevice choice;

    private Rdma() {}

    private static synchronized TestDevice choice() {
        if (choice == null) {
            String name = System.getProperty("verbs.device", "").strip();
            choice = name.isEmpty() ? TestDevice.first() : TestDevice.named(name);
        }
        return choice;
    }

    /** {@return the device} */
    public static Device device() {
        return choice().device();
    }

    /** {@return the port, from 1} */
    public static int port() {
        return choice().port();
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
        return context.gids(port()).byIndex(choice().gid().index());
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

    /** {@return the version of rdma-core, {@code 44.0} for example} The library that is mapped into this process carries it in its file name. */
    public static String libraryVersion() {
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
