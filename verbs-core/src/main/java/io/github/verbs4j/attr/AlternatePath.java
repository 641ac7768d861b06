package io.github.verbs4j.attr;

import java.util.Objects;

/**
 * {@code ibv_qp_attr.alt_ah_attr} and what belongs to it: the path that a connection moves to when the first one fails.
 * InfiniBand only: on Ethernet the kernel has none.
 *
 * @param path {@code alt_ah_attr}; its port is {@code alt_port_num} too
 * @param partitionKeyIndex {@code alt_pkey_index}: row of that port's P_Key table, from 0
 * @param ackTimeout {@code alt_timeout}: a code as in {@link RcPath#ackTimeout}, 0 to 31
 */
public record AlternatePath(AddressVector path, int partitionKeyIndex, int ackTimeout) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public AlternatePath {
        Objects.requireNonNull(path, "path");
        RcPath.range("partitionKeyIndex", partitionKeyIndex, 0, 0xffff);
        RcPath.range("ackTimeout", ackTimeout, 0, 31);
    }
}
