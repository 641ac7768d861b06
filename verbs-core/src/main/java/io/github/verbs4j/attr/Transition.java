package io.github.verbs4j.attr;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * {@code ibv_modify_qp}: one step of a queue pair's state machine, with the attributes that it sets. The attribute mask
 * follows from what was set here, so it cannot disagree with it.
 *
 * <p>Which attributes a step must and may have depends on the queue pair's type and state; that is checked when the step
 * is taken. Every method returns a new value.
 */
public final class Transition {
    private static final int PSN_MAX = 0xff_ffff;

    private final EnumMap<QueuePairAttribute, Object> attributes;

    private Transition(EnumMap<QueuePairAttribute, Object> attributes) {
        this.attributes = attributes;
    }

    /**
     * {@return a step without attributes}
     *
     * @param state where it leads
     */
    public static Transition to(QueuePairState state) {
        Objects.requireNonNull(state, "state");
        if (state == QueuePairState.UNKNOWN) {
            throw new IllegalArgumentException("state=UNKNOWN is reported, never asked for");
        }
        EnumMap<QueuePairAttribute, Object> attributes = new EnumMap<>(QueuePairAttribute.class);
        attributes.put(QueuePairAttribute.STATE, state);
        return new Transition(attributes);
    }

    /** {@return where it leads} */
    public QueuePairState state() {
        return (QueuePairState) attributes.get(QueuePairAttribute.STATE);
    }

    /** {@return what was set, the state included, by rising bit of the mask} */
    public Map<QueuePairAttribute, Object> attributes() {
        return Collections.unmodifiableMap(attributes);
    }

    /** {@return the bits of {@code ibv_qp_attr_mask}} */
    public int mask() {
        return attributes.keySet().stream().mapToInt(QueuePairAttribute::bit).reduce(0, (a, b) -> a | b);
    }

    /**
     * {@return the step with the state that the queue pair is assumed to be in ({@code cur_qp_state})}
     *
     * @param state RTR, RTS, SQD or SQE
     */
    public Transition currentState(QueuePairState state) {
        return with(QueuePairAttribute.CURRENT_STATE, Objects.requireNonNull(state, "state"));
    }

    /**
     * {@return the step with an async event when the send queue has drained ({@code en_sqd_async_notify})}
     *
     * @param wanted whether
     */
    public Transition drainedNotification(boolean wanted) {
        return with(QueuePairAttribute.DRAINED_NOTIFICATION, wanted ? 1 : 0);
    }

    /**
     * {@return the step with what the peer may do ({@code qp_access_flags})}
     *
     * @param flags none, or any of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC
     */
    public Transition access(AccessFlag... flags) {
        return access(Arrays.asList(Objects.requireNonNull(flags, "flags")));
    }

    /**
     * {@return the step with what the peer may do ({@code qp_access_flags})}
     *
     * @param flags none, or any of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC
     */
    public Transition access(Set<AccessFlag> flags) {
        return access((Collection<AccessFlag>) Objects.requireNonNull(flags, "flags"));
    }

    private Transition access(Collection<AccessFlag> flags) {
        flags.forEach(flag -> Objects.requireNonNull(flag, "flags contain null"));
        return with(QueuePairAttribute.ACCESS, Set.copyOf(flags));
    }

    /**
     * {@return the step with a partition ({@code pkey_index})}
     *
     * @param index row of the port's P_Key table, from 0
     */
    public Transition partitionKeyIndex(int index) {
        return number(QueuePairAttribute.PARTITION_KEY_INDEX, index, 0xffff);
    }

    /**
     * {@return the step with a port ({@code port_num})}
     *
     * @param number from 1
     */
    public Transition port(int number) {
        return number(QueuePairAttribute.PORT, number, 255);
    }

    /**
     * {@return the step with a queue key ({@code qkey}), which datagrams must carry}
     *
     * @param key 32 bits
     */
    public Transition queueKey(int key) {
        return with(QueuePairAttribute.QUEUE_KEY, key);
    }

    /**
     * {@return the step with the way to the peer ({@code ah_attr})}
     *
     * @param path the address vector
     */
    public Transition path(AddressVector path) {
        return with(QueuePairAttribute.PATH, Objects.requireNonNull(path, "path"));
    }

    /**
     * {@return the step with the path to move to when the first one fails ({@code alt_ah_attr}); InfiniBand only}
     *
     * @param path the other path
     */
    public Transition alternatePath(AlternatePath path) {
        return with(QueuePairAttribute.ALTERNATE_PATH, Objects.requireNonNull(path, "path"));
    }

    /**
     * {@return the step with whether to move to the alternate path ({@code path_mig_state}); InfiniBand only}
     *
     * @param state MIGRATED moves at once, REARM gets ready to
     */
    public Transition pathMigration(PathMigration state) {
        if (Objects.requireNonNull(state, "state") == PathMigration.UNKNOWN) {
            throw new IllegalArgumentException("state=UNKNOWN is reported, never asked for");
        }
        return with(QueuePairAttribute.PATH_MIGRATION, state);
    }

    /**
     * {@return the step with the payload of a packet ({@code path_mtu}); both ends need the same}
     *
     * @param mtu at most the port's active MTU
     */
    public Transition pathMtu(Mtu mtu) {
        return with(QueuePairAttribute.PATH_MTU, Objects.requireNonNull(mtu, "mtu"));
    }

    /**
     * {@return the step with how long to wait for an acknowledgement ({@code timeout})}
     *
     * @param code 0 to 31; see {@link RcPath#ackTimeout}
     */
    public Transition ackTimeout(int code) {
        return number(QueuePairAttribute.ACK_TIMEOUT, code, 31);
    }

    /**
     * {@return the step with how often to repeat after a time-out ({@code retry_cnt})}
     *
     * @param count 0 to 7
     */
    public Transition retryCount(int count) {
        return number(QueuePairAttribute.RETRY_COUNT, count, 7);
    }

    /**
     * {@return the step with how often to repeat when the peer has no receive posted ({@code rnr_retry})}
     *
     * @param count 0 to 6, or 7 for ever
     */
    public Transition rnrRetry(int count) {
        return number(QueuePairAttribute.RNR_RETRY, count, 7);
    }

    /**
     * {@return the step with the first packet number to expect ({@code rq_psn}), which is the peer's send number}
     *
     * @param number 24 bits
     */
    public Transition receivePacketSequenceNumber(int number) {
        return number(QueuePairAttribute.RECEIVE_PSN, number, PSN_MAX);
    }

    /**
     * {@return the step with the first packet number to send ({@code sq_psn})}
     *
     * @param number 24 bits
     */
    public Transition sendPacketSequenceNumber(int number) {
        return number(QueuePairAttribute.SEND_PSN, number, PSN_MAX);
    }

    /**
     * {@return the step with how many reads and atomics we may have under way ({@code max_rd_atomic})}
     *
     * @param count 0 to 255
     */
    public Transition readsAsInitiator(int count) {
        return number(QueuePairAttribute.READS_AS_INITIATOR, count, 255);
    }

    /**
     * {@return the step with how many of the peer's reads and atomics we serve at a time ({@code max_dest_rd_atomic})}
     *
     * @param count 0 to 255
     */
    public Transition readsAsResponder(int count) {
        return number(QueuePairAttribute.READS_AS_RESPONDER, count, 255);
    }

    /**
     * {@return the step with how long the peer waits before it repeats when we had no receive posted
     * ({@code min_rnr_timer})}
     *
     * @param code 0 to 31; see {@link RcPath#minRnrTimer}
     */
    public Transition minRnrTimer(int code) {
        return number(QueuePairAttribute.MIN_RNR_TIMER, code, 31);
    }

    /**
     * {@return the step with the peer's queue pair ({@code dest_qp_num})}
     *
     * @param queuePairNumber 24 bits
     */
    public Transition destination(int queuePairNumber) {
        return number(QueuePairAttribute.DESTINATION, queuePairNumber, PSN_MAX);
    }

    private Transition number(QueuePairAttribute attribute, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(attribute.setter() + "=" + value + " is not in 0.." + max);
        }
        return with(attribute, value);
    }

    private Transition with(QueuePairAttribute attribute, Object value) {
        EnumMap<QueuePairAttribute, Object> copy = new EnumMap<>(attributes);
        copy.put(attribute, value);
        return new Transition(copy);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Transition that && attributes.equals(that.attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    /** {@return the attributes by the names of C: {@code qp_state=INIT, pkey_index=0}} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        attributes.forEach((attribute, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(attribute.field())
                .append('=')
                .append(value));
        return text.toString();
    }
}
