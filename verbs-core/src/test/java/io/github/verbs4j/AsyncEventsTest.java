package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous events: what they name, who is told, and what ends a wait. */
@Timeout(60)
class AsyncEventsTest extends FakeDevice {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int NEW_EVENT = 77;

    private AsyncEvents events() {
        return keep(context.openAsyncEvents());
    }

    private void raise(AsyncEventType type, MemorySegment element) {
        FakeVerbs.raiseEvent(context.handle(), type.code(), element);
    }

    private void raisePortEvent(AsyncEventType type) {
        raise(type, MemorySegment.ofAddress(1));
    }

    private static void assertIsAsleep(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive());
            Thread.onSpinWait();
        }
    }

    // ---- what they name ----

    @Test
    void shouldNameTheQueuePair() throws Exception {
        AsyncEvents events = events();
        RcQueuePair other = queuePair(options().allowOverrun());
        RcQueuePair queuePair = connected();
        queuePair.modify(Transition.to(QueuePairState.SQD).drainedNotification(true));

        AsyncEvent event = events.await(LONG).orElseThrow();
        assertEquals(new AsyncEvent(AsyncEventType.SQ_DRAINED, 5, queuePair, 0), event);
        assertTrue(other.isOpen());
    }

    @Test
    void shouldNameTheCompletionQueue() throws Exception {
        AsyncEvents events = events();
        raise(AsyncEventType.CQ_ERR, queue.handle());
        assertSame(queue, events.await(LONG).orElseThrow().source());
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellOfEveryType(AsyncEventType type) throws Exception {
        AsyncEvents events = events();
        RcQueuePair queuePair = queuePair();
        boolean ofQueuePair = type.namesResource()
                && !List.of("CQ_ERR", "SRQ_ERR", "SRQ_LIMIT_REACHED", "WQ_FATAL")
                        .contains(type.name());
        if (ofQueuePair) {
            raise(type, queuePair.handle());
        } else if (!type.namesResource()) {
            raisePortEvent(type);
        } else if (type == AsyncEventType.CQ_ERR) {
            raise(type, queue.handle());
        } else {
            return; // of resources that are made elsewhere
        }
        AsyncEvent event = events.await(LONG).orElseThrow();
        assertEquals(type, event.type());
        assertEquals(type.code(), event.code());
        assertEquals(type.namesPort() ? 1 : 0, event.port());
        assertSame(ofQueuePair ? queuePair : type.namesResource() ? queue : context, event.source());
        assertEquals(1, FakeVerbs.calls("ibv_ack_async_event"));
    }

    @Test
    void shouldTellOfANewEvent() throws Exception {
        AsyncEvents events = events();
        FakeVerbs.raiseEvent(context.handle(), NEW_EVENT, queue.handle());
        raisePortEvent(AsyncEventType.PORT_ERR);
        assertEquals(
                new AsyncEvent(AsyncEventType.UNKNOWN, NEW_EVENT, context, 0),
                events.await(LONG).orElseThrow());
        assertEquals(
                new AsyncEvent(AsyncEventType.PORT_ERR, 10, context, 1),
                events.await(LONG).orElseThrow());
    }

    // ---- who is told ----

    @Test
    void shouldBeginWithWhatNobodyTook() throws Exception {
        raisePortEvent(AsyncEventType.PORT_ERR);
        AsyncEvents events = events();
        assertEquals(AsyncEventType.PORT_ERR, events.await(LONG).orElseThrow().type());
    }

    @Test
    void shouldTellEachOfThoseOpen() throws Exception {
        AsyncEvents first = events();
        AsyncEvents second = events();
        AsyncEvents closed = context.openAsyncEvents();
        closed.close();
        raisePortEvent(AsyncEventType.PORT_ERR);
        raisePortEvent(AsyncEventType.PORT_ACTIVE);
        for (AsyncEvents events : List.of(first, second)) {
            assertEquals(
                    AsyncEventType.PORT_ERR, events.await(LONG).orElseThrow().type());
            assertEquals(
                    AsyncEventType.PORT_ACTIVE, events.await(LONG).orElseThrow().type());
            assertEquals(Optional.empty(), events.poll());
        }
        assertEquals(2, FakeVerbs.calls("ibv_ack_async_event"), "each event once");
    }

    @Test
    void shouldWakeOneWaiterForEachEvent() throws Exception {
        AsyncEvents events = events();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<AsyncEvent>>> waiters = IntStream.range(0, 50)
                    .mapToObj(ignored -> threads.submit(() -> events.await(LONG)))
                    .toList();
            for (int i = 0; i < waiters.size(); i++) {
                raisePortEvent(AsyncEventType.GID_CHANGE);
            }
            for (Future<Optional<AsyncEvent>> waiter : waiters) {
                assertEquals(
                        AsyncEventType.GID_CHANGE, waiter.get().orElseThrow().type());
            }
        }
    }

    @Test
    void shouldKeepTheNewestOfThoseNobodyTakes() throws Exception {
        AsyncEvents slow = events();
        AsyncEvents quick = events();
        for (int i = 0; i < 1025; i++) {
            raisePortEvent(i == 0 ? AsyncEventType.PORT_ERR : AsyncEventType.GID_CHANGE);
            quick.await(LONG).orElseThrow();
        }
        assertEquals(0, quick.dropped());
        while (slow.dropped() == 0) {
            Thread.onSpinWait(); // it may be told after the other one
        }
        assertEquals(1, slow.dropped());
        for (int i = 0; i < 1024; i++) {
            assertEquals(AsyncEventType.GID_CHANGE, slow.poll().orElseThrow().type());
        }
        assertEquals(Optional.empty(), slow.poll());
    }

    // ---- what ends a wait ----

    @Test
    void shouldKeepTheDeadline() throws Exception {
        AsyncEvents events = events();
        assertEquals(Optional.empty(), events.await(Duration.ZERO));
        long begin = System.nanoTime();
        assertEquals(Optional.empty(), events.await(SHORT));
        assertTrue(System.nanoTime() - begin >= SHORT.toNanos());
        assertThrows(IllegalArgumentException.class, () -> events.await(Duration.ofNanos(-1)));
    }

    @Test
    void shouldEndTheWaitOfAnInterruptedThread() throws Exception {
        AsyncEvents events = events();
        FutureTask<Optional<AsyncEvent>> wait = new FutureTask<>(() -> events.await(LONG));
        Thread waiter = Thread.ofPlatform().start(wait);
        assertIsAsleep(waiter);
        waiter.interrupt();
        waiter.join();
        assertEquals(InterruptedException.class, wait.exceptionNow().getClass());
    }

    @Test
    void shouldTellAnInterruptedThreadEvenIfItDoesNotWait() {
        AsyncEvents events = events();
        for (Duration timeout : List.of(Duration.ZERO, LONG)) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> events.await(timeout));
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void shouldEndTheWaitWhenAnotherThreadCloses() throws Exception {
        AsyncEvents events = context.openAsyncEvents();
        FutureTask<Optional<AsyncEvent>> wait = new FutureTask<>(() -> events.await(LONG));
        Thread waiter = Thread.ofPlatform().start(wait);
        assertIsAsleep(waiter);
        events.close();
        events.close();
        waiter.join();
        assertEquals(CancellationException.class, wait.exceptionNow().getClass());
        assertFalse(events.isOpen());
        assertThrows(IllegalStateException.class, events::poll);
        assertThrows(IllegalStateException.class, () -> events.await(LONG));
    }

    @Test
    void shouldEndTheWaitWhenNoMoreEventsCome() throws Exception {
        AsyncEvents events = events();
        FutureTask<Optional<AsyncEvent>> wait = new FutureTask<>(() -> events.await(LONG));
        Thread waiter = Thread.ofPlatform().start(wait);
        assertIsAsleep(waiter);
        FakeVerbs.fail("ibv_get_async_event", EIO, 1, FakeVerbs.FOREVER);
        raisePortEvent(AsyncEventType.DEVICE_FATAL);
        raisePortEvent(AsyncEventType.DEVICE_FATAL);
        waiter.join();
        assertEquals(AsyncEventType.DEVICE_FATAL, wait.resultNow().orElseThrow().type(), "what came is not lost");
        VerbsException thrown = assertThrows(VerbsException.class, () -> events.await(LONG));
        assertEquals("ibv_get_async_event", thrown.operation());
        assertTrue(thrown.is(Errno.EIO));
        assertThrows(VerbsException.class, context::openAsyncEvents);
    }

    // ---- closing ----

    @Test
    void shouldKeepTheContextOpen() {
        AsyncEvents events = events();
        IllegalStateException thrown = assertThrows(IllegalStateException.class, context::close);
        assertTrue(thrown.getMessage().contains(events.toString()), thrown::getMessage);
        assertSame(context, events.context());
    }

    @Test
    void shouldNotKeepResourcesFromBeingClosed() throws Exception {
        AsyncEvents nobodyTakesThem = events();
        for (int round = 0; round < 500; round++) {
            try (CompletionQueue passing = context.createCompletionQueue(16);
                    RcQueuePair queuePair = domain.createRc(options().allowOverrun())) {
                raise(AsyncEventType.QP_FATAL, queuePair.handle());
                raise(AsyncEventType.CQ_ERR, passing.handle());
                while (FakeVerbs.calls("ibv_ack_async_event") < 2L * round + 2) {
                    Thread.onSpinWait(); // the fake, unlike a kernel, does not take back the events of what is gone
                }
            }
        }
        assertTrue(nobodyTakesThem.isOpen());
    }

    @Test
    void shouldWaitToCloseUntilTheEventIsAcknowledged() throws Exception {
        AsyncEvents events = events();
        RcQueuePair queuePair = queuePair();
        FakeVerbs.raiseBarrier("ibv_ack_async_event");
        raise(AsyncEventType.COMM_EST, queuePair.handle());
        while (!FakeVerbs.waitsAtBarrier()) {
            Thread.onSpinWait();
        }
        Thread closer = Thread.ofPlatform().start(queuePair::close);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        assertTrue(closer.isAlive(), "ibv_destroy_qp waits");
        FakeVerbs.liftBarrier();
        closer.join();
        assertFalse(queuePair.isOpen());
        assertSame(queuePair, events.await(LONG).orElseThrow().source());
    }

    @Test
    void shouldEndTheThreadWithTheContext() {
        DeviceContext other = Device.first().open();
        other.openAsyncEvents().close();
        other.close();
        assertEquals(
                0,
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("verbs4j-events-fake0"))
                        .count());
    }
}
