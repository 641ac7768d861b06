package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BellsTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(50);

    private final Bells bells = new Bells();

    /** Whether it rang, which is then forgotten. */
    private static boolean rang(Bell bell) {
        long begin = System.nanoTime();
        bell.sleep(TimeUnit.MILLISECONDS.toNanos(20));
        boolean rang = System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(20);
        bell.silence();
        return rang;
    }

    @Test
    void shouldRingOneByItsNumber() {
        Bell first = bells.add();
        Bell second = bells.add();
        bells.ring(second.number());
        assertFalse(rang(first));
        assertTrue(rang(second));
    }

    @Test
    void shouldRingAll() {
        Bell first = bells.add();
        bells.remove(bells.add());
        Bell third = bells.add();
        bells.ringAll();
        assertTrue(rang(first) && rang(third));
    }

    @Test
    void shouldGiveANumberAgain() {
        Bell first = bells.add();
        Bell second = bells.add();
        bells.remove(first);
        assertEquals(first.number(), bells.add().number());
        assertEquals(second.number() + 1, bells.add().number());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Integer.MAX_VALUE, 1L << 32, Long.MIN_VALUE})
    void shouldNotMindNumbersThatNobodyHas(long number) {
        bells.remove(bells.add());
        bells.ring(number);
        Bell only = bells.add();
        bells.ring(only.number() + (1L << 32));
        assertFalse(rang(only));
    }

    @Test
    void shouldNotTakeAMuteBellForAnother() {
        Bell first = bells.add();
        bells.remove(Bell.mute());
        bells.ring(first.number());
        assertTrue(rang(first));
    }

    @Test
    void shouldWakeItsListener() throws Exception {
        Bell bell = bells.add();
        Thread sleeper = Thread.ofPlatform().start(() -> {
            bell.listen();
            bell.sleep(LONG);
            bell.leave();
        });
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        bells.ring(bell.number());
        assertTrue(sleeper.join(Duration.ofSeconds(40)));
    }
}
