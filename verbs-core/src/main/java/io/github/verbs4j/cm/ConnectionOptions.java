package io.github.verbs4j.cm;

import io.github.verbs4j.attr.RcPath;
import java.util.Arrays;
import java.util.Objects;

/**
 * {@code rdma_conn_param}: how a connection behaves. {@link #defaults()} suits nearly everybody; the {@code with} methods change
 * one thing.
 *
 * @param maxReads {@code initiator_depth}: our reads and atomics under way, 0 to 255; never more than the peer serves and the
 *     device allows
 * @param readsServed {@code responder_resources}: the peer's reads and atomics that we serve at a time, 0 to 255; never more
 *     than the device allows
 * @param retryCount {@code retry_count}: repeats after a time-out, 0 to 7
 * @param rnrRetry {@code rnr_retry_count}: repeats when a receive was late, 0 to 6, 7 for ever; ours when the peer had none posted,
 *     whatever it asked for, and what we ask of the peer when we had none
 * @param minRnrTimer {@code min_rnr_timer}: code of the pause that we ask the peer for when we have no receive posted, 0 to
 *     31; see {@link RcPath#minRnrTimer}
 * @param privateData what the peer gets to read, at most 56 bytes with a request, 196 with an acceptance
 */
public record ConnectionOptions(
        int maxReads, int readsServed, int retryCount, int rnrRetry, int minRnrTimer, byte[] privateData) {
    static final int REQUEST_BYTES = 56;
    static final int ACCEPT_BYTES = 196;
    static final int REJECT_BYTES = 148;

    private static final ConnectionOptions DEFAULTS = new ConnectionOptions(16, 16, 7, 7, 12, new byte[0]);

    /**
     * Checks the ranges, and keeps a copy of the data.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public ConnectionOptions {
        range("maxReads", maxReads, 255);
        range("readsServed", readsServed, 255);
        range("retryCount", retryCount, 7);
        range("rnrRetry", rnrRetry, 7);
        range("minRnrTimer", minRnrTimer, 31);
        privateData = Objects.requireNonNull(privateData, "privateData").clone();
        requireBytes(privateData, ACCEPT_BYTES, "a connection");
    }

    private static void range(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " is not in 0.." + max);
        }
    }

    static void requireBytes(byte[] privateData, int max, String carrier) {
        if (Objects.requireNonNull(privateData, "privateData").length > max) {
            throw new IllegalArgumentException("privateData has " + privateData.length + " bytes; " + carrier
                    + " carries at most " + max + ": send the rest as a message once connected");
        }
    }

    /**
     * {@return what suits nearly everybody: 16 reads each way, 7 repeats after a time-out, receives may be late for ever with
     * a pause of 0.64 ms, no private data} The pause that librdmacm leaves is 655.36 ms, which makes a late receive look like a
     * hang.
     */
    public static ConnectionOptions defaults() {
        return DEFAULTS;
    }

    /** {@return whether it is equal in all, private data byte by byte} */
    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionOptions(int ours, int peers, int retries, int rnr, int timer, byte[] data)
                && maxReads == ours
                && readsServed == peers
                && retryCount == retries
                && rnrRetry == rnr
                && minRnrTimer == timer
                && Arrays.equals(privateData, data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(maxReads, readsServed, retryCount, rnrRetry, minRnrTimer, Arrays.hashCode(privateData));
    }

    @Override
    public String toString() {
        return "ConnectionOptions[maxReads=" + maxReads + ", readsServed=" + readsServed + ", retryCount=" + retryCount
                + ", rnrRetry=" + rnrRetry + ", minRnrTimer=" + minRnrTimer + ", privateData="
                + Failure.readable(privateData) + "]";
    }

    /** {@return a copy of the private data} */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * {@return the same with other numbers of reads}
     *
     * @param ours under way, 0 to 255
     * @param peers served at a time, 0 to 255
     */
    public ConnectionOptions withReads(int ours, int peers) {
        return new ConnectionOptions(ours, peers, retryCount, rnrRetry, minRnrTimer, privateData);
    }

    /**
     * {@return the same with another number of repeats after a time-out}
     *
     * @param count 0 to 7
     */
    public ConnectionOptions withRetryCount(int count) {
        return new ConnectionOptions(maxReads, readsServed, count, rnrRetry, minRnrTimer, privateData);
    }

    /**
     * {@return the same with another patience for late receives}
     *
     * @param retries repeats, 0 to 6, 7 for ever
     * @param timer code 0 to 31 of the pause that we ask the peer for
     */
    public ConnectionOptions withRnr(int retries, int timer) {
        return new ConnectionOptions(maxReads, readsServed, retryCount, retries, timer, privateData);
    }

    /**
     * {@return the same with other private data}
     *
     * @param data at most 56 bytes with a request, 196 with an acceptance
     */
    public ConnectionOptions withPrivateData(byte[] data) {
        Objects.requireNonNull(data, "data");
        return new ConnectionOptions(maxReads, readsServed, retryCount, rnrRetry, minRnrTimer, data);
    }
}
