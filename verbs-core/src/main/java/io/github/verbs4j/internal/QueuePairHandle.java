package io.github.verbs4j.internal;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.AlternatePath;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PathMigration;
import io.github.verbs4j.attr.QueuePairAttribute;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.QueuePairType;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_cap;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code ibv_modify_qp} and {@code ibv_query_qp} of one queue pair, and the state it is known to be in. */
public final class QueuePairHandle {
    /** What {@code ibv_query_qp} can tell: every bit that has a name here. */
    private static final int EVERYTHING = allBits();

    private final MemorySegment pointer;
    private final String name;
    private final String device;
    private final TransitionTable table;
    private final QueuePairAccount account;

    /**
     * Takes a new queue pair, in RESET.
     *
     * @param pointer {@code struct ibv_qp *}
     * @param name what messages call it
     * @param device name of its device
     * @param table the steps of its type
     * @param account told of every change of state
     */
    public QueuePairHandle(
            MemorySegment pointer, String name, String device, TransitionTable table, QueuePairAccount account) {
        this.pointer = pointer;
        this.name = name;
        this.device = device;
        this.table = table;
        this.account = account;
    }

    /** {@return {@code struct ibv_qp *}} */
    public MemorySegment pointer() {
        return pointer;
    }

    /** {@return the account} */
    public QueuePairAccount account() {
        return account;
    }

    /** {@return the state that it is known to be in: where it was led, or ERR after a failed completion} */
    public synchronized QueuePairState state() {
        return account.state();
    }

    /**
     * {@code ibv_modify_qp}.
     *
     * @param step where to, and what to set
     */
    public synchronized void modify(Transition step) {
        QueuePairState from = whereItIs();
        table.check(name, from, step);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = Queries.output(arena, ibv_qp_attr.sizeof());
            step.attributes().forEach((attribute, value) -> write(attributes, attribute, value));
            ModifyRefusal refusal = new ModifyRefusal(context(), device, step);
            Call.on(name, () -> refusal.asked(name, from))
                    .explained((failure, errno) -> explain(failure, errno, refusal))
                    .returned(() -> verbs_h.ibv_modify_qp(pointer, attributes, step.mask()));
        }
        arrived(from, step.state());
    }

    /** After a failed send, one that is unreliable is in SQE or in ERR: only the device knows. */
    private QueuePairState whereItIs() {
        QueuePairState known = state();
        if (account.hasFailed() && table.type() != QueuePairType.RC) {
            QueuePairState real = realState();
            return real == QueuePairState.SQE ? real : known;
        }
        return known;
    }

    private void arrived(QueuePairState from, QueuePairState reached) {
        account.arrived(from, reached, "ibv_modify_qp");
        if (reached == QueuePairState.RESET) {
            account.reset();
        } else {
            if (from == QueuePairState.SQE && reached == QueuePairState.RTS) {
                account.recoverSends();
            }
            boolean sends = reached == QueuePairState.RTS || reached == QueuePairState.SQD;
            boolean receives = sends || reached == QueuePairState.INIT || reached == QueuePairState.RTR;
            account.allow(receives, sends);
        }
    }

    private MemorySegment context() {
        return ibv_qp.context(Pointers.segment(pointer, ibv_qp.sizeof()));
    }

    private void explain(VerbsException.Builder failure, int errno, ModifyRefusal refusal) {
        refusal.explain(failure, errno);
        QueuePairState real = realState();
        if (real != account.led() && real != QueuePairState.UNKNOWN) {
            account.arrived(account.led(), real, "the device by itself");
            account.allow(false, false);
            failure.cause("the queue pair had left its state by itself: the device says it is in " + real)
                    .next("reset() it, or close it and connect another");
        }
    }

    private QueuePairState realState() {
        try {
            return query().state();
        } catch (VerbsException unreadable) {
            return QueuePairState.UNKNOWN;
        }
    }

    /**
     * {@code ibv_query_qp}.
     *
     * @return what the device says
     */
    public QueuePairAttributes query() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = Queries.output(arena, ibv_qp_attr.sizeof());
            MemorySegment init = Queries.output(arena, ibv_qp_init_attr.sizeof());
            Call.on(name, () -> VerbsException.of("ibv_query_qp").device(device).argument("queue pair", name))
                    .returned(() -> verbs_h.ibv_query_qp(pointer, a, EVERYTHING, init));
            return new QueuePairAttributes(
                    QueuePairState.ofCode(ibv_qp_attr.qp_state(a)),
                    QueuePairState.ofCode(ibv_qp_attr.cur_qp_state(a)),
                    ibv_qp_attr.path_mtu(a),
                    ibv_qp_attr.qkey(a),
                    ibv_qp_attr.rq_psn(a),
                    ibv_qp_attr.sq_psn(a),
                    ibv_qp_attr.dest_qp_num(a),
                    AccessFlag.of(ibv_qp_attr.qp_access_flags(a)),
                    readCapacity(ibv_qp_attr.cap(a)),
                    AddressVectors.read(ibv_qp_attr.ah_attr(a)),
                    Short.toUnsignedInt(ibv_qp_attr.pkey_index(a)),
                    ibv_qp_attr.sq_draining(a) != 0,
                    Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(a)),
                    Byte.toUnsignedInt(ibv_qp_attr.max_dest_rd_atomic(a)),
                    Byte.toUnsignedInt(ibv_qp_attr.min_rnr_timer(a)),
                    Byte.toUnsignedInt(ibv_qp_attr.port_num(a)),
                    Byte.toUnsignedInt(ibv_qp_attr.timeout(a)),
                    Byte.toUnsignedInt(ibv_qp_attr.retry_cnt(a)),
                    Byte.toUnsignedInt(ibv_qp_attr.rnr_retry(a)),
                    new AlternatePath(
                            AddressVectors.read(ibv_qp_attr.alt_ah_attr(a)),
                            Short.toUnsignedInt(ibv_qp_attr.alt_pkey_index(a)),
                            ibv_qp_attr.alt_timeout(a) & 0x1f),
                    PathMigration.ofCode(ibv_qp_attr.path_mig_state(a)));
        }
    }

    /**
     * {@return the values of {@code struct ibv_qp_cap}}
     *
     * @param cap the struct
     */
    public static QueuePairCapacity readCapacity(MemorySegment cap) {
        return new QueuePairCapacity(
                ibv_qp_cap.max_send_wr(cap),
                ibv_qp_cap.max_recv_wr(cap),
                ibv_qp_cap.max_send_sge(cap),
                ibv_qp_cap.max_recv_sge(cap),
                ibv_qp_cap.max_inline_data(cap));
    }

    /**
     * Fills {@code struct ibv_qp_cap}.
     *
     * @param cap the struct
     * @param capacity the values
     */
    public static void writeCapacity(MemorySegment cap, QueuePairCapacity capacity) {
        ibv_qp_cap.max_send_wr(cap, capacity.sendDepth());
        ibv_qp_cap.max_recv_wr(cap, capacity.receiveDepth());
        ibv_qp_cap.max_send_sge(cap, capacity.sendSegments());
        ibv_qp_cap.max_recv_sge(cap, capacity.receiveSegments());
        ibv_qp_cap.max_inline_data(cap, capacity.inlineBytes());
    }

    private static void write(MemorySegment a, QueuePairAttribute attribute, Object value) {
        switch (attribute) {
            case STATE -> ibv_qp_attr.qp_state(a, ((QueuePairState) value).code());
            case CURRENT_STATE -> ibv_qp_attr.cur_qp_state(a, ((QueuePairState) value).code());
            case DRAINED_NOTIFICATION -> ibv_qp_attr.en_sqd_async_notify(a, number(value));
            case ACCESS -> ibv_qp_attr.qp_access_flags(a, AccessFlag.mask(flags(value)));
            case PARTITION_KEY_INDEX -> ibv_qp_attr.pkey_index(a, ((Integer) value).shortValue());
            case PORT -> ibv_qp_attr.port_num(a, number(value));
            case QUEUE_KEY -> ibv_qp_attr.qkey(a, (Integer) value);
            case PATH -> AddressVectors.write(ibv_qp_attr.ah_attr(a), (AddressVector) value);
            case PATH_MTU -> ibv_qp_attr.path_mtu(a, ((Mtu) value).code());
            case ACK_TIMEOUT -> ibv_qp_attr.timeout(a, number(value));
            case RETRY_COUNT -> ibv_qp_attr.retry_cnt(a, number(value));
            case RNR_RETRY -> ibv_qp_attr.rnr_retry(a, number(value));
            case RECEIVE_PSN -> ibv_qp_attr.rq_psn(a, (Integer) value);
            case READS_AS_INITIATOR -> ibv_qp_attr.max_rd_atomic(a, number(value));
            case MIN_RNR_TIMER -> ibv_qp_attr.min_rnr_timer(a, number(value));
            case SEND_PSN -> ibv_qp_attr.sq_psn(a, (Integer) value);
            case READS_AS_RESPONDER -> ibv_qp_attr.max_dest_rd_atomic(a, number(value));
            case DESTINATION -> ibv_qp_attr.dest_qp_num(a, (Integer) value);
            case ALTERNATE_PATH -> writeAlternate(a, (AlternatePath) value);
            case PATH_MIGRATION -> ibv_qp_attr.path_mig_state(a, ((PathMigration) value).code());
            case CAPACITY -> throw new AssertionError(attribute + " has no method in Transition");
        }
    }

    private static void writeAlternate(MemorySegment a, AlternatePath value) {
        AddressVectors.write(ibv_qp_attr.alt_ah_attr(a), value.path());
        ibv_qp_attr.alt_port_num(a, (byte) value.path().port());
        ibv_qp_attr.alt_pkey_index(a, (short) value.partitionKeyIndex());
        ibv_qp_attr.alt_timeout(a, (byte) value.ackTimeout());
    }

    private static byte number(Object value) {
        return ((Integer) value).byteValue();
    }

    private static Set<AccessFlag> flags(Object value) {
        return ((Set<?>) value).stream().map(AccessFlag.class::cast).collect(Collectors.toSet());
    }

    private static int allBits() {
        int bits = 0;
        for (QueuePairAttribute attribute : QueuePairAttribute.values()) {
            bits |= attribute.bit();
        }
        return bits;
    }
}
