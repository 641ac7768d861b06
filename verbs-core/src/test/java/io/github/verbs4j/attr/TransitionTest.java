package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionTest {
    private static final Transition RTR = Transition.to(QueuePairState.RTR);
    private static final AddressVector WAY = new AddressVector(new Gid(1, 2), 3, 1, 5, 6, 7, 8, 9);

    static List<Arguments> numbers() {
        return List.of(
                number("partitionKeyIndex", RTR::partitionKeyIndex, 0xffff, 4),
                number("port", RTR::port, 255, 5),
                number("ackTimeout", RTR::ackTimeout, 31, 9),
                number("retryCount", RTR::retryCount, 7, 10),
                number("rnrRetry", RTR::rnrRetry, 7, 11),
                number("receivePacketSequenceNumber", RTR::receivePacketSequenceNumber, 0xff_ffff, 12),
                number("readsAsInitiator", RTR::readsAsInitiator, 255, 13),
                number("minRnrTimer", RTR::minRnrTimer, 31, 15),
                number("sendPacketSequenceNumber", RTR::sendPacketSequenceNumber, 0xff_ffff, 16),
                number("readsAsResponder", RTR::readsAsResponder, 255, 17),
                number("destination", RTR::destination, 0xff_ffff, 20));
    }

    private static Arguments number(String name, IntFunction<Transition> setter, int max, int shift) {
        return Arguments.argumentSet(name, name, setter, max, shift);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void shouldCheckRangesAndSetTheBit(String name, IntFunction<Transition> setter, int max, int shift) {
        assertEquals(1 | 1 << shift, setter.apply(0).mask());
        assertEquals(
                List.of(QueuePairState.RTR, max),
                List.copyOf(setter.apply(max).attributes().values()));
        for (int wrong : new int[] {-1, max + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertEquals(
                    name + "=" + wrong + " is not in 0.." + max,
                    assertThrows(IllegalArgumentException.class, () -> setter.apply(wrong))
                            .getMessage());
        }
    }

    @Test
    void shouldSetTheBitOfEveryOtherAttribute() {
        assertEquals(1, RTR.mask());
        assertEquals(1 | 1 << 1, RTR.currentState(QueuePairState.RTS).mask());
        assertEquals(1 | 1 << 2, RTR.drainedNotification(true).mask());
        assertEquals(1 | 1 << 3, RTR.access().mask());
        assertEquals(1 | 1 << 3, RTR.access(AccessFlag.REMOTE_READ).mask());
        assertEquals(1 | 1 << 6, RTR.queueKey(-1).mask());
        assertEquals(1 | 1 << 7, RTR.path(WAY).mask());
        assertEquals(1 | 1 << 8, RTR.pathMtu(Mtu.MTU_256).mask());
        assertEquals(
                1 | 1 << 14, RTR.alternatePath(new AlternatePath(WAY, 0, 14)).mask());
        assertEquals(1 | 1 << 18, RTR.pathMigration(PathMigration.ARMED).mask());
    }

    @Test
    void shouldKeepTheLastOfTwoValues() {
        assertEquals(RTR.rnrRetry(2), RTR.rnrRetry(1).rnrRetry(2));
        assertEquals(
                0,
                RTR.drainedNotification(true)
                        .drainedNotification(false)
                        .attributes()
                        .get(QueuePairAttribute.DRAINED_NOTIFICATION));
    }

    @Test
    void shouldBeImmutable() {
        Set<AccessFlag> flags = EnumSet.of(AccessFlag.REMOTE_READ);
        Transition step = RTR.access(flags);
        flags.add(AccessFlag.REMOTE_WRITE);
        step.port(1);

        assertEquals(RTR.access(AccessFlag.REMOTE_READ), step);
        assertEquals(1, RTR.mask());
        assertThrows(
                UnsupportedOperationException.class, () -> step.attributes().clear());
    }

    @Test
    void shouldEqualByAttributes() {
        Transition one = RTR.port(1).rnrRetry(7);
        Transition other = RTR.rnrRetry(7).port(1);

        assertEquals(one, other);
        assertEquals(one.hashCode(), other.hashCode());
        assertNotEquals(one, RTR.port(1));
        assertNotEquals(one, RTR.port(2).rnrRetry(7));
        assertNotEquals(Transition.to(QueuePairState.RTS), RTR);
        assertNotEquals(one, (Object) "port");
    }

    @Test
    void shouldTellItsAttributesByTheNamesOfC() {
        assertEquals(
                "qp_state=INIT, qp_access_flags=[REMOTE_READ], pkey_index=0, port_num=1",
                Transition.to(QueuePairState.INIT)
                        .port(1)
                        .partitionKeyIndex(0)
                        .access(AccessFlag.REMOTE_READ)
                        .toString());
        assertEquals(QueuePairState.RTR, RTR.state());
    }

    @Test
    void shouldNeedAStateToGoTo() {
        assertEquals(
                "state=UNKNOWN is reported, never asked for",
                assertThrows(IllegalArgumentException.class, () -> Transition.to(QueuePairState.UNKNOWN))
                        .getMessage());
        assertEquals(
                "state=UNKNOWN is reported, never asked for",
                assertThrows(IllegalArgumentException.class, () -> RTR.pathMigration(PathMigration.UNKNOWN))
                        .getMessage());
        assertThrows(NullPointerException.class, () -> RTR.pathMigration(null));
        assertThrows(NullPointerException.class, () -> RTR.alternatePath(null));
        assertThrows(NullPointerException.class, () -> Transition.to(null));
        assertThrows(NullPointerException.class, () -> RTR.currentState(null));
        assertThrows(NullPointerException.class, () -> RTR.path(null));
        assertThrows(NullPointerException.class, () -> RTR.pathMtu(null));
        assertThrows(NullPointerException.class, () -> RTR.access((Set<AccessFlag>) null));
    }
}
