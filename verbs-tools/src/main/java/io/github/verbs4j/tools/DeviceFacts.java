package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.PortAttributes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that {@code devinfo} tells of a device, read at one moment.
 *
 * @param device the device
 * @param attributes what it is and allows
 * @param ports the ports asked for
 */
record DeviceFacts(Device device, DeviceAttributes attributes, List<PortFacts> ports) {

    /**
     * A port and its addresses.
     *
     * @param attributes its state and limits
     * @param gids its addresses
     * @param interfaces names of network interfaces by index
     */
    record PortFacts(PortAttributes attributes, GidTable gids, Map<Integer, String> interfaces) {
        String interfaceOf(GidEntry entry) {
            return interfaces.getOrDefault(entry.interfaceIndex(), "");
        }
    }

    /** Reads a device; {@code port} 0 means all ports. */
    static DeviceFacts read(Device device, int port) {
        try (DeviceContext context = device.open()) {
            int first = port == 0 ? 1 : port;
            int last = port == 0 ? context.attributes().portCount() : port;
            List<PortFacts> ports = new ArrayList<>();
            for (int number = first; number <= last; number++) {
                ports.add(readPort(context, number));
            }
            return new DeviceFacts(device, context.attributes(), ports);
        }
    }

    private static PortFacts readPort(DeviceContext context, int number) {
        GidTable gids = context.gids(number);
        Map<Integer, String> interfaces = new HashMap<>();
        for (GidEntry entry : gids.entries()) {
            Optional<String> name = Text.interfaceName(entry.interfaceIndex());
            name.ifPresent(found -> interfaces.put(entry.interfaceIndex(), found));
        }
        return new PortFacts(context.port(number), gids, interfaces);
    }

    /** The object described at {@link DevinfoCommand}. */
    Map<String, Object> toJson() {
        Map<String, Object> json = Json.fields(device);
        json.put("guid", Text.guid(device.guid()));
        Map<String, Object> limits = Json.fields(attributes);
        limits.put("nodeGuid", Text.guid(attributes.nodeGuid()));
        limits.put("systemImageGuid", Text.guid(attributes.systemImageGuid()));
        limits.put("maxRegionLength", new BigInteger(Long.toUnsignedString(attributes.maxRegionLength())));
        limits.put("pageSizes", new BigInteger(Long.toUnsignedString(attributes.pageSizes())));
        limits.put("capabilities", FlagNames.DEVICE.of(attributes.capabilityFlags()));
        json.put("attributes", limits);
        json.put("ports", ports.stream().map(DeviceFacts::toJson).toList());
        return json;
    }

    private static Map<String, Object> toJson(PortFacts port) {
        Map<String, Object> json = Json.fields(port.attributes);
        json.put("capabilities", FlagNames.PORT.of(port.attributes.capabilityFlags()));
        json.put("capabilities2", FlagNames.PORT_2.of(port.attributes.capabilityFlags2()));
        json.put(
                "gids",
                port.gids.entries().stream().map(entry -> toJson(port, entry)).toList());
        return json;
    }

    private static Map<String, Object> toJson(PortFacts port, GidEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>(Json.fields(entry));
        json.put("interfaceName", port.interfaceOf(entry));
        json.put("preferred", entry.equals(port.gids.preferred()));
        return json;
    }
}
