package io.github.verbs4j.attr;

/**
 * How a reliable connection behaves on its way to the peer. {@link #defaults()} suits nearly everybody; the {@code with}
 * methods change one thing.
 *
 * @param mtu payload of a packet ({@code path_mtu}), or null for the smaller of both ends' active MTU
 * @param ackTimeout {@code timeout}: wait 4.096 us times 2 to this before repeating, 1 to 31, 0 for ever
 * @param retryCount {@code retry_cnt}: repeats after a time-out, 0 to 7
 * @param rnrRetry {@code rnr_retry}: repeats when the peer had no receive posted, 0 to 6, 7 for ever
 * @param minRnrTimer {@code min_rnr_timer}: code of the pause that we ask the peer for when we have no receive posted, 1
 *     (0.01 ms) to 31 (491.52 ms), 0 for 655.36 ms
 * @param maxReads our RDMA reads and atomics under way ({@code max_rd_atomic}), 0 to 255; never more than the peer serves
 *     and the device allows
 * @param hopLimit {@code hop_limit}: routers that a packet may pass plus one, 1 to 255; on RoCE the kernel may put the
 *     route's own in its place
 * @param trafficClass {@code traffic_class}: 0 to 255, the DSCP and ECN byte on RoCE
 * @param serviceLevel {@code sl}: 0 to 15
 * @param flowLabel {@code flow_label}: 20 bits
 */
public record RcPath(
        Mtu mtu,
        int ackTimeout,
        int retryCount,
        int rnrRetry,
        int minRnrTimer,
        int maxReads,
        int hopLimit,
        int trafficClass,
        int serviceLevel,
        int flowLabel) {

    /** Table 45 of the InfiniBand specification, in units of 10 us. */
    private static final int[] RNR_TIMER = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private static final RcPath DEFAULTS = new RcPath(null, 14, 7, 7, 12, 16, 64, 0, 0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public RcPath {
        range("ackTimeout", ackTimeout, 0, 31);
        range("retryCount", retryCount, 0, 7);
        range("rnrRetry", rnrRetry, 0, 7);
        range("minRnrTimer", minRnrTimer, 0, 31);
        range("maxReads", maxReads, 0, 255);
        range("hopLimit", hopLimit, 1, 255);
        range("trafficClass", trafficClass, 0, 255);
        range("serviceLevel", serviceLevel, 0, 15);
        range("flowLabel", flowLabel, 0, 0xf_ffff);
    }

    /**
     * {@return what suits nearly everybody: the smaller MTU of both ends, 67 ms acknowledgement time-out with 7 repeats,
     * receives may be late for ever with a pause of 0.64 ms, 16 reads, 64 hops} The time-outs are those of the ping-pong
     * programs of rdma-core.
     */
    public static RcPath defaults() {
        return DEFAULTS;
    }

    /** {@return the time-out in nanoseconds, 0 for ever} */
    public long ackTimeoutNanos() {
        return ackTimeout == 0 ? 0 : 4096L << ackTimeout;
    }

    /** {@return the pause in microseconds} */
    public int minRnrTimerMicros() {
        return RNR_TIMER[minRnrTimer] * 10;
    }

    /**
     * {@return the same with another MTU}
     *
     * @param value payload of a packet, or null for the smaller of both ends'
     */
    public RcPath withMtu(Mtu value) {
        return new RcPath(
                value,
                ackTimeout,
                retryCount,
                rnrRetry,
                minRnrTimer,
                maxReads,
                hopLimit,
                trafficClass,
                serviceLevel,
                flowLabel);
    }

    /**
     * {@return the same with another acknowledgement time-out and number of repeats}
     *
     * @param timeout code 0 to 31
     * @param retries 0 to 7
     */
    public RcPath withAckTimeout(int timeout, int retries) {
        return new RcPath(
                mtu,
                timeout,
                retries,
                rnrRetry,
                minRnrTimer,
                maxReads,
                hopLimit,
                trafficClass,
                serviceLevel,
                flowLabel);
    }

    /**
     * {@return the same with another patience for late receives}
     *
     * @param retries repeats, 0 to 6, 7 for ever
     * @param timer code 0 to 31 of the pause that we ask the peer for
     */
    public RcPath withRnr(int retries, int timer) {
        return new RcPath(
                mtu, ackTimeout, retryCount, retries, timer, maxReads, hopLimit, trafficClass, serviceLevel, flowLabel);
    }

    /**
     * {@return the same with another number of our reads and atomics under way}
     *
     * @param value 0 to 255
     */
    public RcPath withMaxReads(int value) {
        return new RcPath(
                mtu,
                ackTimeout,
                retryCount,
                rnrRetry,
                minRnrTimer,
                value,
                hopLimit,
                trafficClass,
                serviceLevel,
                flowLabel);
    }

    /**
     * {@return the same with other treatment by the network}
     *
     * @param hops hop limit, 1 to 255
     * @param traffic traffic class, 0 to 255
     * @param level service level, 0 to 15
     * @param flow flow label, 20 bits
     */
    public RcPath withRouting(int hops, int traffic, int level, int flow) {
        return new RcPath(mtu, ackTimeout, retryCount, rnrRetry, minRnrTimer, maxReads, hops, traffic, level, flow);
    }

    static void range(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " is not in " + min + ".." + max);
        }
    }
}
