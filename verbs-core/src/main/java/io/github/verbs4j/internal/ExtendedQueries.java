package io.github.verbs4j.internal;

import io.github.verbs4j.attr.ExtendedDeviceAttributes;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.QueryVerbs;
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

/** What an open device says of itself when asked for more. */
public final class ExtendedQueries {
    private ExtendedQueries() {}

    /**
     * {@code ibv_query_device_ex}.
     *
     * @param context {@code struct ibv_context *}
     * @param device its name
     * @return the attributes, 0 where they are not known
     */
    public static ExtendedDeviceAttributes device(MemorySegment context, String device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = Queries.output(arena, ibv_device_attr_ex.sizeof());
            Call.on(device, () -> VerbsException.of("ibv_query_device_ex").device(device))
                    .returned(() -> QueryVerbs.ibv_query_device_ex(context, MemorySegment.NULL, a));
            return read(a);
        }
    }

    private static ExtendedDeviceAttributes read(MemorySegment a) {
        MemorySegment paging = ibv_device_attr_ex.odp_caps(a);
        MemorySegment transports = ibv_odp_caps.per_transport_caps(paging);
        MemorySegment segmentation = ibv_device_attr_ex.tso_caps(a);
        MemorySegment scaling = ibv_device_attr_ex.rss_caps(a);
        MemorySegment pacing = ibv_device_attr_ex.packet_pacing_caps(a);
        MemorySegment moderation = ibv_device_attr_ex.cq_mod_caps(a);
        MemorySegment atomics = ibv_device_attr_ex.pci_atomic_caps(a);
        return new ExtendedDeviceAttributes(
                ibv_odp_caps.general_caps(paging),
                ibv_odp_caps.per_transport_caps.rc_odp_caps(transports),
                ibv_odp_caps.per_transport_caps.uc_odp_caps(transports),
                ibv_odp_caps.per_transport_caps.ud_odp_caps(transports),
                ibv_device_attr_ex.xrc_odp_caps(a),
                ibv_device_attr_ex.completion_timestamp_mask(a),
                ibv_device_attr_ex.hca_core_clock(a),
                ibv_device_attr_ex.device_cap_flags_ex(a),
                ibv_tso_caps.max_tso(segmentation),
                ibv_tso_caps.supported_qpts(segmentation),
                ibv_rss_caps.supported_qpts(scaling),
                ibv_rss_caps.max_rwq_indirection_tables(scaling),
                ibv_rss_caps.max_rwq_indirection_table_size(scaling),
                ibv_rss_caps.rx_hash_fields_mask(scaling),
                Byte.toUnsignedInt(ibv_rss_caps.rx_hash_function(scaling)),
                ibv_device_attr_ex.max_wq_type_rq(a),
                ibv_packet_pacing_caps.qp_rate_limit_min(pacing),
                ibv_packet_pacing_caps.qp_rate_limit_max(pacing),
                ibv_packet_pacing_caps.supported_qpts(pacing),
                ibv_device_attr_ex.raw_packet_caps(a),
                ibv_tm_caps.max_num_tags(ibv_device_attr_ex.tm_caps(a)),
                Short.toUnsignedInt(ibv_cq_moderation_caps.max_cq_count(moderation)),
                Short.toUnsignedInt(ibv_cq_moderation_caps.max_cq_period(moderation)),
                ibv_device_attr_ex.max_dm_size(a),
                Short.toUnsignedInt(ibv_pci_atomic_caps.fetch_add(atomics)),
                Short.toUnsignedInt(ibv_pci_atomic_caps.swap(atomics)),
                Short.toUnsignedInt(ibv_pci_atomic_caps.compare_swap(atomics)),
                ibv_device_attr_ex.phys_port_cnt_ex(a));
    }
}
