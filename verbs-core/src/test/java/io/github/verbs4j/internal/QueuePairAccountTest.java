package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkStatus;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueuePairAccountTest {
    private final Slots sends = Slots.ofSends(1);
    /** Of a long name: it takes a while to tell of a failure. */
    private final QueuePairAccount account =
            new QueuePairAccount("a queue pair", 17, "fake".repeat(1 << 22), sends, Slots.ofReceives(1));

    /** Who posts beside the thread that polls is told why it may not, at once. */
    @Test
    void shouldKnowTheFirstFailureOnceNothingMayBePosted() throws Exception {
        int rounds = 20;
        AtomicInteger watched = new AtomicInteger();
        FutureTask<Integer> posting = new FutureTask<>(() -> {
            int unexplained = 0;
            for (int life = 1; life <= rounds; life++) {
                while (sends.gate() != life) {
                    Thread.onSpinWait();
                }
                watched.set(life);
                while (sends.gate() == life) {
                    // no pause: what is told at this moment is what counts
                }
                unexplained += account.firstFailure() == null ? 1 : 0;
                account.reset();
            }
            return unexplained;
        });
        Thread.ofPlatform().daemon().start(posting);

        for (int life = 1; life <= rounds; life++) {
            account.allow(true, true);
            while (watched.get() != life) {
                Thread.onSpinWait();
            }
            account.fail(life, WorkStatus.REM_ACCESS_ERR.code(), 0);
            while (account.hasFailed()) {
                Thread.onSpinWait();
            }
        }
        assertEquals(0, posting.get(60, TimeUnit.SECONDS));
    }
}
