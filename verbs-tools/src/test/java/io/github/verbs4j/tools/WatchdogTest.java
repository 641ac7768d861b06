package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchdogTest {
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final Watchdog watchdog = new Watchdog(PATIENCE, () -> "nothing came");

    @Test
    void givesUpWithTheReasonAndNotTooSoon() {
        long start = System.nanoTime();
        CommandFailure failure = assertThrows(CommandFailure.class, () -> {
            while (true) {
                watchdog.idle();
            }
        });
        assertEquals("nothing came", failure.getMessage());
        assertTrue(System.nanoTime() - start >= PATIENCE.toNanos());
    }

    @Test
    void whatCameCalmsIt() {
        long end = System.nanoTime() + 3 * PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            watchdog.idle();
            watchdog.calm();
        }
    }
}
