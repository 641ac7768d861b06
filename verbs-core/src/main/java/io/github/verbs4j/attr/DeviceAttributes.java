package io.github.verbs4j.attr;

import java.util.Objects;

/**
 * {@code ibv_device_attr}: what a device is and how much of everything it allows. The limits are what the driver promises; a
 * provider may grant less when other attributes ask for much.
 *
 * @param firmwareVersion {@code fw_ver}
 * @param nodeGuid {@code node_guid}, as a big-endian number
 * @param systemImageGuid {@code sys_image_guid}, as a big-endian number
 * @param maxRegionLength {@code max_mr_size}: largest memory region, bytes, unsigned
 * @param pageSizes {@code page_size_cap}: bit n set for pages of 2 to the n bytes
 * @param vendorId {@code vendor_id}
 * @param vendorPartId {@code vendor_part_id}
 * @param hardwareVersion {@code hw_ver}
 * @param maxQueuePairs {@code max_qp}
 * @param maxRequests {@code max_qp_wr}: work requests in one queue
 * @param capabilityFlags {@code device_cap_flags}
 * @param maxSegments {@code max_sge}: scatter/gather entries of a send or receive
 * @param maxReadSegments {@code max_sge_rd}: scatter/gather entries of an RDMA read
 * @param maxCompletionQueues {@code max_cq}
 * @param maxCompletions {@code max_cqe}: entries of one completion queue
 * @param maxRegions {@code max_mr}
 * @param maxProtectionDomains {@code max_pd}
 * @param maxReadsAsResponder {@code max_qp_rd_atom}: RDMA reads and atomics that a queue pair can serve at a time
 * @param maxReadsOfDevice {@code max_res_rd_atom}: the same for all queue pairs together
 * @param maxReadsAsInitiator {@code max_qp_init_rd_atom}: RDMA reads and atomics that a queue pair can have under way
 * @param atomicCapability {@code atomic_cap}
 * @param maxMemoryWindows {@code max_mw}
 * @param maxMulticastGroups {@code max_mcast_grp}
 * @param maxMulticastQueuePairs {@code max_mcast_qp_attach}: queue pairs in one multicast group
 * @param maxAddressHandles {@code max_ah}
 * @param maxSharedReceiveQueues {@code max_srq}
 * @param maxSharedReceiveRequests {@code max_srq_wr}: receives in one shared receive queue
 * @param maxSharedReceiveSegments {@code max_srq_sge}: scatter/gather entries of one of its receives
 * @param maxPartitionKeys {@code max_pkeys}
 * @param acknowledgeDelay {@code local_ca_ack_delay}: code n of a delay of 4.096 us times 2 to the n
 * @param portCount {@code phys_port_cnt}: ports are numbered 1 to this
 */
public record DeviceAttributes(
        String firmwareVersion,
        long nodeGuid,
        long systemImageGuid,
        long maxRegionLength,
        long pageSizes,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQueuePairs,
        int maxRequests,
        int capabilityFlags,
        int maxSegments,
        int maxReadSegments,
        int maxCompletionQueues,
        int maxCompletions,
        int maxRegions,
        int maxProtectionDomains,
        int maxReadsAsResponder,
        int maxReadsOfDevice,
        int maxReadsAsInitiator,
        AtomicCapability atomicCapability,
        int maxMemoryWindows,
        int maxMulticastGroups,
        int maxMulticastQueuePairs,
        int maxAddressHandles,
        int maxSharedReceiveQueues,
        int maxSharedReceiveRequests,
        int maxSharedReceiveSegments,
        int maxPartitionKeys,
        int acknowledgeDelay,
        int portCount) {
    /** Refuses null. */
    public DeviceAttributes {
        Objects.requireNonNull(firmwareVersion, "firmwareVersion");
        Objects.requireNonNull(atomicCapability, "atomicCapability");
    }
}
