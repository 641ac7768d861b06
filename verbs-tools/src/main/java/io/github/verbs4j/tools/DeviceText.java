package io.github.verbs4j.tools;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import io.github.verbs4j.tools.DeviceFacts.PortFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code devinfo} for people: the names of C, the values aligned. */
final class DeviceText {
    private static final String[] PHYSICAL_STATES = {
        "", "SLEEP", "POLLING", "DISABLED", "PORT_CONFIGURATION_TRAINING", "LINK_UP", "LINK_ERROR_RECOVERY", "PHYTEST"
    };

    private final List<String> lines = new ArrayList<>();
    private final DeviceFacts facts;
    private final boolean verbose;

    private DeviceText(DeviceFacts facts, boolean verbose) {
        this.facts = facts;
        this.verbose = verbose;
    }

    static List<String> lines(DeviceFacts facts, boolean verbose) {
        DeviceText text = new DeviceText(facts, verbose);
        text.device();
        facts.ports().forEach(text::port);
        return text.lines;
    }

    private void device() {
        DeviceAttributes a = facts.attributes();
        Optional<RdmaDevice> kernel = Host.local().rdmaDevice(facts.device().name());
        lines.add(facts.device().name());
        row("transport", Text.transport(facts.device().transport()));
        row("node_type", Text.words(facts.device().nodeType()));
        row("node", "/dev/infiniband/" + facts.device().nodeName());
        kernel.flatMap(RdmaDevice::driver).ifPresent(driver -> row("driver", driver));
        kernel.ifPresent(device -> device.numaNode().ifPresent(node -> row("numa_node", node)));
        row("fw_ver", a.firmwareVersion());
        row("node_guid", Text.guid(a.nodeGuid()));
        row("sys_image_guid", Text.guid(a.systemImageGuid()));
        row("vendor_id", String.format("0x%04x", a.vendorId()));
        row("vendor_part_id", a.vendorPartId());
        row("hw_ver", String.format("0x%x", a.hardwareVersion()));
        row("phys_port_cnt", a.portCount());
        if (verbose) {
            limits(a);
        }
    }

    private void limits(DeviceAttributes a) {
        row("max_mr_size", String.format("0x%x", a.maxRegionLength()));
        row("page_size_cap", String.format("0x%x", a.pageSizes()));
        row("max_qp", a.maxQueuePairs());
        row("max_qp_wr", a.maxRequests());
        row("device_cap_flags", String.format("0x%08x", a.capabilityFlags()));
        flags(FlagNames.DEVICE.of(a.capabilityFlags()));
        row("max_sge", a.maxSegments());
        row("max_sge_rd", a.maxReadSegments());
        row("max_cq", a.maxCompletionQueues());
        row("max_cqe", a.maxCompletions());
        row("max_mr", a.maxRegions());
        row("max_pd", a.maxProtectionDomains());
        row("max_qp_rd_atom", a.maxReadsAsResponder());
        row("max_res_rd_atom", a.maxReadsOfDevice());
        row("max_qp_init_rd_atom", a.maxReadsAsInitiator());
        row("atomic_cap", Text.words(a.atomicCapability()));
        row("max_mw", a.maxMemoryWindows());
        row("max_mcast_grp", a.maxMulticastGroups());
        row("max_mcast_qp_attach", a.maxMulticastQueuePairs());
        row("max_ah", a.maxAddressHandles());
        row("max_srq", a.maxSharedReceiveQueues());
        row("max_srq_wr", a.maxSharedReceiveRequests());
        row("max_srq_sge", a.maxSharedReceiveSegments());
        row("max_pkeys", a.maxPartitionKeys());
        row("local_ca_ack_delay", a.acknowledgeDelay());
    }

    private void port(PortFacts port) {
        PortAttributes a = port.attributes();
        lines.add("  port " + a.number());
        row("state", a.state());
        row("max_mtu", mtu(a.maxMtu()));
        row("active_mtu", mtu(a.activeMtu()));
        row("sm_lid", a.subnetManagerLid());
        row("port_lid", a.lid());
        row("port_lmc", String.format("0x%02x", a.lidMaskControl()));
        row("link_layer", Text.linkLayer(a.linkLayer()));
        if (verbose) {
            more(a);
        }
        gids(port);
    }

    private void more(PortAttributes a) {
        row("max_msg_sz", a.maxMessageLength() + " bytes");
        row("port_cap_flags", String.format("0x%08x", a.capabilityFlags()));
        flags(FlagNames.PORT.of(a.capabilityFlags()));
        row("port_cap_flags2", String.format("0x%04x", a.capabilityFlags2()));
        flags(FlagNames.PORT_2.of(a.capabilityFlags2()));
        row("max_vl_num", a.maxVirtualLanes());
        row("bad_pkey_cntr", Integer.toUnsignedString(a.badPartitionKeys()));
        row("qkey_viol_cntr", Integer.toUnsignedString(a.queueKeyViolations()));
        row("sm_sl", a.subnetManagerServiceLevel());
        row("pkey_tbl_len", a.partitionKeyTableLength());
        row("gid_tbl_len", a.gidTableLength());
        row("subnet_timeout", a.subnetTimeout());
        row("init_type_reply", a.initTypeReply());
        row("active_width", width(a.activeWidth()));
        row("active_speed", speed(a.activeSpeed()));
        row("phys_state", physicalState(a.physicalState()));
    }

    private void gids(PortFacts port) {
        if (port.gids().entries().isEmpty()) {
            lines.add("    no GID: give the port's network interface an IP address and bring it up");
            return;
        }
        GidEntry preferred = port.gids().preferred();
        Table table = Table.of(">GID", "type", "interface", "address");
        for (GidEntry entry : port.gids().entries()) {
            table.row(List.of(
                    Integer.toString(entry.index()),
                    Text.gidType(entry.type()),
                    port.interfaceOf(entry),
                    entry.gid() + (entry.equals(preferred) ? "   <- preferred" : "")));
        }
        table.lines().forEach(line -> lines.add("    " + line));
    }

    private void row(String name, Object value) {
        lines.add(String.format("    %-22s%s", name, value).stripTrailing());
    }

    private void flags(List<String> names) {
        names.forEach(name -> row("", name));
    }

    private static String mtu(Mtu mtu) {
        return mtu.bytes() + " bytes";
    }

    static String width(int code) {
        return switch (code) {
            case 1 -> "1X";
            case 2 -> "4X";
            case 4 -> "8X";
            case 8 -> "12X";
            case 16 -> "2X";
            default -> "code " + code;
        };
    }

    static String speed(int code) {
        return switch (code) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            default -> "code " + code;
        };
    }

    static String physicalState(int code) {
        return code > 0 && code < PHYSICAL_STATES.length ? PHYSICAL_STATES[code] : "code " + code;
    }
}
