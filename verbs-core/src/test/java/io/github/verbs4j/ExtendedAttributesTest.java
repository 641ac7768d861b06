package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.ExtendedDeviceAttributes;
import io.github.verbs4j.attr.ForkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.ffi.ibv_cq_moderation_caps;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.ffi.ibv_odp_caps;
import io.github.verbs4j.ffi.ibv_packet_pacing_caps;
import io.github.verbs4j.ffi.ibv_pci_atomic_caps;
import io.github.verbs4j.ffi.ibv_rss_caps;
import io.github.verbs4j.ffi.ibv_tm_caps;
import io.github.verbs4j.ffi.ibv_tso_caps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Each field has a number of its own, so that two mixed up show. */
class ExtendedAttributesTest extends FakeDevice {
    private static void report(Arena arena) {
        MemorySegment a = ibv_device_attr_ex.allocate(arena);
        MemorySegment odp = ibv_device_attr_ex.odp_caps(a);
        ibv_odp_caps.general_caps(odp, 3);
        MemorySegment transports = ibv_odp_caps.per_transport_caps(odp);
        ibv_odp_caps.per_transport_caps.rc_odp_caps(transports, 4);
        ibv_odp_caps.per_transport_caps.uc_odp_caps(transports, 5);
        ibv_odp_caps.per_transport_caps.ud_odp_caps(transports, 6);
        ibv_device_attr_ex.xrc_odp_caps(a, 7);
        ibv_device_attr_ex.completion_timestamp_mask(a, -8);
        ibv_device_attr_ex.hca_core_clock(a, 9);
        ibv_device_attr_ex.device_cap_flags_ex(a, 1L << 40);
        ibv_tso_caps.max_tso(ibv_device_attr_ex.tso_caps(a), 11);
        ibv_tso_caps.supported_qpts(ibv_device_attr_ex.tso_caps(a), 12);
        MemorySegment scaling = ibv_device_attr_ex.rss_caps(a);
        ibv_rss_caps.supported_qpts(scaling, 25);
        ibv_rss_caps.max_rwq_indirection_tables(scaling, 26);
        ibv_rss_caps.max_rwq_indirection_table_size(scaling, 27);
        ibv_rss_caps.rx_hash_fields_mask(scaling, 1L << 31);
        ibv_rss_caps.rx_hash_function(scaling, (byte) 0x81);
        ibv_device_attr_ex.max_wq_type_rq(a, 13);
        MemorySegment pacing = ibv_device_attr_ex.packet_pacing_caps(a);
        ibv_packet_pacing_caps.qp_rate_limit_min(pacing, 14);
        ibv_packet_pacing_caps.qp_rate_limit_max(pacing, 15);
        ibv_packet_pacing_caps.supported_qpts(pacing, 16);
        ibv_device_attr_ex.raw_packet_caps(a, 17);
        ibv_tm_caps.max_num_tags(ibv_device_attr_ex.tm_caps(a), 18);
        ibv_cq_moderation_caps.max_cq_count(ibv_device_attr_ex.cq_mod_caps(a), (short) 0xffff);
        ibv_cq_moderation_caps.max_cq_period(ibv_device_attr_ex.cq_mod_caps(a), (short) 20);
        ibv_device_attr_ex.max_dm_size(a, 21);
        MemorySegment atomics = ibv_device_attr_ex.pci_atomic_caps(a);
        ibv_pci_atomic_caps.fetch_add(atomics, (short) 22);
        ibv_pci_atomic_caps.swap(atomics, (short) 23);
        ibv_pci_atomic_caps.compare_swap(atomics, (short) 24);
        FakeVerbs.extended(0, a);
    }

    @Test
    void shouldReadEveryField() {
        try (Arena arena = Arena.ofConfined()) {
            report(arena);
        }
        ExtendedDeviceAttributes expected = new ExtendedDeviceAttributes(
                3, 4, 5, 6, 7, -8, 9, 1L << 40, 11, 12, 25, 26, 27, 1L << 31, 0x81, 13, 14, 15, 16, 17, 18, 65535, 20,
                21, 22, 23, 24, 1);
        assertEquals(expected, context.extendedAttributes());
        assertTrue(context.extendedAttributes().supportsOnDemandPaging());
    }

    @Test
    void shouldBeZeroWhereTheProviderDoesNotKnowTheQuestion() {
        FakeVerbs.removeOperation("query_device_ex");
        try (DeviceContext old = Device.first().open()) {
            ExtendedDeviceAttributes none = old.extendedAttributes();
            assertEquals(0, none.timestampMask());
            assertEquals(0, none.portCount());
            assertFalse(none.supportsOnDemandPaging());
        }
    }

    @Test
    void shouldTellOfAFailure() {
        FakeVerbs.failNext("query_device_ex", EIO);
        assertTrue(assertThrows(VerbsException.class, context::extendedAttributes)
                .getMessage()
                .startsWith("ibv_query_device_ex failed on fake0: EIO"));
    }

    // ---- fork ----

    @Test
    void shouldTellAndChangeWhatAForkDoes() {
        assertEquals(ForkStatus.UNNEEDED, Device.forkStatus());
        FakeVerbs.forkStatus(0);
        assertEquals(ForkStatus.DISABLED, Device.forkStatus());
        Device.initializeFork();
        assertEquals(ForkStatus.ENABLED, Device.forkStatus());
        Device.initializeFork();
    }

    @Test
    void shouldNeverBeTooLateForWhatTheKernelDoes() {
        FakeVerbs.failNext("ibv_fork_init", FakeVerbs.EINVAL);
        Device.initializeFork();
        assertEquals(ForkStatus.UNNEEDED, Device.forkStatus());
    }

    @Test
    void shouldSayThatItIsTooLate() {
        FakeVerbs.forkStatus(0);
        FakeVerbs.failNext("ibv_fork_init", FakeVerbs.EINVAL);
        String message =
                assertThrows(VerbsException.class, Device::initializeFork).getMessage();
        assertTrue(message.contains("before the first registration of the process"), message);
    }
}
