package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.github.verbs4j.Device;
import io.github.verbs4j.attr.AtomicCapability;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.NodeType;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.attr.TransportType;
import io.github.verbs4j.tools.DeviceFacts.PortFacts;
import java.io.IOException;
import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The names here are a promise to people who read the JSON. */
class DeviceFactsTest {
    private static final GidEntry LINK_LOCAL =
            new GidEntry(1, 0, Gid.ofHex("fe8000000000000050540afffe090001"), GidType.ROCE_V2, 2);
    private static final GidEntry IPV4 =
            new GidEntry(1, 1, Gid.ofHex("00000000000000000000ffff0a090001"), GidType.ROCE_V2, 2);

    private static DeviceFacts facts() {
        Device device =
                new Device("rxe0", 0x50540afffe090001L, NodeType.CHANNEL_ADAPTER, TransportType.INFINIBAND, "uverbs0");
        PortAttributes port = new PortAttributes(
                1,
                PortState.ACTIVE,
                Mtu.MTU_4096,
                Mtu.MTU_1024,
                1024,
                1 << 16,
                0,
                1L << 23,
                0,
                0,
                1,
                0,
                0,
                0,
                0,
                1,
                0,
                0,
                1,
                1,
                5,
                LinkLayer.ETHERNET);
        GidTable gids = new GidTable(1, List.of(LINK_LOCAL, IPV4));
        return new DeviceFacts(device, attributes(), List.of(new PortFacts(port, gids, Map.of(2, "eth0"))));
    }

    static DeviceAttributes attributes() {
        return new DeviceAttributes(
                "0.0.0",
                0x50540afffe090001L,
                2,
                -1,
                0xfffff000L,
                0xffffff,
                0,
                0,
                3,
                4,
                1 << 17,
                5,
                6,
                7,
                8,
                9,
                10,
                11,
                12,
                13,
                AtomicCapability.DEVICE,
                14,
                15,
                16,
                17,
                18,
                19,
                20,
                21,
                22,
                1);
    }

    @Test
    void jsonHasTheNamesOfTheAccessors() throws IOException {
        Map<String, Object> json = JSON.std.mapFrom(Json.text(facts().toJson()));
        assertEquals(
                List.of("name", "guid", "nodeType", "transport", "nodeName", "attributes", "ports"),
                List.copyOf(json.keySet()));
        assertEquals("5054:0aff:fe09:0001", json.get("guid"));
        assertEquals("CHANNEL_ADAPTER", json.get("nodeType"));

        Map<?, ?> attributes = (Map<?, ?>) json.get("attributes");
        Set<Object> names = new LinkedHashSet<>();
        for (var component : DeviceAttributes.class.getRecordComponents()) {
            names.add(component.getName());
        }
        names.add("capabilities");
        assertEquals(names, attributes.keySet());
        assertEquals(new BigInteger("18446744073709551615"), attributes.get("maxRegionLength"));
        assertEquals(List.of("MEM_WINDOW"), attributes.get("capabilities"));

        Map<?, ?> port = (Map<?, ?>) ((List<?>) json.get("ports")).getFirst();
        assertEquals("ACTIVE", port.get("state"));
        assertEquals(1024, port.get("activeMtu"));
        assertEquals("ETHERNET", port.get("linkLayer"));
        assertEquals(List.of("CM_SUP"), port.get("capabilities"));

        Map<?, ?> gid = (Map<?, ?>) ((List<?>) port.get("gids")).get(1);
        assertEquals(
                List.of("port", "index", "gid", "type", "interfaceIndex", "interfaceName", "preferred"),
                List.copyOf(gid.keySet()));
        assertEquals("::ffff:10.9.0.1", gid.get("gid"));
        assertEquals("ROCE_V2", gid.get("type"));
        assertEquals("eth0", gid.get("interfaceName"));
        assertEquals(true, gid.get("preferred"));
    }

    @Test
    void textHasTheNamesOfC() {
        String text = String.join("\n", DeviceText.lines(facts(), false));
        assertTrue(text.startsWith("rxe0\n"), text);
        assertTrue(text.contains("    node_guid             5054:0aff:fe09:0001\n"), text);
        assertTrue(text.contains("    active_mtu            1024 bytes\n"), text);
        assertTrue(text.contains("      1  RoCE v2  eth0       ::ffff:10.9.0.1   <- preferred"), text);
        assertTrue(!text.contains("max_qp_wr"), text);

        String all = String.join("\n", DeviceText.lines(facts(), true));
        assertTrue(all.contains("    max_qp_wr             4\n"), all);
        assertTrue(all.contains("\n                          MEM_WINDOW\n"), all);
        assertTrue(all.contains("    phys_state            LINK_UP\n"), all);
    }
}
