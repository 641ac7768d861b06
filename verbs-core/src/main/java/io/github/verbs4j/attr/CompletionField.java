package io.github.verbs4j.attr;

import java.util.Collection;
import java.util.Objects;

/**
 * {@code ibv_create_cq_wc_flags}: what an extended completion queue shall tell of each completion beyond what every one
 * tells: id, status, opcode, flags, vendor error, and the number of the queue pair, which is always asked for.
 */
public enum CompletionField {
    /** {@code IBV_WC_EX_WITH_BYTE_LEN}: how long the message was. */
    BYTE_LENGTH(1),
    /** {@code IBV_WC_EX_WITH_IMM}: immediate data, or the key that the message took back. */
    IMMEDIATE(1 << 1),
    /** {@code IBV_WC_EX_WITH_SRC_QP}: the number of the queue pair that sent a datagram. */
    SOURCE_QUEUE_PAIR(1 << 3),
    /** {@code IBV_WC_EX_WITH_SLID}: the local identifier that sent a datagram; on InfiniBand. */
    SOURCE_LID(1 << 4),
    /** {@code IBV_WC_EX_WITH_SL}: the service level of a datagram. */
    SERVICE_LEVEL(1 << 5),
    /** {@code IBV_WC_EX_WITH_DLID_PATH_BITS}: which of our local identifiers a datagram was sent to; on InfiniBand. */
    PATH_BITS(1 << 6),
    /** {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP}: when it completed, by the clock of the device. */
    TIMESTAMP(1 << 7),
    /** {@code IBV_WC_EX_WITH_CVLAN}: the VLAN tag of a raw packet. */
    VLAN(1 << 8),
    /** {@code IBV_WC_EX_WITH_FLOW_TAG}: the tag of the flow rule that a raw packet met. */
    FLOW_TAG(1 << 9),
    /** {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK}: when it completed, by the clock of the host. */
    WALL_CLOCK(1 << 11);

    private final int bit;

    CompletionField(int bit) {
        this.bit = bit;
    }

    /** {@return the bit of {@code ibv_create_cq_wc_flags}} */
    public int bit() {
        return bit;
    }

    /**
     * {@return the fields as C's bit mask}
     *
     * @param fields any number of fields
     */
    public static int mask(Collection<CompletionField> fields) {
        int mask = 0;
        for (CompletionField field : Objects.requireNonNull(fields, "fields")) {
            mask |= Objects.requireNonNull(field, "fields contain null").bit;
        }
        return mask;
    }
}
