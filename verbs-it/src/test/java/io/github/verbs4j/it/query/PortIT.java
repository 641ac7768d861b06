package io.github.verbs4j.it.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PortIT {
    @Test
    void shouldAgreeWithDevinfo() {
        PortAttributes ours;
        try (DeviceContext context = Rdma.open()) {
            ours = context.port(Rdma.port());
        }
        Devinfo theirs = new Devinfo();
        assertEquals(Rdma.port(), ours.number());
        assertEquals(theirs.code("state"), ours.state().code());
        assertEquals(theirs.number("max_mtu"), ours.maxMtu().bytes());
        assertEquals(theirs.number("active_mtu"), ours.activeMtu().bytes());
        assertEquals(
                theirs.word("link_layer").toUpperCase(Locale.ROOT),
                ours.linkLayer().name());
        assertEquals(theirs.number("port_lid"), ours.lid());
        assertEquals(theirs.number("sm_lid"), ours.subnetManagerLid());
        assertEquals(theirs.number("port_lmc"), ours.lidMaskControl());
        assertEquals(theirs.number("max_msg_sz"), ours.maxMessageLength());
        assertEquals(theirs.number("port_cap_flags"), Integer.toUnsignedLong(ours.capabilityFlags()));
        assertEquals(theirs.number("port_cap_flags2"), ours.capabilityFlags2());
        assertEquals(theirs.code("max_vl_num"), ours.maxVirtualLanes());
        assertEquals(theirs.number("bad_pkey_cntr"), ours.badPartitionKeys());
        assertEquals(theirs.number("qkey_viol_cntr"), ours.queueKeyViolations());
        assertEquals(theirs.number("sm_sl"), ours.subnetManagerServiceLevel());
        assertEquals(theirs.number("pkey_tbl_len"), ours.partitionKeyTableLength());
        assertEquals(theirs.number("gid_tbl_len"), ours.gidTableLength());
        assertEquals(theirs.number("subnet_timeout"), ours.subnetTimeout());
        assertEquals(theirs.number("init_type_reply"), ours.initTypeReply());
        assertEquals(theirs.code("active_width"), ours.activeWidth());
        assertEquals(theirs.code("active_speed"), ours.activeSpeed());
        assertEquals(theirs.code("phys_state"), ours.physicalState());
    }

    @Test
    void shouldRefuseAPortThatIsNotThere() {
        try (DeviceContext context = Rdma.open()) {
            int over = context.attributes().portCount() + 1;
            for (int port : new int[] {-1, 0, over, 256 + 1}) {
                var thrown = assertThrows(IllegalArgumentException.class, () -> context.port(port));
                assertTrue(thrown.getMessage().contains("port=" + port), thrown::getMessage);
                assertThrows(IllegalArgumentException.class, () -> context.gids(port));
                assertThrows(IllegalArgumentException.class, () -> context.partitionKey(port, 0));
            }
        }
    }

    @Test
    void shouldTellPartitionKeysLikeSysfs() throws IOException {
        try (DeviceContext context = Rdma.open()) {
            Path keys = Path.of(
                    "/sys/class/infiniband", Rdma.device().name(), "ports", Integer.toString(Rdma.port()), "pkeys");
            int length = context.port(Rdma.port()).partitionKeyTableLength();
            for (int index = 0; index < length; index++) {
                String theirs = Files.readString(keys.resolve(Integer.toString(index)));
                assertEquals(Integer.decode(theirs.strip()), context.partitionKey(Rdma.port(), index));
            }
        }
    }

    @Test
    void shouldRefuseAPartitionKeyThatIsNotThere() {
        try (DeviceContext context = Rdma.open()) {
            VerbsException thrown = assertThrows(VerbsException.class, () -> context.partitionKey(Rdma.port(), 60_000));
            assertEquals("ibv_query_pkey", thrown.operation());
            assertTrue(thrown.getMessage().contains("index=60000"), thrown::getMessage);
        }
    }
}
