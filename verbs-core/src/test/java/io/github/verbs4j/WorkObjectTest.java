package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** One owner, one seat. */
class WorkObjectTest extends FakeDevice {
    private RcQueuePair queuePair;

    @BeforeEach
    void connect() {
        queuePair = connected();
    }

    private List<Supplier<WorkObject>> makers() {
        return List.of(
                () -> SendQueue.over(queuePair), () -> ReceiveQueue.over(queuePair), () -> Completions.over(queue, 16));
    }

    private static void use(WorkObject object) {
        switch (object) {
            case SendQueue sends -> sends.available();
            case ReceiveQueue receives -> receives.available();
            case Completions completions -> completions.poll();
            default -> throw new AssertionError(object);
        }
    }

    private static String message(Class<? extends Throwable> type, Executable use) {
        return assertThrows(type, use).getMessage();
    }

    @Test
    void shouldBeOneOnly() {
        for (Supplier<WorkObject> maker : makers()) {
            try (WorkObject first = maker.get()) {
                String kind = first.getClass().getSimpleName();
                String parent = first.toString().substring((kind + " of ").length());
                assertEquals(
                        parent + " has a " + kind + " already, owned by " + Thread.currentThread()
                                + "; close that one first, or hand it over with release() and acquire()",
                        message(IllegalStateException.class, maker::get));
                use(first);
            }
            maker.get().close();
        }
    }

    @Test
    void shouldNameTheOneThatIsThere() {
        RcQueuePair building = connected(queuePair(options().extended(SendOperation.SEND)));
        SendQueue plain = SendQueue.over(building);
        String message = message(IllegalStateException.class, () -> ExtendedSendQueue.over(building));
        assertTrue(message.startsWith(building + " has a SendQueue already, owned by "), message);
        plain.close();
        try (ExtendedSendQueue _ = ExtendedSendQueue.over(building)) {
            message = message(IllegalStateException.class, () -> SendQueue.over(building));
            assertTrue(message.startsWith(building + " has an ExtendedSendQueue already, owned by "), message);
        }
    }

    @Test
    void shouldSayWhenTheOwnerIsDeadOrNobody() throws Exception {
        for (Supplier<WorkObject> maker : makers()) {
            Thread[] owner = {null};
            WorkObject orphan = elsewhere(() -> {
                owner[0] = Thread.currentThread();
                return maker.get();
            });
            String second = message(IllegalStateException.class, maker::get);
            assertTrue(second.contains(" already, owned by " + owner[0] + " (dead); "), second);
            String use = message(WrongThreadException.class, () -> use(orphan));
            assertEquals(orphan + " is owned by " + owner[0] + " (dead): acquire() it first", use);
            orphan.acquire();
            orphan.release();
            second = message(IllegalStateException.class, maker::get);
            assertTrue(second.contains(" already, owned by no thread; "), second);
            assertEquals(
                    orphan + " is owned by no thread: acquire() it first",
                    message(WrongThreadException.class, () -> use(orphan)));
            orphan.close();
        }
    }

    @Test
    void shouldBeHandedOver() throws Exception {
        for (Supplier<WorkObject> maker : makers()) {
            WorkObject object = maker.get();
            object.release();
            elsewhere(() -> {
                object.acquire();
                use(object);
                object.acquire();
                object.release();
                return null;
            });
            assertThrows(WrongThreadException.class, () -> use(object));
            object.acquire();
            use(object);
            object.close();
        }
    }

    @Test
    void shouldNotBeTakenFromALivingOwner() throws Exception {
        for (Supplier<WorkObject> maker : makers()) {
            WorkObject object = maker.get();
            elsewhere(() -> {
                assertThrows(WrongThreadException.class, object::acquire);
                assertThrows(WrongThreadException.class, object::release);
                assertThrows(WrongThreadException.class, object::close);
                return null;
            });
            use(object);
            object.close();
        }
    }

    @Test
    void shouldBeClosedByAnyoneOnceReleasedOrTheOwnerIsDead() throws Exception {
        for (Supplier<WorkObject> maker : makers()) {
            WorkObject released = maker.get();
            released.release();
            elsewhere(() -> {
                released.close();
                return null;
            });
            assertFalse(released.isOpen());

            WorkObject orphan = elsewhere(maker::get);
            orphan.close();
            assertFalse(orphan.isOpen());
            maker.get().close();
        }
    }

    @Test
    void shouldStayClosed() throws Exception {
        for (Supplier<WorkObject> maker : makers()) {
            WorkObject object = maker.get();
            object.close();
            object.close();
            elsewhere(() -> {
                object.close();
                return null;
            });
            assertEquals(object + " is closed", message(IllegalStateException.class, object::acquire));
            assertEquals(object + " is closed", message(IllegalStateException.class, object::release));
            assertEquals(object + " is closed", message(IllegalStateException.class, () -> use(object)));
        }
    }

    @Test
    void shouldBeClosedByTwoThreadsAtOnce() throws Exception {
        FutureTask<?>[] second = {null};
        WorkObject object = new WorkObject("Object", queuePair, new AtomicReference<>()) {
            @Override
            void drop() {
                second[0] = new FutureTask<>(this::close, null);
                Thread thread = Thread.ofPlatform().daemon().start(second[0]);
                while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
        };
        object.release();

        object.close();
        second[0].get(60, TimeUnit.SECONDS);
        assertFalse(object.isOpen());
        queuePair.close();
    }

    /** Who has seen it closed may make another, whichever thread closed it. */
    @Test
    void shouldLeaveTheSeatFreeOnceItIsSeenClosed() throws Exception {
        AtomicReference<Object> seat = new AtomicReference<>();
        AtomicReference<WorkObject> made = new AtomicReference<>();
        int rounds = 1_000;
        FutureTask<Integer> watching = new FutureTask<>(() -> {
            int taken = 0;
            for (int round = 0; round < rounds; round++) {
                WorkObject object;
                while ((object = made.get()) == null) {
                    Thread.onSpinWait();
                }
                while (object.isOpen()) {
                    // no pause: what comes next must be seen
                }
                taken += seat.get() == null ? 0 : 1;
                made.set(null);
            }
            return taken;
        });
        Thread.ofPlatform().daemon().start(watching);

        for (int round = 0; round < rounds; round++) {
            WorkObject object = new WorkObject("Object", queuePair, seat) {};
            made.set(object);
            object.close();
            while (made.get() != null) {
                Thread.onSpinWait();
            }
        }
        assertEquals(0, watching.get(60, TimeUnit.SECONDS));
    }

    @Test
    void shouldLeaveTheSeatFreeWhenItCannotBeMade() {
        FakeVerbs.failNext("query_port", EIO);

        assertThrows(VerbsException.class, () -> SendQueue.over(queuePair));
        SendQueue.over(queuePair).close();
        queuePair.close();
    }

    @Test
    void shouldWorkInVirtualThreads() throws Exception {
        Thread[] threads = new Thread[4];
        SendQueue sends = sends(queuePair);
        Completions completions = completions();
        sends.release();
        completions.release();
        Throwable[] failure = {null};
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().unstarted(() -> {
                sends.acquire();
                completions.acquire();
                sends.write(1, memory, 0, 8, memory.remote(), 8).signaled();
                assertEquals(1, sends.post());
                assertEquals(1, completions.poll());
                sends.release();
                completions.release();
            });
            threads[i].setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
            threads[i].start();
            threads[i].join();
        }
        assertEquals(null, failure[0]);
        sends.acquire();
        completions.acquire();
    }
}
