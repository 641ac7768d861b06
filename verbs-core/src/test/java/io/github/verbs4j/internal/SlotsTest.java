package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotsTest {

    /** What is meant, one request at a time: a completion frees its request and all silent ones before it. */
    private static final class Model {
        private final int depth;
        private final Deque<Boolean> outstanding = new ArrayDeque<>();

        Model(int depth) {
            this.depth = depth;
        }

        void post(boolean signaled) {
            outstanding.addLast(signaled);
        }

        int completions() {
            return (int) outstanding.stream().filter(signaled -> signaled).count();
        }

        void complete() {
            while (!outstanding.removeFirst()) {
                continue;
            }
        }

        int room() {
            return depth - outstanding.size();
        }
    }

    private static int room(Slots slots) {
        return slots.room(slots.depth());
    }

    @Test
    void shouldStartEmpty() {
        assertEquals(8, room(Slots.ofSends(8)));
        assertEquals(8, Slots.ofSends(8).depth());
        assertEquals(0, room(Slots.ofSends(0)));
        assertEquals(-1, Slots.ofSends(8).life(), "no life of a queue pair, nor the mark of a closed gate");
    }

    @Test
    void shouldFreeOneSlotPerCompletionWhenAllAreSignalled() {
        Slots slots = Slots.ofSends(4);
        slots.takeAll(3);
        assertEquals(1, room(slots));

        slots.complete(1);
        assertEquals(2, room(slots));
        slots.complete(2);
        assertEquals(4, room(slots));
    }

    @Test
    void shouldFreeABatchByItsLast() {
        Slots slots = Slots.ofSends(4);
        slots.takeWithLast(4);
        assertEquals(0, room(slots));

        slots.complete(1);
        assertEquals(4, room(slots));
    }

    @Test
    void shouldFreeSilentOnesWithTheNextThatTells() {
        Slots slots = Slots.ofSends(8);
        slots.takeSilent(3);
        slots.takeSilent(1);
        slots.takeAll(2);
        slots.takeSilent(1);
        assertEquals(1, room(slots));

        slots.complete(1);
        assertEquals(6, room(slots), "the silent ones before it, and itself");
        slots.complete(1);
        assertEquals(7, room(slots), "not the silent one behind it");
        slots.takeWithLast(2);
        slots.complete(1);
        assertEquals(8, room(slots));
    }

    @Test
    void shouldCountCompletionsThatComeTogether() {
        Slots slots = Slots.ofSends(16);
        slots.takeAll(2);
        slots.takeWithLast(5);
        slots.takeAll(3);

        slots.complete(4);
        assertEquals(16 - 2, room(slots), "two, five by one, and one of three");
        slots.complete(2);
        assertEquals(16, room(slots));
    }

    @Test
    void shouldOnlyLookWhenThereMayBeTooLittle() {
        Slots slots = Slots.ofSends(8);
        slots.takeAll(6);
        slots.complete(6);

        assertEquals(2, slots.room(1), "enough without looking");
        assertEquals(8, slots.room(2), "the last slot counts as too little");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 13, 64})
    void shouldCountAQueueThatIsNeverEmpty(int depth) {
        Slots slots = Slots.ofReceives(depth);
        slots.takeAll(depth);
        for (int round = 0; round < 10_000; round++) {
            int count = 1 + round % depth;
            slots.complete(count);
            assertEquals(count, room(slots));
            slots.takeAll(count);
        }
        slots.complete(depth);
        assertEquals(depth, room(slots));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 100})
    void shouldAgreeWithTheModelOverManyRounds(int depth) {
        Random random = new Random(depth);
        Slots slots = Slots.ofSends(depth);
        Model model = new Model(depth);
        for (int round = 0; round < 20_000; round++) {
            int count = random.nextInt(slots.room(depth) + 1);
            post(random, slots, model, count);
            int completed = random.nextInt(model.completions() + 1);
            for (int i = 0; i < completed; i++) {
                model.complete();
            }
            complete(random, slots, completed);
            if (random.nextInt(3) > 0) {
                assertEquals(model.room(), slots.room(depth), () -> "depth " + depth);
            }
            if (random.nextInt(500) == 0) {
                slots.begin(round + 2);
                model.outstanding.clear();
                assertEquals(depth, slots.room(depth));
            }
        }
    }

    private static void post(Random random, Slots slots, Model model, int count) {
        if (count == 0) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                slots.takeAll(count);
                model(model, count, count);
            }
            case 1 -> {
                slots.takeWithLast(count);
                model(model, count, 1);
            }
            case 2 -> {
                slots.takeSilent(count);
                model(model, count, 0);
            }
            default -> {
                // as SendQueue does it when some of a batch are signalled
                int silent = 0;
                for (int i = 0; i < count; i++) {
                    silent++;
                    boolean signaled = random.nextBoolean();
                    model.post(signaled);
                    if (signaled) {
                        slots.takeWithLast(silent);
                        silent = 0;
                    }
                }
                slots.takeSilent(silent);
            }
        }
    }

    private static void model(Model model, int count, int signaled) {
        for (int i = 0; i < count; i++) {
            model.post(i >= count - signaled);
        }
    }

    private static void complete(Random random, Slots slots, int completed) {
        int first = random.nextInt(completed + 1);
        if (first > 0) {
            slots.complete(first);
        }
        if (completed > first) {
            slots.complete(completed - first);
        }
    }

    @Test
    void shouldForgetEverythingInANewLife() {
        Slots slots = Slots.ofSends(4);
        slots.takeSilent(1);
        slots.takeAll(3);
        slots.complete(1);

        slots.begin(2);
        assertEquals(2, slots.life());
        assertEquals(4, room(slots));
    }

    @Test
    void shouldNotCountLateCompletionsOfAFormerLife() {
        Slots slots = Slots.ofSends(4);
        slots.takeAll(4);
        slots.begin(2);
        slots.complete(4);
        assertEquals(4, room(slots));

        slots.takeAll(2);
        assertEquals(2, room(slots));
        slots.complete(1);
        assertEquals(3, room(slots));
    }

    @Test
    void shouldNotCountCompletionsOfAFormerLifeThatWereNotLookedAt() {
        Slots slots = Slots.ofSends(4);
        slots.takeAll(4);
        slots.complete(4);
        slots.begin(2);

        slots.takeAll(4);
        assertEquals(0, room(slots));
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldHandCompletionsToAnotherThread() throws InterruptedException {
        int depth = 13;
        long total = 200_000;
        Slots slots = Slots.ofReceives(depth);
        Deque<Integer> inFlight = new java.util.concurrent.ConcurrentLinkedDeque<>();
        List<Throwable> failures = new ArrayList<>();
        Thread poller = Thread.ofPlatform()
                .daemon()
                .uncaughtExceptionHandler((thread, thrown) -> failures.add(thrown))
                .start(() -> {
                    for (long polled = 0; polled < total; ) {
                        Integer count = inFlight.pollFirst();
                        if (count == null) {
                            Thread.onSpinWait();
                        } else {
                            slots.complete(count);
                            polled += count;
                        }
                    }
                });
        for (long posted = 0; posted < total; ) {
            int room = (int) Math.min(slots.room(depth), total - posted);
            assertTrue(room >= 0 && room <= depth, () -> "room " + room);
            if (room > 0) {
                slots.takeAll(room);
                inFlight.addLast(room);
                posted += room;
            } else {
                Thread.yield();
            }
        }
        poller.join();
        assertEquals(List.of(), failures);
        assertEquals(depth, room(slots));
    }
}
