package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AtomicCapability;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceContextTest extends FakeDevice {

    @Test
    void shouldTellWhatTheDeviceIs() {
        DeviceAttributes attributes = context.attributes();

        assertEquals("1.2.3", attributes.firmwareVersion());
        assertEquals(0x505400fffe123400L, attributes.nodeGuid());
        assertEquals(0x505400fffe123400L, attributes.systemImageGuid());
        assertEquals(-1L, attributes.maxRegionLength());
        assertEquals(0xfffff000L, attributes.pageSizes());
        assertEquals(0xffffff, attributes.vendorId());
        assertEquals(65536, attributes.maxQueuePairs());
        assertEquals(16384, attributes.maxRequests());
        assertEquals(32, attributes.maxSegments());
        assertEquals(32767, attributes.maxCompletions());
        assertEquals(1 << 20, attributes.maxRegions());
        assertEquals(128, attributes.maxReadsAsResponder());
        assertEquals(128, attributes.maxReadsAsInitiator());
        assertEquals(1 << 16, attributes.maxReadsOfDevice());
        assertEquals(AtomicCapability.DEVICE, attributes.atomicCapability());
        assertEquals(27, attributes.maxSharedReceiveSegments());
        assertEquals(1, attributes.maxPartitionKeys());
        assertEquals(15, attributes.acknowledgeDelay());
        assertEquals(1, attributes.portCount());
    }

    @Test
    void shouldTellWhatAPortIs() {
        PortAttributes port = context.port(1);

        assertEquals(1, port.number());
        assertEquals(PortState.ACTIVE, port.state());
        assertEquals(Mtu.MTU_4096, port.maxMtu());
        assertEquals(Mtu.MTU_1024, port.activeMtu());
        assertEquals(1024, port.gidTableLength());
        assertEquals(8 << 20, port.maxMessageLength());
        assertEquals(1, port.partitionKeyTableLength());
        assertEquals(5, port.physicalState());
        assertEquals(LinkLayer.ETHERNET, port.linkLayer());
    }

    @Test
    void shouldReadAPortAnewEachTime() {
        FakeVerbs.deviceNumber(0, "port.state", 1);
        FakeVerbs.deviceNumber(0, "port.active_mtu", 5);
        FakeVerbs.deviceNumber(0, "port.max_msg_sz", 0x8000_0000L);

        assertEquals(PortState.DOWN, context.port(1).state());
        assertEquals(Mtu.MTU_4096, context.port(1).activeMtu());
        assertEquals(1L << 31, context.port(1).maxMessageLength(), "unsigned");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 2, 257})
    void shouldRefusePortsThatDoNotExist(int port) {
        String message = "port=" + port + " is not in 1..1 of fake0";
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> context.port(port))
                        .getMessage());
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> context.gids(port))
                        .getMessage());
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> context.partitionKey(port, 0))
                        .getMessage());
    }

    @Test
    void shouldReadTheGidTable() {
        GidTable table = context.gids(1);

        assertEquals(
                new GidTable(
                        1,
                        List.of(
                                new GidEntry(1, 0, Gid.ofHex("fe80000000000000505400fffe123401"), GidType.ROCE_V2, 2),
                                new GidEntry(1, 1, Gid.ofHex("00000000000000000000ffff0a090001"), GidType.ROCE_V2, 2),
                                new GidEntry(1, 3, Gid.ofHex("00000000000000000000ffff0a090001"), GidType.ROCE_V1, 2))),
                table);
        assertEquals(1, table.preferred().index());
    }

    @Test
    void shouldReadASparseGidTable() {
        for (int index : new int[] {0, 1, 3}) {
            FakeVerbs.removeGid(0, index);
        }
        assertEquals(List.of(), context.gids(1).entries());

        FakeVerbs.gid(0, 1023, HexFormat.of().parseHex("fd090000000000000000000000000001"), 2);
        assertEquals(1023, context.gids(1).preferred().index());
    }

    @Test
    void shouldReadAPartitionKey() {
        assertEquals(0xffff, context.partitionKey(1, 0));

        VerbsException thrown = assertThrows(VerbsException.class, () -> context.partitionKey(1, 5));
        assertEquals("ibv_query_pkey", thrown.operation());
        assertEquals("5", thrown.arguments().get("index"));
        assertTrue(thrown.is(Errno.EINVAL));
        assertTrue(thrown.nextStep().orElseThrow().startsWith("indexes run from 0 to "));

        assertEquals(
                "index=-1 is negative: rows of P_Key tables count from 0",
                assertThrows(IllegalArgumentException.class, () -> context.partitionKey(1, -1))
                        .getMessage());
    }

    @Test
    void shouldExplainQueriesThatFail() {
        FakeVerbs.failNext("query_port", EIO);
        VerbsException port = assertThrows(VerbsException.class, () -> context.port(1));
        assertEquals("ibv_query_port", port.operation());
        assertEquals("1", port.arguments().get("port_num"));
        assertTrue(port.is(new Errno(EIO)));

        FakeVerbs.failNext("_ibv_query_gid_table", EIO);
        VerbsException gids = assertThrows(VerbsException.class, () -> context.gids(1));
        assertEquals("ibv_query_gid_table", gids.operation());
        assertTrue(gids.is(new Errno(EIO)));
    }

    @Test
    void shouldRefuseCompletionQueuesWithoutEntries() {
        for (int entries : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertEquals(
                    "entries=" + entries + ": a completion queue holds at least 1",
                    assertThrows(IllegalArgumentException.class, () -> context.createCompletionQueue(entries))
                            .getMessage());
        }
    }

    @Test
    void shouldTellTheGrantedCapacityOfACompletionQueue() {
        FakeVerbs.grantMore(0, 0, 0, 0, 24);
        CompletionQueue granted = keep(context.createCompletionQueue(1000));

        assertEquals(1024, granted.capacity());
        assertEquals(0, granted.reserved());
        assertEquals("CompletionQueue 2 (1024 entries) of fake0", granted.toString());
    }
}
