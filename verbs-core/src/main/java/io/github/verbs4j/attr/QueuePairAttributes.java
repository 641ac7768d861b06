package io.github.verbs4j.attr;

import java.util.Objects;
import java.util.Set;

/**
 * {@code ibv_qp_attr}: what the device says of a queue pair. Fields that its state has not set yet are 0.
 *
 * @param state {@code qp_state}
 * @param currentState {@code cur_qp_state}
 * @param pathMtuCode {@code path_mtu}: 1 to 5 as in {@link Mtu#ofCode}, 0 before RTR
 * @param queueKey {@code qkey}
 * @param receivePacketSequenceNumber {@code rq_psn}, 24 bits
 * @param sendPacketSequenceNumber {@code sq_psn}, 24 bits
 * @param destinationNumber {@code dest_qp_num}
 * @param remoteAccess {@code qp_access_flags}
 * @param capacity {@code cap}: what the provider made of it, maybe more than {@link io.github.verbs4j.QueuePair#capacity} granted
 * @param path {@code ah_attr}
 * @param partitionKeyIndex {@code pkey_index}
 * @param isDraining {@code sq_draining}
 * @param readsAsInitiator {@code max_rd_atomic}
 * @param readsAsResponder {@code max_dest_rd_atomic}
 * @param minRnrTimer {@code min_rnr_timer}, a code as in {@link RcPath#minRnrTimer}
 * @param port {@code port_num}, 0 before INIT
 * @param ackTimeout {@code timeout}, a code as in {@link RcPath#ackTimeout}
 * @param retryCount {@code retry_cnt}
 * @param rnrRetry {@code rnr_retry}
 * @param alternatePath {@code alt_ah_attr}, {@code alt_pkey_index}, {@code alt_timeout}
 * @param pathMigration {@code path_mig_state}
 */
public record QueuePairAttributes(
        QueuePairState state,
        QueuePairState currentState,
        int pathMtuCode,
        int queueKey,
        int receivePacketSequenceNumber,
        int sendPacketSequenceNumber,
        int destinationNumber,
        Set<AccessFlag> remoteAccess,
        QueuePairCapacity capacity,
        AddressVector path,
        int partitionKeyIndex,
        boolean isDraining,
        int readsAsInitiator,
        int readsAsResponder,
        int minRnrTimer,
        int port,
        int ackTimeout,
        int retryCount,
        int rnrRetry,
        AlternatePath alternatePath,
        PathMigration pathMigration) {
    /** Refuses null. */
    public QueuePairAttributes {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(currentState, "currentState");
        for (AccessFlag flag : Objects.requireNonNull(remoteAccess, "remoteAccess")) {
            Objects.requireNonNull(flag, "remoteAccess contains null");
        }
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(alternatePath, "alternatePath");
        Objects.requireNonNull(pathMigration, "pathMigration");
    }
}
