package io.github.verbs4j.attr;

import java.util.Objects;

/**
 * {@code ibv_ah_attr}: the way to a peer.
 *
 * @param destination {@code grh.dgid}: the peer's GID, or {@link Gid#NONE} on InfiniBand without a global route
 * @param lid {@code dlid}: the peer's LID, 0 on Ethernet
 * @param port {@code port_num}: our port, from 1
 * @param sourceGidIndex {@code grh.sgid_index}: our row of the GID table
 * @param serviceLevel {@code sl}, 0 to 15
 * @param hopLimit {@code grh.hop_limit}, 0 to 255; 1 does not pass a router
 * @param trafficClass {@code grh.traffic_class}, 0 to 255: the DSCP and ECN byte on RoCE
 * @param flowLabel {@code grh.flow_label}, 20 bits
 */
public record AddressVector(
        Gid destination,
        int lid,
        int port,
        int sourceGidIndex,
        int serviceLevel,
        int hopLimit,
        int trafficClass,
        int flowLabel) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public AddressVector {
        Objects.requireNonNull(destination, "destination");
        RcPath.range("lid", lid, 0, 0xffff);
        RcPath.range("port", port, 0, 255);
        RcPath.range("sourceGidIndex", sourceGidIndex, 0, 255);
        RcPath.range("serviceLevel", serviceLevel, 0, 15);
        RcPath.range("hopLimit", hopLimit, 0, 255);
        RcPath.range("trafficClass", trafficClass, 0, 255);
        RcPath.range("flowLabel", flowLabel, 0, 0xf_ffff);
    }

    /** {@return whether packets carry a global route header, as they must on RoCE ({@code is_global})} */
    public boolean isGlobal() {
        return !destination.isNone();
    }
}
