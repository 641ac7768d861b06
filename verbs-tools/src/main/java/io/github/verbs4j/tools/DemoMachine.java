package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the demo runs.
 *
 * @param device the device's name
 * @param driver its kernel driver, empty if it cannot be told
 * @param kernel release of the kernel
 * @param rdmaCore version of the user-space libraries, empty if it cannot be told
 * @param gid the address used
 * @param interfaceName the network interface that the address is of, empty if it cannot be seen
 * @param emulated whether the whole machine is emulated
 */
record DemoMachine(
        String device,
        String driver,
        String kernel,
        String rdmaCore,
        GidEntry gid,
        String interfaceName,
        boolean emulated) {
    /** The launcher sets it inside the machine that it starts where there is no device. */
    private static final String EMULATED = "VERBS4J_SOFTROCE";

    private static final Pattern LIBRARY = Pattern.compile("/libibverbs\\.so\\.1\\.\\d+\\.([0-9.]+)$");

    static DemoMachine read(Device device, GidEntry gid) {
        Host host = Host.local();
        return new DemoMachine(
                device.name(),
                host.rdmaDevice(device.name()).flatMap(RdmaDevice::driver).orElse(""),
                host.kernelRelease().orElse("unknown"),
                rdmaCoreVersion().orElse(""),
                gid,
                Text.interfaceName(gid.interfaceIndex()).orElse(""),
                System.getenv(EMULATED) != null);
    }

    /** rdma-core writes its version into the file name of the library, which this process has mapped. */
    private static Optional<String> rdmaCoreVersion() {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.flatMap(line -> versionIn(line).stream()).findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    static Optional<String> versionIn(String mapping) {
        Matcher match = LIBRARY.matcher(mapping);
        return match.find() ? Optional.of(match.group(1)) : Optional.empty();
    }

    boolean isSoftware() {
        return driver.contains("rxe") || driver.contains("siw") || device.startsWith("rxe");
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Verbs4J demo: two Java processes, one RDMA device");
        lines.add("");
        lines.add("  device     " + device + (driver.isEmpty() ? "" : ", driver " + driver)
                + (isSoftware() ? " (RDMA in software)" : ""));
        lines.add("  address    GID " + gid.gid() + ", " + Text.gidType(gid.type()) + ", index " + gid.index()
                + " of port " + gid.port() + (interfaceName.isEmpty() ? "" : ", interface " + interfaceName));
        lines.add("  kernel     " + kernel);
        lines.add("  rdma-core  " + (rdmaCore.isEmpty() ? "version unknown" : rdmaCore));
        lines.add("  java       " + Runtime.version());
        return lines;
    }

    /** What the times are not. */
    List<String> caveats() {
        List<String> lines = new ArrayList<>();
        if (isSoftware()) {
            lines.add("");
            lines.add("These are times of a software device: the kernel moves the data, not a network adapter.");
        }
        if (emulated) {
            lines.add(
                    "And of an emulated machine, several times slower than this computer: they are not RDMA latency, and"
                            + " not to be quoted.");
        }
        return lines;
    }
}
