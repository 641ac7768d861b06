package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many receives a ping-pong can keep posted on a device of tiny queues. */
class PingpongDepthTest {
    private static PingpongOptions options(int depth) {
        return new PingpongOptions("rxe0", 1, null, 64, 1, null, depth, false, null, 0, Duration.ZERO, Duration.ZERO);
    }

    private static void assertMost(int most, Pingpong possible, Pingpong tooDeep) {
        possible.requireDepth(DeviceFactsTest.attributes(), "rxe0");
        CommandFailure thrown =
                assertThrows(CommandFailure.class, () -> tooDeep.requireDepth(DeviceFactsTest.attributes(), "rxe0"));
        assertEquals(
                "receives (-r) " + (most + 1) + " are more than rxe0 can keep posted, " + most, thrown.getMessage());
    }

    @Test
    void aQueuePairHoldsAsManyAsItsQueue() {
        assertMost(4, pair(4), pair(5));
    }

    private static Pingpong pair(int depth) {
        return new PairPingpong("RC", ConnectedEndpoint::reliable, options(depth), null);
    }

    @Test
    void connectionsThatShareTheirReceivesLeaveRoomForASendOfEach() {
        assertMost(5, new SrqPingpong(options(5), 3, null), new SrqPingpong(options(6), 3, null));
    }
}
