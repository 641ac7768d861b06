package io.github.verbs4j.it.query;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceAttributesIT {
    @Test
    void shouldAgreeWithDevinfo() {
        DeviceAttributes ours;
        try (DeviceContext context = Rdma.open()) {
            ours = context.attributes();
        }
        Devinfo theirs = new Devinfo();
        assertEquals(theirs.word("fw_ver"), ours.firmwareVersion());
        assertEquals(theirs.guid("node_guid"), ours.nodeGuid());
        assertEquals(theirs.guid("sys_image_guid"), ours.systemImageGuid());
        assertEquals(theirs.code("atomic_cap"), ours.atomicCapability().code());

        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("vendor_id", (long) ours.vendorId());
        numbers.put("vendor_part_id", (long) ours.vendorPartId());
        numbers.put("hw_ver", (long) ours.hardwareVersion());
        numbers.put("phys_port_cnt", (long) ours.portCount());
        numbers.put("max_mr_size", ours.maxRegionLength());
        numbers.put("page_size_cap", ours.pageSizes());
        numbers.put("max_qp", (long) ours.maxQueuePairs());
        numbers.put("max_qp_wr", (long) ours.maxRequests());
        numbers.put("device_cap_flags", (long) ours.capabilityFlags());
        numbers.put("max_sge", (long) ours.maxSegments());
        numbers.put("max_sge_rd", (long) ours.maxReadSegments());
        numbers.put("max_cq", (long) ours.maxCompletionQueues());
        numbers.put("max_cqe", (long) ours.maxCompletions());
        numbers.put("max_mr", (long) ours.maxRegions());
        numbers.put("max_pd", (long) ours.maxProtectionDomains());
        numbers.put("max_qp_rd_atom", (long) ours.maxReadsAsResponder());
        numbers.put("max_res_rd_atom", (long) ours.maxReadsOfDevice());
        numbers.put("max_qp_init_rd_atom", (long) ours.maxReadsAsInitiator());
        numbers.put("max_mw", (long) ours.maxMemoryWindows());
        numbers.put("max_mcast_grp", (long) ours.maxMulticastGroups());
        numbers.put("max_mcast_qp_attach", (long) ours.maxMulticastQueuePairs());
        numbers.put("max_ah", (long) ours.maxAddressHandles());
        numbers.put("max_srq", (long) ours.maxSharedReceiveQueues());
        numbers.put("max_srq_wr", (long) ours.maxSharedReceiveRequests());
        numbers.put("max_srq_sge", (long) ours.maxSharedReceiveSegments());
        numbers.put("max_pkeys", (long) ours.maxPartitionKeys());
        numbers.put("local_ca_ack_delay", (long) ours.acknowledgeDelay());
        numbers.forEach((name, value) -> assertEquals(theirs.number(name), value, name));
    }
}
