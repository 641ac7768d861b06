package io.github.verbs4j.attr;

/**
 * {@code ibv_device_attr_ex}: what a device can do beyond {@link DeviceAttributes}; all 0 where kernel or provider do not
 * know the question.
 *
 * @param onDemandPaging {@code odp_caps.general_caps}: bits of {@code ibv_odp_general_caps}
 * @param onDemandPagingOfRc {@code odp_caps.per_transport_caps.rc_odp_caps}: bits of {@code ibv_odp_transport_cap_bits}
 * @param onDemandPagingOfUc {@code odp_caps.per_transport_caps.uc_odp_caps}: the same of unreliable connections
 * @param onDemandPagingOfUd {@code odp_caps.per_transport_caps.ud_odp_caps}: the same of datagrams
 * @param onDemandPagingOfXrc {@code xrc_odp_caps}: the same of extended reliable connections
 * @param timestampMask {@code completion_timestamp_mask}: bits of a completion's time stamp that count; 0 without time stamps
 * @param coreClock {@code hca_core_clock}: frequency of the time stamps, kHz
 * @param capabilityFlags {@code device_cap_flags_ex}: bits of {@code ibv_device_cap_flags} and those above 32
 * @param maxSegmentation {@code tso_caps.max_tso}: largest message that is cut into TCP segments, bytes
 * @param segmentationTypes {@code tso_caps.supported_qpts}: types of queue pairs that can, one bit each
 * @param receiveScalingTypes {@code rss_caps.supported_qpts}: types of queue pairs that spread what they receive over several work
 *     queues, one bit each
 * @param maxIndirectionTables {@code rss_caps.max_rwq_indirection_tables}: tables that say over which
 * @param maxIndirectionTableSize {@code rss_caps.max_rwq_indirection_table_size}: rows of one
 * @param receiveHashFields {@code rss_caps.rx_hash_fields_mask}: what of a packet can decide, bits of {@code ibv_rx_hash_fields}
 * @param receiveHashFunctions {@code rss_caps.rx_hash_function}: how it can, bits of {@code ibv_rx_hash_function_flags}
 * @param maxReceiveWorkQueues {@code max_wq_type_rq}
 * @param minRateLimit {@code packet_pacing_caps.qp_rate_limit_min}: slowest pace of packets, kbit/s
 * @param maxRateLimit {@code packet_pacing_caps.qp_rate_limit_max}: fastest pace, kbit/s
 * @param rateLimitTypes {@code packet_pacing_caps.supported_qpts}: types of queue pairs that can, one bit each
 * @param rawPacketCapabilities {@code raw_packet_caps}: bits of {@code ibv_raw_packet_caps}
 * @param maxTags {@code tm_caps.max_num_tags}: tags that a shared receive queue can match
 * @param maxModerationCount {@code cq_mod_caps.max_cq_count}: completions that moderation can gather into an event
 * @param maxModerationPeriod {@code cq_mod_caps.max_cq_period}: time that moderation can wait, us
 * @param maxDeviceMemory {@code max_dm_size}: memory of the device that can be allocated, bytes
 * @param fetchAndAddSizes {@code pci_atomic_caps.fetch_add}: sizes of atomics over PCI, bits of {@code ibv_pci_atomic_op_size}
 * @param swapSizes {@code pci_atomic_caps.swap}: the same of swaps
 * @param compareAndSwapSizes {@code pci_atomic_caps.compare_swap}: the same of compare and swap
 * @param portCount {@code phys_port_cnt_ex}: ports, which may be more than 255
 */
public record ExtendedDeviceAttributes(
        long onDemandPaging,
        int onDemandPagingOfRc,
        int onDemandPagingOfUc,
        int onDemandPagingOfUd,
        int onDemandPagingOfXrc,
        long timestampMask,
        long coreClock,
        long capabilityFlags,
        int maxSegmentation,
        int segmentationTypes,
        int receiveScalingTypes,
        int maxIndirectionTables,
        int maxIndirectionTableSize,
        long receiveHashFields,
        int receiveHashFunctions,
        int maxReceiveWorkQueues,
        int minRateLimit,
        int maxRateLimit,
        int rateLimitTypes,
        int rawPacketCapabilities,
        int maxTags,
        int maxModerationCount,
        int maxModerationPeriod,
        long maxDeviceMemory,
        int fetchAndAddSizes,
        int swapSizes,
        int compareAndSwapSizes,
        int portCount) {
    private static final int ON_DEMAND = 1;

    /** {@return whether memory can be registered without being pinned ({@code IBV_ODP_SUPPORT})} */
    public boolean supportsOnDemandPaging() {
        return (onDemandPaging & ON_DEMAND) != 0;
    }
}
