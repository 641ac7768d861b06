package io.github.verbs4j.attr;

/**
 * How the packets of an unreliable connection get to the peer. {@link #defaults()} suits nearly everybody; the {@code with}
 * methods change one thing.
 *
 * @param mtu payload of a packet ({@code path_mtu}), or null for the smaller of both ends' active MTU
 * @param hopLimit {@code hop_limit}: routers that a packet may pass plus one, 1 to 255; on RoCE the kernel may put the
 *     route's own in its place
 * @param trafficClass {@code traffic_class}: 0 to 255, the DSCP and ECN byte on RoCE
 * @param serviceLevel {@code sl}: 0 to 15
 * @param flowLabel {@code flow_label}: 20 bits
 */
public record UcPath(Mtu mtu, int hopLimit, int trafficClass, int serviceLevel, int flowLabel) {
    private static final UcPath DEFAULTS = new UcPath(null, 64, 0, 0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public UcPath {
        RcPath.range("hopLimit", hopLimit, 1, 255);
        RcPath.range("trafficClass", trafficClass, 0, 255);
        RcPath.range("serviceLevel", serviceLevel, 0, 15);
        RcPath.range("flowLabel", flowLabel, 0, 0xf_ffff);
    }

    /** {@return what suits nearly everybody: the smaller MTU of both ends, 64 hops, nothing special for the network} */
    public static UcPath defaults() {
        return DEFAULTS;
    }

    /**
     * {@return the same with another MTU}
     *
     * @param value payload of a packet, or null for the smaller of both ends'
     */
    public UcPath withMtu(Mtu value) {
        return new UcPath(value, hopLimit, trafficClass, serviceLevel, flowLabel);
    }

    /**
     * {@return the same with other treatment by the network}
     *
     * @param hops hop limit, 1 to 255
     * @param traffic traffic class, 0 to 255
     * @param level service level, 0 to 15
     * @param flow flow label, 20 bits
     */
    public UcPath withRouting(int hops, int traffic, int level, int flow) {
        return new UcPath(mtu, hops, traffic, level, flow);
    }
}
