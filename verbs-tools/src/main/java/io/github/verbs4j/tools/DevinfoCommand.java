package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.error.VerbsException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code verbs devinfo}: what devices are and allow.
 *
 * <p>{@code --json} prints one object: {@code devices}, a list of objects with the fields of
 * {@link io.github.verbs4j.Device} ({@code name}, {@code guid}, {@code nodeType}, {@code transport}, {@code nodeName}) and
 * <ul>
 *   <li>{@code attributes}: the fields of {@link io.github.verbs4j.attr.DeviceAttributes}, and {@code capabilities}, the
 *       names of the bits of {@code capabilityFlags} without {@code IBV_DEVICE_}
 *   <li>{@code ports}: a list with the fields of {@link io.github.verbs4j.attr.PortAttributes}; {@code capabilities} and
 *       {@code capabilities2}, the names of their flags without {@code IBV_PORT_}; and {@code gids}, the filled rows of the
 *       GID table with the fields of {@link io.github.verbs4j.attr.GidEntry}, the {@code interfaceName} (empty if it cannot be
 *       seen from here) and whether the row is the {@code preferred} one
 * </ul>
 * GUIDs are text of four groups of hexadecimal digits, GIDs are text, MTUs are bytes, enumerations are the names of their
 * constants, everything else is a number. Fields may be added; none changes its meaning.
 */
@Command(
        name = "devinfo",
        header = "Show what RDMA devices are, what they allow, and their addresses.",
        description = {
            "",
            "Tells the facts of each device and port under the names that ibv_devinfo has for them, and the filled rows"
                    + " of the GID table: the addresses that a connection can use, of which one is preferred when"
                    + " nobody says which.",
            ""
        },
        footer = {
            "",
            "The JSON is one object {\"devices\": [...]}; its fields are named as the accessors of the records Device,"
                    + " DeviceAttributes, PortAttributes and GidEntry. MTUs are bytes, GUIDs and GIDs are text.",
        })
final class DevinfoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-d", "--ib-dev", "--device"},
            paramLabel = "NAME",
            converter = DeviceName.class,
            description = "Only this device (default: all).")
    private String deviceName;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "Only this port, from 1 (default: all).")
    private Integer port;

    @Option(
            names = {"-v", "--verbose"},
            description = "All limits, and the capability flags by name.")
    private boolean verbose;

    @Option(names = "--json", description = "One JSON object, always with everything.")
    private boolean json;

    @Override
    public Integer call() {
        if (port != null) {
            Usage.requireRange(spec, "port (-i)", port, 1, 255);
        }
        List<Device> devices = deviceName == null ? all() : List.of(Device.named(deviceName));
        List<DeviceFacts> facts = new ArrayList<>();
        PrintWriter out = spec.commandLine().getOut();
        for (Device device : devices) {
            read(device, facts);
        }
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("devices", facts.stream().map(DeviceFacts::toJson).toList());
            out.println(Json.text(object));
        } else {
            facts.forEach(device -> {
                DeviceText.lines(device, verbose).forEach(out::println);
                out.println();
            });
        }
        return facts.size() == devices.size() ? 0 : 1;
    }

    private static List<Device> all() {
        Device.first(); // explains why there is none
        return Device.list();
    }

    /** One device that cannot be read does not hide the others. */
    private void read(Device device, List<DeviceFacts> facts) {
        try {
            facts.add(DeviceFacts.read(device, port == null ? 0 : port));
        } catch (VerbsException | IllegalArgumentException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(spec.qualifiedName() + ": " + e.getMessage());
            err.flush();
        }
    }
}
