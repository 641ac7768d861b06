package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RcPathTest {
    private static final RcPath DEFAULTS = RcPath.defaults();

    /** Table 45 of the InfiniBand specification, volume 1, as its milliseconds. */
    private static final double[] SPECIFIED = {
        655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28, 1.92, 2.56, 3.84,
        5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52
    };

    @Test
    void shouldKnowTheRnrTimersOfTheSpecification() {
        assertArrayEquals(
                SPECIFIED,
                IntStream.range(0, 32)
                        .mapToDouble(code -> DEFAULTS.withRnr(7, code).minRnrTimerMicros() / 1000.0)
                        .toArray(),
                1e-9);
    }

    @Test
    void shouldKnowTheAcknowledgementTimeouts() {
        assertEquals(0, DEFAULTS.withAckTimeout(0, 7).ackTimeoutNanos());
        assertEquals(8_192, DEFAULTS.withAckTimeout(1, 7).ackTimeoutNanos());
        assertEquals(67_108_864, DEFAULTS.withAckTimeout(14, 7).ackTimeoutNanos());
        assertEquals(8_796_093_022_208L, DEFAULTS.withAckTimeout(31, 7).ackTimeoutNanos());
    }

    @Test
    void shouldDefaultToWhatThePingPongProgramsDo() {
        assertEquals(new RcPath(null, 14, 7, 7, 12, 16, 64, 0, 0, 0), DEFAULTS);
        assertEquals(640, DEFAULTS.minRnrTimerMicros());
    }

    @Test
    void shouldChangeOneThingAtATime() {
        assertEquals(new RcPath(Mtu.MTU_512, 14, 7, 7, 12, 16, 64, 0, 0, 0), DEFAULTS.withMtu(Mtu.MTU_512));
        assertEquals(new RcPath(null, 1, 2, 7, 12, 16, 64, 0, 0, 0), DEFAULTS.withAckTimeout(1, 2));
        assertEquals(new RcPath(null, 14, 7, 3, 4, 16, 64, 0, 0, 0), DEFAULTS.withRnr(3, 4));
        assertEquals(new RcPath(null, 14, 7, 7, 12, 5, 64, 0, 0, 0), DEFAULTS.withMaxReads(5));
        assertEquals(new RcPath(null, 14, 7, 7, 12, 16, 6, 7, 8, 9), DEFAULTS.withRouting(6, 7, 8, 9));
        RcPath all = new RcPath(Mtu.MTU_256, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertEquals(
                all,
                DEFAULTS.withMtu(Mtu.MTU_256)
                        .withAckTimeout(1, 2)
                        .withRnr(3, 4)
                        .withMaxReads(5)
                        .withRouting(6, 7, 8, 9));
        assertEquals(new RcPath(null, 14, 7, 7, 12, 16, 64, 0, 0, 0), DEFAULTS, "the defaults are unchanged");
        assertEquals(all.withMtu(null), new RcPath(null, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    }

    @ParameterizedTest
    @CsvSource({
        "ackTimeout, 0, 0, 31",
        "retryCount, 1, 0, 7",
        "rnrRetry, 2, 0, 7",
        "minRnrTimer, 3, 0, 31",
        "maxReads, 4, 0, 255",
        "hopLimit, 5, 1, 255",
        "trafficClass, 6, 0, 255",
        "serviceLevel, 7, 0, 15",
        "flowLabel, 8, 0, 1048575"
    })
    void shouldCheckRanges(String name, int position, int min, int max) {
        path(position, min);
        path(position, max);
        for (int wrong : new int[] {min - 1, max + 1}) {
            assertEquals(
                    name + "=" + wrong + " is not in " + min + ".." + max,
                    assertThrows(IllegalArgumentException.class, () -> path(position, wrong))
                            .getMessage());
        }
    }

    private static RcPath path(int position, int value) {
        int[] all = {1, 1, 1, 1, 1, 1, 1, 1, 1};
        all[position] = value;
        return new RcPath(null, all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8]);
    }
}
