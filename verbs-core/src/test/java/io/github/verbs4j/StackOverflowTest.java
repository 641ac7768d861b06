package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.SendOperation;
import org.junit.jupiter.api.Test;

/**
 * A stack that ends in the middle of a call: no section of a provider's lock is left open, which the fake would tell at the
 * beginning of the next one. It does where the stack is not made sure of before.
 */
class StackOverflowTest extends FakeDevice {
    private static final int SUCCESSES = 100;
    private static final long STACK = 512 << 10;

    private int successes;
    private int overflows;

    @Test
    void shouldEndEverySectionThatPosts() throws Exception {
        QueuePairOptions options = QueuePairOptions.sharing(queue).depth(500, 4);
        SendQueue sends = sends(connected(queuePair(options.extended(SendOperation.WRITE))));

        sends.write(0, memory, 0, 8, memory.remote(), 64).signaled().post(); // or a class would overflow for good
        onShortStack(sends, () -> {
            if (sends.staged() == 0) {
                sends.write(1, memory, 0, 8, memory.remote(), 64).signaled();
            }
            sends.post();
        });

        int posted = 500 - sends.available();
        assertTrue(posted > 0, "the later ones are posted");
        sends.discard();
        assertEquals(1, sends.write(1, memory, 0, 8, memory.remote(), 64).post());
    }

    @Test
    void shouldEndEverySectionThatPolls() throws Exception {
        CompletionQueue extended = keep(context.createCompletionQueue(
                CompletionQueueOptions.entries(1024).extended()));
        SendQueue sends =
                sends(connected(queuePair(QueuePairOptions.sharing(extended).depth(500, 4))));
        ExtendedCompletions completions = keep(ExtendedCompletions.over(extended, 1));
        for (int i = 0; i < 2 * SUCCESSES; i++) {
            sends.write(i, memory, 0, 8, memory.remote(), 64).signaled().post();
        }

        assertEquals(1, completions.poll());
        onShortStack(completions, completions::poll);

        assertFalse(completions.poll() < 0);
    }

    /** Calls it at the end of the stack, then a little higher each time, until it has often gone well. */
    private void onShortStack(WorkObject object, Runnable call) throws InterruptedException {
        object.release();
        Thread thread = new Thread(
                null,
                () -> {
                    object.acquire();
                    descend(call);
                    object.release();
                },
                "short stack",
                STACK);
        thread.start();
        thread.join();
        object.acquire();
        assertEquals(SUCCESSES, successes);
        assertTrue(overflows > 0, "it began where there was no room");
    }

    private void descend(Runnable call) {
        try {
            descend(call);
        } catch (StackOverflowError _) {
            // here it ends
        }
        if (successes < SUCCESSES) {
            try {
                call.run();
                successes++;
            } catch (StackOverflowError _) {
                overflows++;
            }
        }
    }
}
