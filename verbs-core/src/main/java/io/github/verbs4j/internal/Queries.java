package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.attr.AtomicCapability;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.InlineVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.ffi.ibv_gid_entry;
import io.github.verbs4j.ffi.ibv_port_attr;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What an open device says of itself, as values. */
public final class Queries {
    /** A newer library may know longer structs than we do. */
    private static final long SPARE_BYTES = 512;

    private Queries() {}

    /**
     * {@return a zeroed output struct with room for what a newer library may add}
     *
     * @param arena where
     * @param bytes what we know of
     */
    static MemorySegment output(Arena arena, long bytes) {
        return arena.allocate(bytes + SPARE_BYTES, 8);
    }

    /**
     * {@code ibv_query_device}.
     *
     * @param context {@code struct ibv_context *}
     * @param device its name
     * @return the attributes
     */
    public static DeviceAttributes device(MemorySegment context, String device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = output(arena, ibv_device_attr.sizeof());
            Call.on(device, () -> VerbsException.of("ibv_query_device").device(device))
                    .returned(() -> verbs_h.ibv_query_device(context, a));
            return new DeviceAttributes(
                    Pointers.string(ibv_device_attr.fw_ver(a), 64),
                    Long.reverseBytes(ibv_device_attr.node_guid(a)),
                    Long.reverseBytes(ibv_device_attr.sys_image_guid(a)),
                    ibv_device_attr.max_mr_size(a),
                    ibv_device_attr.page_size_cap(a),
                    ibv_device_attr.vendor_id(a),
                    ibv_device_attr.vendor_part_id(a),
                    ibv_device_attr.hw_ver(a),
                    ibv_device_attr.max_qp(a),
                    ibv_device_attr.max_qp_wr(a),
                    ibv_device_attr.device_cap_flags(a),
                    ibv_device_attr.max_sge(a),
                    ibv_device_attr.max_sge_rd(a),
                    ibv_device_attr.max_cq(a),
                    ibv_device_attr.max_cqe(a),
                    ibv_device_attr.max_mr(a),
                    ibv_device_attr.max_pd(a),
                    ibv_device_attr.max_qp_rd_atom(a),
                    ibv_device_attr.max_res_rd_atom(a),
                    ibv_device_attr.max_qp_init_rd_atom(a),
                    AtomicCapability.ofCode(ibv_device_attr.atomic_cap(a)),
                    ibv_device_attr.max_mw(a),
                    ibv_device_attr.max_mcast_grp(a),
                    ibv_device_attr.max_mcast_qp_attach(a),
                    ibv_device_attr.max_ah(a),
                    ibv_device_attr.max_srq(a),
                    ibv_device_attr.max_srq_wr(a),
                    ibv_device_attr.max_srq_sge(a),
                    Short.toUnsignedInt(ibv_device_attr.max_pkeys(a)),
                    Byte.toUnsignedInt(ibv_device_attr.local_ca_ack_delay(a)),
                    Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(a)));
        }
    }

    /**
     * {@code ibv_query_port}.
     *
     * @param context {@code struct ibv_context *}
     * @param device its name
     * @param port from 1
     * @return the attributes
     */
    public static PortAttributes port(MemorySegment context, String device, int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = output(arena, ibv_port_attr.sizeof());
            Call.on(
                            device,
                            () -> VerbsException.of("ibv_query_port")
                                    .device(device)
                                    .argument("port_num", port))
                    .returned(() -> InlineVerbs.ibv_query_port(context, (byte) port, a));
            return new PortAttributes(
                    port,
                    PortState.ofCode(ibv_port_attr.state(a)),
                    mtu(ibv_port_attr.max_mtu(a)),
                    mtu(ibv_port_attr.active_mtu(a)),
                    ibv_port_attr.gid_tbl_len(a),
                    ibv_port_attr.port_cap_flags(a),
                    Short.toUnsignedInt(ibv_port_attr.port_cap_flags2(a)),
                    Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(a)),
                    ibv_port_attr.bad_pkey_cntr(a),
                    ibv_port_attr.qkey_viol_cntr(a),
                    Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(a)),
                    Short.toUnsignedInt(ibv_port_attr.lid(a)),
                    Byte.toUnsignedInt(ibv_port_attr.lmc(a)),
                    Short.toUnsignedInt(ibv_port_attr.sm_lid(a)),
                    Byte.toUnsignedInt(ibv_port_attr.sm_sl(a)),
                    Byte.toUnsignedInt(ibv_port_attr.max_vl_num(a)),
                    Byte.toUnsignedInt(ibv_port_attr.subnet_timeout(a)),
                    Byte.toUnsignedInt(ibv_port_attr.init_type_reply(a)),
                    Byte.toUnsignedInt(ibv_port_attr.active_width(a)),
                    Byte.toUnsignedInt(ibv_port_attr.active_speed(a)),
                    Byte.toUnsignedInt(ibv_port_attr.phys_state(a)),
                    LinkLayer.ofCode(Byte.toUnsignedInt(ibv_port_attr.link_layer(a))));
        }
    }

    /** A port that is down may not say; a code from the future is at least the largest that we know. */
    private static Mtu mtu(int code) {
        return Mtu.ofCode(Math.clamp(code, Mtu.MTU_256.code(), Mtu.MTU_4096.code()));
    }

    /**
     * {@code ibv_query_gid_table}, of one port.
     *
     * @param context {@code struct ibv_context *}
     * @param device its name
     * @param port from 1
     * @param rows room for all rows of all ports
     * @return the filled rows of the port
     */
    public static GidTable gids(MemorySegment context, String device, int port, int rows) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entries = ibv_gid_entry.allocateArray(Math.max(1, rows), arena);
            long count = Call.on(
                            device,
                            () -> VerbsException.of("ibv_query_gid_table")
                                    .device(device)
                                    .argument("max_entries", rows))
                    .count(() -> InlineVerbs.ibv_query_gid_table(context, entries, Math.max(1, rows), 0));
            List<GidEntry> found = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                MemorySegment entry = ibv_gid_entry.asSlice(entries, i);
                if (ibv_gid_entry.port_num(entry) == port) {
                    found.add(new GidEntry(
                            port,
                            ibv_gid_entry.gid_index(entry),
                            Gid.of(ibv_gid_entry.gid(entry).toArray(JAVA_BYTE)),
                            GidType.ofCode(ibv_gid_entry.gid_type(entry)),
                            ibv_gid_entry.ndev_ifindex(entry)));
                }
            }
            return new GidTable(port, found);
        }
    }

    /**
     * {@code ibv_query_pkey}.
     *
     * @param context {@code struct ibv_context *}
     * @param device its name
     * @param port from 1
     * @param index row, from 0
     * @return the P_Key, 16 bits
     */
    public static int partitionKey(MemorySegment context, String device, int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(JAVA_SHORT);
            Call.on(
                            device,
                            () -> VerbsException.of("ibv_query_pkey")
                                    .device(device)
                                    .argument("port_num", port)
                                    .argument("index", index)
                                    .next("indexes run from 0 to "
                                            + (port(context, device, port).partitionKeyTableLength() - 1)))
                    .notNegative(errno -> ErrnoVerbs.ibv_query_pkey(errno, context, (byte) port, index, key));
            return Short.toUnsignedInt(Short.reverseBytes(key.get(JAVA_SHORT, 0)));
        }
    }
}
