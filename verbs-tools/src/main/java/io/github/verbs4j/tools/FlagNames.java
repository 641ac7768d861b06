package io.github.verbs4j.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Bit masks by the names that C gives their bits, without the prefix. */
final class FlagNames {
    /** {@code ibv_device_cap_flags}. */
    static final FlagNames DEVICE = new FlagNames()
            .bit(0, "RESIZE_MAX_WR")
            .bit(1, "BAD_PKEY_CNTR")
            .bit(2, "BAD_QKEY_CNTR")
            .bit(3, "RAW_MULTI")
            .bit(4, "AUTO_PATH_MIG")
            .bit(5, "CHANGE_PHY_PORT")
            .bit(6, "UD_AV_PORT_ENFORCE")
            .bit(7, "CURR_QP_STATE_MOD")
            .bit(8, "SHUTDOWN_PORT")
            .bit(9, "INIT_TYPE")
            .bit(10, "PORT_ACTIVE_EVENT")
            .bit(11, "SYS_IMAGE_GUID")
            .bit(12, "RC_RNR_NAK_GEN")
            .bit(13, "SRQ_RESIZE")
            .bit(14, "N_NOTIFY_CQ")
            .bit(17, "MEM_WINDOW")
            .bit(18, "UD_IP_CSUM")
            .bit(20, "XRC")
            .bit(21, "MEM_MGT_EXTENSIONS")
            .bit(23, "MEM_WINDOW_TYPE_2A")
            .bit(24, "MEM_WINDOW_TYPE_2B")
            .bit(25, "RC_IP_CSUM")
            .bit(26, "RAW_IP_CSUM")
            .bit(29, "MANAGED_FLOW_STEERING");

    /** {@code ibv_port_cap_flags}. */
    static final FlagNames PORT = new FlagNames()
            .bit(1, "SM")
            .bit(2, "NOTICE_SUP")
            .bit(3, "TRAP_SUP")
            .bit(4, "OPT_IPD_SUP")
            .bit(5, "AUTO_MIGR_SUP")
            .bit(6, "SL_MAP_SUP")
            .bit(7, "MKEY_NVRAM")
            .bit(8, "PKEY_NVRAM")
            .bit(9, "LED_INFO_SUP")
            .bit(11, "SYS_IMAGE_GUID_SUP")
            .bit(12, "PKEY_SW_EXT_PORT_TRAP_SUP")
            .bit(14, "EXTENDED_SPEEDS_SUP")
            .bit(15, "CAP_MASK2_SUP")
            .bit(16, "CM_SUP")
            .bit(17, "SNMP_TUNNEL_SUP")
            .bit(18, "REINIT_SUP")
            .bit(19, "DEVICE_MGMT_SUP")
            .bit(20, "VENDOR_CLASS_SUP")
            .bit(21, "DR_NOTICE_SUP")
            .bit(22, "CAP_MASK_NOTICE_SUP")
            .bit(23, "BOOT_MGMT_SUP")
            .bit(24, "LINK_LATENCY_SUP")
            .bit(25, "CLIENT_REG_SUP")
            .bit(26, "IP_BASED_GIDS");

    /** {@code ibv_port_cap_flags2}. */
    static final FlagNames PORT_2 = new FlagNames()
            .bit(0, "SET_NODE_DESC_SUP")
            .bit(1, "INFO_EXT_SUP")
            .bit(2, "VIRT_SUP")
            .bit(3, "SWITCH_PORT_STATE_TABLE_SUP")
            .bit(4, "LINK_WIDTH_2X_SUP")
            .bit(5, "LINK_SPEED_HDR_SUP")
            .bit(10, "LINK_SPEED_NDR_SUP");

    private final SortedMap<Integer, String> names = new TreeMap<>();

    private FlagNames bit(int number, String name) {
        names.put(number, name);
        return this;
    }

    /** The names of the bits that are set, by rising bit; one without a name is {@code BIT_n}. */
    List<String> of(int mask) {
        List<String> set = new ArrayList<>();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            if ((mask >>> bit & 1) != 0) {
                set.add(names.getOrDefault(bit, "BIT_" + bit));
            }
        }
        return set;
    }
}
