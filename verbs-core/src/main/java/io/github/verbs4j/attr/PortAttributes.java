package io.github.verbs4j.attr;

import java.util.Objects;

/**
 * {@code ibv_port_attr}: the state and the limits of one port.
 *
 * @param number port number, from 1
 * @param state {@code state}
 * @param maxMtu {@code max_mtu}
 * @param activeMtu {@code active_mtu}: what packets on this port can carry now
 * @param gidTableLength {@code gid_tbl_len}: rows, most of them empty
 * @param capabilityFlags {@code port_cap_flags}
 * @param capabilityFlags2 {@code port_cap_flags2}
 * @param maxMessageLength {@code max_msg_sz}: largest message, bytes
 * @param badPartitionKeys {@code bad_pkey_cntr}
 * @param queueKeyViolations {@code qkey_viol_cntr}
 * @param partitionKeyTableLength {@code pkey_tbl_len}
 * @param lid {@code lid}: local identifier on InfiniBand, 0 on Ethernet
 * @param lidMaskControl {@code lmc}
 * @param subnetManagerLid {@code sm_lid}
 * @param subnetManagerServiceLevel {@code sm_sl}
 * @param maxVirtualLanes {@code max_vl_num}, as the code that C has
 * @param subnetTimeout {@code subnet_timeout}
 * @param initTypeReply {@code init_type_reply}
 * @param activeWidth {@code active_width}: 1, 2, 4, 8, 16 for 1X, 4X, 8X, 12X, 2X
 * @param activeSpeed {@code active_speed}, as the code that C has
 * @param physicalState {@code phys_state}, as the code that C has
 * @param linkLayer {@code link_layer}
 */
public record PortAttributes(
        int number,
        PortState state,
        Mtu maxMtu,
        Mtu activeMtu,
        int gidTableLength,
        int capabilityFlags,
        int capabilityFlags2,
        long maxMessageLength,
        int badPartitionKeys,
        int queueKeyViolations,
        int partitionKeyTableLength,
        int lid,
        int lidMaskControl,
        int subnetManagerLid,
        int subnetManagerServiceLevel,
        int maxVirtualLanes,
        int subnetTimeout,
        int initTypeReply,
        int activeWidth,
        int activeSpeed,
        int physicalState,
        LinkLayer linkLayer) {
    /** Refuses null. */
    public PortAttributes {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(maxMtu, "maxMtu");
        Objects.requireNonNull(activeMtu, "activeMtu");
        Objects.requireNonNull(linkLayer, "linkLayer");
    }
}
