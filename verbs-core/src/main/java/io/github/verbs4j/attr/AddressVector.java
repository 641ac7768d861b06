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
    /** Checks that nothing is missing. */
    public AddressVector {
        Objects.requireNonNull(destination, "destination");
    }

    /** {@return whether packets carry a global route header, as they must on RoCE ({@code is_global})} */
    public boolean isGlobal() {
        return !destination.isNone();
    }
}
