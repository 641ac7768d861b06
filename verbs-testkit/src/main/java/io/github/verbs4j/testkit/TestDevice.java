package io.github.verbs4j.testkit;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * What tests run on: a device and the GID of one of its ports, which is active. A value; nothing is open.
 *
 * @param device the device
 * @param gid the {@linkplain io.github.verbs4j.attr.GidTable#preferred() preferred} GID of the port
 */
public record TestDevice(Device device, GidEntry gid) {

    /** Checks that nothing is missing. */
    public TestDevice {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(gid, "gid");
    }

    /**
     * {@return the first device that has an active port with an address, with the first such port}
     *
     * @throws VerbsException if there is none, with what this machine lacks
     */
    public static TestDevice first() {
        List<Device> devices = Device.list();
        return among(
                devices.isEmpty() ? List.of(Device.first()) : devices, // throws, with the explanation
                "no RDMA device of this machine has an active port with an address");
    }

    /**
     * {@return the device of a name, with its first active port that has an address}
     *
     * @param name as in {@link Device#name()}, {@code mlx5_0} for example
     * @throws VerbsException if there is none of that name, it cannot be opened, or no active port has an address
     */
    public static TestDevice named(String name) {
        Objects.requireNonNull(name, "name");
        return among(List.of(Device.named(name)), "RDMA device " + name + " has no active port with an address");
    }

    /** {@return the number of the port, from 1} */
    public int port() {
        return gid.port();
    }

    private static TestDevice among(List<Device> devices, String none) {
        List<String> unfit = new ArrayList<>();
        List<VerbsException> refusals = new ArrayList<>();
        for (Device device : devices) {
            try (DeviceContext context = device.open()) {
                for (int port = 1; port <= context.attributes().portCount(); port++) {
                    PortState state = context.port(port).state();
                    if (state != PortState.ACTIVE) {
                        unfit.add(device.name() + ": port " + port + " is " + state);
                        continue;
                    }
                    try {
                        return new TestDevice(device, context.gids(port).preferred());
                    } catch (NoSuchElementException e) { // the next port may have one
                        unfit.add(device.name() + ": " + e.getMessage());
                    }
                }
            } catch (VerbsException e) {
                refusals.add(e);
            }
        }
        throw unfit.isEmpty() && !refusals.isEmpty() ? refusals.getLast() : noActivePort(none, unfit, refusals);
    }

    private static VerbsException noActivePort(String none, List<String> unfit, List<VerbsException> refusals) {
        List<String> causes = new ArrayList<>(unfit);
        List<String> steps = new ArrayList<>(
                List.of("bring the network interface of the port up (ip link, ip addr; rdma link shows which it is)"));
        for (VerbsException refusal : refusals) { // the device that it is about may be the one that is wanted
            causes.add(refusal.getMessage().lines().findFirst().orElseThrow());
            refusal.likelyCause().ifPresent(causes::add);
            refusal.nextStep().ifPresent(steps::add);
        }
        return VerbsException.of("ibv_query_port")
                .errno(Errno.ENODEV.number())
                .headline(none)
                .cause(String.join("\n", causes))
                .next(String.join("\n", steps))
                .build();
    }

    @Override
    public String toString() {
        return device.name() + ", " + gid;
    }
}
