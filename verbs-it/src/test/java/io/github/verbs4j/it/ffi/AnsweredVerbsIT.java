package io.github.verbs4j.it.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.ffi.*;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the core does not need, called by its C name on the device. */
class AnsweredVerbsIT {
    private static final int EINVAL = 22;
    private static final int ENODATA = 61;
    private static final byte UDP = 17;

    private final Arena arena = Arena.ofAuto();
    private final CapturedErrno errno = CapturedErrno.create();
    private final byte port = (byte) Rdma.port();
    private DeviceContext context;

    @BeforeEach
    void open() {
        context = Rdma.open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private static String text(MemorySegment string) {
        return Pointers.string(string, 100);
    }

    @Test
    void shouldTellNameAndIndexOfTheDevice() {
        MemorySegment device = ibv_context.device(context.handle());

        assertEquals(Rdma.device().name(), text(verbs_h.ibv_get_device_name(device)));
        assertTrue(verbs_h.ibv_get_device_index(device) >= 0);
    }

    @Test
    void shouldTellNamesOfNumbers() {
        assertEquals("InfiniBand channel adapter", text(verbs_h.ibv_node_type_str(IBV_NODE_CA())));
        assertEquals("active", text(verbs_h.ibv_port_state_str(IBV_PORT_ACTIVE())));
        assertEquals("port active", text(verbs_h.ibv_event_type_str(IBV_EVENT_PORT_ACTIVE())));
        assertEquals("success", text(verbs_h.ibv_wc_status_str(IBV_WC_SUCCESS())));
    }

    @Test
    void shouldConvertRates() {
        assertEquals(10_000, verbs_h.ibv_rate_to_mbps(IBV_RATE_10_GBPS()));
        assertEquals(IBV_RATE_10_GBPS(), verbs_h.mbps_to_ibv_rate(10_000));
        assertEquals(4, verbs_h.ibv_rate_to_mult(IBV_RATE_10_GBPS()));
        assertEquals(IBV_RATE_10_GBPS(), verbs_h.mult_to_ibv_rate(4));
    }

    @Test
    void shouldTellAGidInTwoWays() {
        GidEntry expected = Rdma.gid(context);
        MemorySegment gid = ibv_gid.allocate(arena);
        MemorySegment entry = ibv_gid_entry.allocate(arena);

        assertEquals(0, QueryVerbs.ibv_query_gid(errno, context.handle(), port, expected.index(), gid));
        assertArrayEquals(expected.gid().toByteArray(), gid.toArray(ValueLayout.JAVA_BYTE));
        assertEquals(0, InlineVerbs.ibv_query_gid_ex(context.handle(), port, expected.index(), entry, 0));
        assertArrayEquals(expected.gid().toByteArray(), ibv_gid_entry.gid(entry).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void shouldNotTellAGidThatIsNotThere() {
        MemorySegment entry = ibv_gid_entry.allocate(arena);
        int empty = context.port(Rdma.port()).gidTableLength() - 1;

        assertEquals(ENODATA, InlineVerbs.ibv_query_gid_ex(context.handle(), port, empty, entry, 0));
        assertEquals(-EINVAL, InlineVerbs.ibv_query_gid_table(context.handle(), entry, 0, 0));
    }

    @Test
    void shouldFindThePartitionKey() {
        MemorySegment key = arena.allocate(ValueLayout.JAVA_SHORT);
        assertEquals(0, ErrnoVerbs.ibv_query_pkey(errno, context.handle(), port, 0, key));

        assertEquals(
                0, QueryVerbs.ibv_get_pkey_index(errno, context.handle(), port, key.get(ValueLayout.JAVA_SHORT, 0)));
        assertEquals(-1, QueryVerbs.ibv_get_pkey_index(errno, context.handle(), port, (short) 0x1234));
    }

    @Test
    void shouldQueryTheDeviceAtLength() {
        MemorySegment attributes = ibv_device_attr_ex.allocate(arena);

        assertEquals(0, QueryVerbs.ibv_query_device_ex(context.handle(), MemorySegment.NULL, attributes));
        assertEquals(
                context.attributes().maxQueuePairs(), ibv_device_attr.max_qp(ibv_device_attr_ex.orig_attr(attributes)));
    }

    @Test
    void shouldRegisterMemoryUnderAnotherAddress() {
        try (ProtectionDomain domain = context.allocateProtectionDomain()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            for (MemorySegment region : new MemorySegment[] {
                InlineVerbs.ibv_reg_mr(errno, domain.handle(), memory, 4096, IBV_ACCESS_LOCAL_WRITE()),
                RegionVerbs.ibv_reg_mr_iova(errno, domain.handle(), memory, 4096, 1 << 20, IBV_ACCESS_LOCAL_WRITE())
            }) {
                assertNotEquals(0, region.address(), () -> "errno " + errno.value());
                assertEquals(0, verbs_h.ibv_dereg_mr(region));
            }
        }
    }

    @Test
    void shouldNotAllocateAWindowOfAnUnknownType() {
        try (ProtectionDomain domain = context.allocateProtectionDomain()) {
            MemorySegment window = WindowVerbs.ibv_alloc_mw(errno, domain.handle(), IBV_MW_TYPE_2() + 1);

            assertEquals(0, window.address());
            assertNotEquals(0, errno.value());
        }
    }

    @Test
    void shouldTellWhetherDataComesInOrder() {
        try (ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(128);
                RcQueuePair queuePair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(8, 8))) {
            int answer = verbs_h.ibv_query_qp_data_in_order(queuePair.handle(), IBV_WR_SEND(), 0);
            assertTrue(answer == 0 || answer == 1, "" + answer);
        }
    }

    /** One's own address leads to the hardware address of the interface. */
    @Test
    void shouldResolveAHardwareAddress() {
        GidEntry gid = Rdma.gid(context);
        MemorySegment path = ibv_ah_attr.allocate(arena);
        ibv_ah_attr.is_global(path, (byte) 1);
        ibv_ah_attr.port_num(path, port);
        MemorySegment route = ibv_ah_attr.grh(path);
        ibv_global_route.dgid(route).copyFrom(MemorySegment.ofArray(gid.gid().toByteArray()));
        ibv_global_route.sgid_index(route, (byte) gid.index());
        MemorySegment hardware = arena.allocate(6);
        MemorySegment vlan = arena.allocate(ValueLayout.JAVA_SHORT);

        assertEquals(0, verbs_h.ibv_resolve_eth_l2_from_gid(context.handle(), path, hardware, vlan));
    }

    /** As if a datagram had come from ourselves. */
    @Test
    void shouldFindTheWayBackToASender() {
        byte[] gid = Rdma.gid(context).gid().toByteArray();
        MemorySegment header = ibv_grh.allocate(arena);
        ibv_grh.version_tclass_flow(header, Integer.reverseBytes(6 << 28));
        ibv_grh.next_hdr(header, UDP);
        ibv_grh.hop_limit(header, (byte) 64);
        ibv_grh.sgid(header).copyFrom(MemorySegment.ofArray(gid));
        ibv_grh.dgid(header).copyFrom(MemorySegment.ofArray(gid));
        MemorySegment completion = ibv_wc.allocate(arena);
        ibv_wc.wc_flags(completion, IBV_WC_GRH());

        try (ProtectionDomain domain = context.allocateProtectionDomain()) {
            MemorySegment way = AddressVerbs.ibv_create_ah_from_wc(errno, domain.handle(), completion, header, port);
            assertNotEquals(0, way.address(), () -> "errno " + errno.value());
            assertEquals(0, verbs_h.ibv_destroy_ah(way));
        }
    }
}
