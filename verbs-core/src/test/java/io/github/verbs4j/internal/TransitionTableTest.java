package io.github.verbs4j.internal;

import static io.github.verbs4j.attr.QueuePairState.ERR;
import static io.github.verbs4j.attr.QueuePairState.INIT;
import static io.github.verbs4j.attr.QueuePairState.RESET;
import static io.github.verbs4j.attr.QueuePairState.RTR;
import static io.github.verbs4j.attr.QueuePairState.RTS;
import static io.github.verbs4j.attr.QueuePairState.SQD;
import static io.github.verbs4j.attr.QueuePairState.SQE;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.AlternatePath;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PathMigration;
import io.github.verbs4j.attr.QueuePairAttribute;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.ffi.verbs4j_h;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionTableTest {
    private static final List<QueuePairState> STATES = List.of(RESET, INIT, RTR, RTS, SQD, SQE, ERR);

    private static final int CONNECTED_INIT =
            verbs4j_h.IBV_QP_PKEY_INDEX() | verbs4j_h.IBV_QP_PORT() | verbs4j_h.IBV_QP_ACCESS_FLAGS();
    private static final int DATAGRAM_INIT =
            verbs4j_h.IBV_QP_PKEY_INDEX() | verbs4j_h.IBV_QP_PORT() | verbs4j_h.IBV_QP_QKEY();
    private static final int UNRELIABLE_RTR = verbs4j_h.IBV_QP_AV()
            | verbs4j_h.IBV_QP_PATH_MTU()
            | verbs4j_h.IBV_QP_DEST_QPN()
            | verbs4j_h.IBV_QP_RQ_PSN();
    private static final int RTR_OPTIONS =
            verbs4j_h.IBV_QP_ALT_PATH() | verbs4j_h.IBV_QP_ACCESS_FLAGS() | verbs4j_h.IBV_QP_PKEY_INDEX();
    private static final int UNRELIABLE_OPTIONS = verbs4j_h.IBV_QP_CUR_STATE()
            | verbs4j_h.IBV_QP_ALT_PATH()
            | verbs4j_h.IBV_QP_ACCESS_FLAGS()
            | verbs4j_h.IBV_QP_PATH_MIG_STATE();
    private static final int RELIABLE_OPTIONS = UNRELIABLE_OPTIONS | verbs4j_h.IBV_QP_MIN_RNR_TIMER();
    private static final int DATAGRAM_OPTIONS = verbs4j_h.IBV_QP_CUR_STATE() | verbs4j_h.IBV_QP_QKEY();
    private static final int DATAGRAM_KEYS = verbs4j_h.IBV_QP_PKEY_INDEX() | verbs4j_h.IBV_QP_QKEY();
    private static final int UNRELIABLE_DRAINED = verbs4j_h.IBV_QP_ALT_PATH()
            | verbs4j_h.IBV_QP_ACCESS_FLAGS()
            | verbs4j_h.IBV_QP_PKEY_INDEX()
            | verbs4j_h.IBV_QP_PATH_MIG_STATE();

    /**
     * Of the InfiniBand specification (vol. 1, table 91 and following) and Linux's qp_state_table, copied by hand: from,
     * to, required mask, optional mask, in the constants of C. UC in SQD has no path: uverbs adds the port to it, which
     * the table refuses.
     */
    private static final Map<TransitionTable, Object[][]> LITERAL = Map.of(
            TransitionTable.RC,
            new Object[][] {
                {RESET, INIT, CONNECTED_INIT, 0},
                {INIT, INIT, 0, CONNECTED_INIT},
                {
                    INIT,
                    RTR,
                    UNRELIABLE_RTR | verbs4j_h.IBV_QP_MAX_DEST_RD_ATOMIC() | verbs4j_h.IBV_QP_MIN_RNR_TIMER(),
                    RTR_OPTIONS
                },
                {
                    RTR,
                    RTS,
                    verbs4j_h.IBV_QP_TIMEOUT()
                            | verbs4j_h.IBV_QP_RETRY_CNT()
                            | verbs4j_h.IBV_QP_RNR_RETRY()
                            | verbs4j_h.IBV_QP_SQ_PSN()
                            | verbs4j_h.IBV_QP_MAX_QP_RD_ATOMIC(),
                    RELIABLE_OPTIONS
                },
                {RTS, RTS, 0, RELIABLE_OPTIONS},
                {RTS, SQD, 0, verbs4j_h.IBV_QP_EN_SQD_ASYNC_NOTIFY()},
                {SQD, RTS, 0, RELIABLE_OPTIONS},
                {
                    SQD,
                    SQD,
                    0,
                    UNRELIABLE_DRAINED
                            | verbs4j_h.IBV_QP_PORT()
                            | verbs4j_h.IBV_QP_AV()
                            | verbs4j_h.IBV_QP_TIMEOUT()
                            | verbs4j_h.IBV_QP_RETRY_CNT()
                            | verbs4j_h.IBV_QP_RNR_RETRY()
                            | verbs4j_h.IBV_QP_MAX_QP_RD_ATOMIC()
                            | verbs4j_h.IBV_QP_MAX_DEST_RD_ATOMIC()
                            | verbs4j_h.IBV_QP_MIN_RNR_TIMER()
                },
            },
            TransitionTable.UC,
            new Object[][] {
                {RESET, INIT, CONNECTED_INIT, 0},
                {INIT, INIT, 0, CONNECTED_INIT},
                {INIT, RTR, UNRELIABLE_RTR, RTR_OPTIONS},
                {RTR, RTS, verbs4j_h.IBV_QP_SQ_PSN(), UNRELIABLE_OPTIONS},
                {RTS, RTS, 0, UNRELIABLE_OPTIONS},
                {RTS, SQD, 0, verbs4j_h.IBV_QP_EN_SQD_ASYNC_NOTIFY()},
                {SQD, RTS, 0, UNRELIABLE_OPTIONS},
                {SQD, SQD, 0, UNRELIABLE_DRAINED},
                {SQE, RTS, 0, verbs4j_h.IBV_QP_CUR_STATE() | verbs4j_h.IBV_QP_ACCESS_FLAGS()},
            },
            TransitionTable.UD,
            new Object[][] {
                {RESET, INIT, DATAGRAM_INIT, 0},
                {INIT, INIT, 0, DATAGRAM_INIT},
                {INIT, RTR, 0, DATAGRAM_KEYS},
                {RTR, RTS, verbs4j_h.IBV_QP_SQ_PSN(), DATAGRAM_OPTIONS},
                {RTS, RTS, 0, DATAGRAM_OPTIONS},
                {RTS, SQD, 0, verbs4j_h.IBV_QP_EN_SQD_ASYNC_NOTIFY()},
                {SQD, RTS, 0, DATAGRAM_OPTIONS},
                {SQD, SQD, 0, DATAGRAM_KEYS},
                {SQE, RTS, 0, DATAGRAM_OPTIONS},
            });

    static Stream<Named<TransitionTable>> tables() {
        return Stream.of(TransitionTable.RC, TransitionTable.UC, TransitionTable.UD)
                .map(table -> Named.of(table.type().name(), table));
    }

    private static final Map<QueuePairAttribute, UnaryOperator<Transition>> SETTERS =
            new EnumMap<>(QueuePairAttribute.class);

    static {
        SETTERS.put(QueuePairAttribute.CURRENT_STATE, step -> step.currentState(RTS));
        SETTERS.put(QueuePairAttribute.DRAINED_NOTIFICATION, step -> step.drainedNotification(true));
        SETTERS.put(QueuePairAttribute.ACCESS, step -> step.access(AccessFlag.REMOTE_READ));
        SETTERS.put(QueuePairAttribute.PARTITION_KEY_INDEX, step -> step.partitionKeyIndex(0));
        SETTERS.put(QueuePairAttribute.PORT, step -> step.port(1));
        SETTERS.put(QueuePairAttribute.QUEUE_KEY, step -> step.queueKey(1));
        SETTERS.put(QueuePairAttribute.PATH, step -> step.path(new AddressVector(new Gid(0, 1), 0, 1, 0, 0, 1, 0, 0)));
        SETTERS.put(QueuePairAttribute.PATH_MTU, step -> step.pathMtu(Mtu.MTU_1024));
        SETTERS.put(QueuePairAttribute.ACK_TIMEOUT, step -> step.ackTimeout(14));
        SETTERS.put(QueuePairAttribute.RETRY_COUNT, step -> step.retryCount(7));
        SETTERS.put(QueuePairAttribute.RNR_RETRY, step -> step.rnrRetry(7));
        SETTERS.put(QueuePairAttribute.RECEIVE_PSN, step -> step.receivePacketSequenceNumber(1));
        SETTERS.put(QueuePairAttribute.READS_AS_INITIATOR, step -> step.readsAsInitiator(1));
        SETTERS.put(QueuePairAttribute.MIN_RNR_TIMER, step -> step.minRnrTimer(12));
        SETTERS.put(QueuePairAttribute.SEND_PSN, step -> step.sendPacketSequenceNumber(1));
        SETTERS.put(QueuePairAttribute.READS_AS_RESPONDER, step -> step.readsAsResponder(1));
        SETTERS.put(
                QueuePairAttribute.ALTERNATE_PATH,
                step -> step.alternatePath(
                        new AlternatePath(new AddressVector(new Gid(0, 1), 0, 1, 0, 0, 1, 0, 0), 0, 14)));
        SETTERS.put(QueuePairAttribute.PATH_MIGRATION, step -> step.pathMigration(PathMigration.REARM));
        SETTERS.put(QueuePairAttribute.DESTINATION, step -> step.destination(17));
    }

    private static void check(QueuePairState from, Transition step) {
        TransitionTable.RC.check("qp 17", from, step);
    }

    private static Executable checking(TransitionTable table, QueuePairState from, Transition step) {
        return () -> table.check("qp 17", from, step);
    }

    /** Required and optional mask of a pair, null if there is no such step. */
    private static int[] literal(TransitionTable table, QueuePairState from, QueuePairState to) {
        if (to == RESET || to == ERR && from != RESET) {
            return new int[] {0, 0};
        }
        for (Object[] row : LITERAL.get(table)) {
            if (row[0] == from && row[1] == to) {
                return new int[] {(int) row[2], (int) row[3]};
            }
        }
        return null;
    }

    private static Transition with(QueuePairState to, int mask) {
        Transition step = Transition.to(to);
        for (Map.Entry<QueuePairAttribute, UnaryOperator<Transition>> setter : SETTERS.entrySet()) {
            if ((mask & setter.getKey().bit()) != 0) {
                step = setter.getValue().apply(step);
            }
        }
        return step;
    }

    @ParameterizedTest
    @MethodSource("tables")
    void shouldAllowAndRefuseAllPairsAsTheSpecificationDoes(TransitionTable table) {
        for (QueuePairState from : STATES) {
            for (QueuePairState to : STATES) {
                int[] masks = literal(table, from, to);
                if (masks == null) {
                    assertThrows(
                            IllegalStateException.class,
                            checking(table, from, Transition.to(to)),
                            () -> from + "->" + to);
                } else {
                    assertDoesNotThrow(checking(table, from, with(to, masks[0])), () -> from + "->" + to);
                    assertDoesNotThrow(checking(table, from, with(to, masks[0] | masks[1])), () -> from + "->" + to);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void shouldRefuseEachMissingAndEachForbiddenAttributeByName(TransitionTable table) {
        for (QueuePairState from : STATES) {
            for (QueuePairState to : STATES) {
                int[] masks = literal(table, from, to);
                if (masks == null) {
                    continue;
                }
                for (QueuePairAttribute attribute : SETTERS.keySet()) {
                    String pair = from + " -> " + to;
                    String name = attribute.setter() + " (" + attribute.field() + ")";
                    int bit = attribute.bit();
                    if ((masks[0] & bit) != 0) {
                        String message = assertThrows(
                                        IllegalArgumentException.class,
                                        checking(table, from, with(to, masks[0] & ~bit)))
                                .getMessage();
                        assertTrue(message.startsWith("qp 17: " + pair + " lacks " + name + "; it needs "), message);
                    } else if ((masks[1] & bit) == 0) {
                        String message = assertThrows(
                                        IllegalArgumentException.class, checking(table, from, with(to, masks[0] | bit)))
                                .getMessage();
                        assertTrue(
                                message.startsWith("qp 17: " + pair + " must not set " + name + "; it needs "),
                                message);
                    } else {
                        assertDoesNotThrow(checking(table, from, with(to, masks[0] | bit)));
                    }
                }
            }
        }
    }

    @Test
    void shouldSayWhichStepsThereAre() {
        assertEquals(
                "qp 17: RESET -> RTS is not a transition of RC queue pairs; from RESET they can go to RESET, INIT",
                assertThrows(IllegalStateException.class, () -> check(RESET, Transition.to(RTS)))
                        .getMessage());
        assertEquals(
                "qp 17: ERR -> INIT is not a transition of RC queue pairs; from ERR they can go to RESET, ERR",
                assertThrows(IllegalStateException.class, () -> check(ERR, Transition.to(INIT)))
                        .getMessage());
    }

    @Test
    void shouldSayAllThatIsMissingAndTooMuchAtOnce() {
        assertEquals(
                "qp 17: RESET -> INIT lacks partitionKeyIndex (pkey_index), port (port_num) and must not set"
                        + " queueKey (qkey); it needs access (qp_access_flags), partitionKeyIndex (pkey_index),"
                        + " port (port_num) and may set nothing",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> check(RESET, Transition.to(INIT).access().queueKey(1)))
                        .getMessage());
    }

    @Test
    void shouldHaveASetterHereForEveryAttributeOfATransition() {
        Set<String> methods = new LinkedHashSet<>();
        SETTERS.keySet().forEach(attribute -> methods.add(attribute.setter()));
        List<String> declared = new ArrayList<>();
        for (var method : Transition.class.getMethods()) {
            if (method.getReturnType() == Transition.class && !method.getName().equals("to")) {
                declared.add(method.getName());
            }
        }
        assertTrue(methods.containsAll(declared), () -> declared + " in " + methods);
    }
}
