package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RhythmTest {
    private static final long NOTHING = Long.MAX_VALUE;

    private final Rhythm rhythm = new Rhythm();

    private void learn(int times, long nanoseconds) {
        for (int i = 0; i < times; i++) {
            rhythm.learn(nanoseconds);
        }
    }

    @Test
    void shouldBeginQuick() {
        assertTrue(rhythm.isQuick());
    }

    @Test
    void shouldStayQuickWhileWaitsAreShort() {
        learn(1000, Rhythm.SHORT);
        assertTrue(rhythm.isQuick());
    }

    @Test
    void shouldNotMindOnePause() {
        learn(100, 1000);
        learn(1, NOTHING);
        assertTrue(rhythm.isQuick());
        learn(10, 1000);
        learn(1, NOTHING);
        assertTrue(rhythm.isQuick());
    }

    @Test
    void shouldBecomeSlowWhenWaitsAreLong() {
        learn(100, 1000);
        learn(5, NOTHING);
        assertFalse(rhythm.isQuick());
        learn(1000, NOTHING);
        assertFalse(rhythm.isQuick());
    }

    @Test
    void shouldTryNowAndThenWhetherItIsQuickAgain() {
        learn(100, 10 * Rhythm.SHORT);
        int tries = 0;
        for (int i = 0; i < 160; i++) {
            tries += rhythm.isQuick() ? 1 : 0;
            rhythm.learn(10 * Rhythm.SHORT);
        }
        assertEquals(10, tries);
    }

    @Test
    void shouldBecomeQuickWithTheFirstShortWait() {
        learn(100, NOTHING);
        learn(1, Rhythm.SHORT / 2);
        assertTrue(rhythm.isQuick());
    }
}
