package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SharedSlotsTest {
    private static int room(Slots slots) {
        return slots.room(slots.depth());
    }

    @Test
    void shouldFreeASlotForEachCompletion() {
        SharedSlots slots = new SharedSlots(8);
        slots.takeAll(8);
        assertEquals(0, room(slots));

        slots.complete(3);
        assertEquals(3, room(slots));
    }

    @Test
    void shouldFreeASlotForEachQueuePairThatFails() {
        SharedSlots slots = new SharedSlots(8);
        slots.takeAll(8);

        slots.failed();
        slots.failed();
        assertEquals(2, room(slots));
    }

    @Test
    void shouldTakeBackNoMoreThanWasFreedOnSuspicion() {
        SharedSlots slots = new SharedSlots(8);
        slots.takeAll(8);
        assertFalse(slots.takeBack());
        slots.failed();
        slots.failed();
        slots.complete(3);

        assertTrue(slots.takeBack());
        assertEquals(3, room(slots));
        assertFalse(slots.takeBack());
        slots.complete(5);
        assertEquals(8, room(slots), "all that was outstanding is free");
    }

    @Test
    void shouldNeverHaveMoreThanAllFree() {
        SharedSlots slots = new SharedSlots(8);
        slots.takeAll(1);
        slots.complete(5);
        assertEquals(8, room(slots));

        slots.takeAll(8);
        assertEquals(0, room(slots));
    }

    @Test
    void shouldKeepWhatIsOutstandingWhenItIsResized() {
        SharedSlots slots = new SharedSlots(8);
        int before = slots.gate();
        slots.begin(before);
        slots.takeAll(8);

        slots.resize(12);
        assertNotEquals(before, slots.gate(), "what tells the posting side");
        slots.begin(slots.gate());
        assertEquals(slots.gate(), slots.life());
        assertEquals(12, slots.depth());
        assertEquals(4, room(slots));
        slots.complete(2);
        assertEquals(6, room(slots));

        slots.resize(4);
        slots.begin(slots.gate());
        assertEquals(-2, room(slots), "more are outstanding than there may be");
        slots.complete(3);
        assertEquals(1, room(slots));
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldCountWhatSeveralThreadsAdd() throws InterruptedException {
        int each = 100_000;
        SharedSlots slots = new SharedSlots(4 * each);
        slots.takeAll(4 * each);
        List<Thread> pollers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            pollers.add(Thread.ofPlatform().daemon().start(() -> {
                for (int n = 0; n < each; n++) {
                    slots.complete(1);
                }
            }));
        }
        for (Thread poller : pollers) {
            poller.join();
        }
        assertEquals(4 * each, room(slots));
    }
}
