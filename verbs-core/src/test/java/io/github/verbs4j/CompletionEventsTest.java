package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The channel of a context, its thread, and what becomes of both. */
@Timeout(60)
class CompletionEventsTest extends FakeDevice {
    private static final String THREAD = "verbs4j-events-fake0";
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int EINTR = 4;
    private static final int EMFILE = 24;
    private static final int EOPNOTSUPP = 95;

    private static List<Thread> eventThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD))
                .toList();
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    private static void push(CompletionQueue queue) {
        FakeVerbs.pushCompletion(queue.handle(), FakeCompletion.success(1, 0, 17));
    }

    private static void pushSoon(CompletionQueue queue) {
        Thread.ofPlatform().start(() -> {
            LockSupport.parkNanos(SHORT.toNanos());
            push(queue);
        });
    }

    private static void assertWaits(WaitStrategy strategy, CompletionQueue queue) throws InterruptedException {
        try (Completions completions = Completions.over(queue, 16)) {
            assertEquals(0, completions.await(strategy, SHORT));
            pushSoon(queue);
            assertEquals(1, completions.await(strategy, LONG));
        }
    }

    /** An event is asked for then, and nobody waits for it any more. */
    private static void requestEvent(Completions completions) throws InterruptedException {
        long before = FakeVerbs.calls("ibv_req_notify_cq");
        while (FakeVerbs.calls("ibv_req_notify_cq") == before) {
            assertEquals(0, completions.await(WaitStrategy.EVENT, Duration.ofMillis(1)));
        }
    }

    // ---- made when they are needed ----

    @Test
    void shouldStartAThreadOnlyForAnEvent() throws Exception {
        Completions completions = completions();
        completions.await(WaitStrategy.SPIN, SHORT);
        completions.await(WaitStrategy.SPIN_THEN_YIELD, SHORT);
        push(queue);
        completions.await(WaitStrategy.EVENT, SHORT);
        assertEquals(List.of(), eventThreads());

        completions.await(WaitStrategy.EVENT, SHORT);
        completions.await(WaitStrategy.EVENT, SHORT);
        assertEquals(1, eventThreads().size());
        Thread thread = eventThreads().getFirst();
        assertTrue(thread.isDaemon());
        completions.close();
        queue.close();
        memory.close();
        domain.close();
        context.close();
        assertFalse(thread.isAlive());
    }

    @Test
    void shouldMakeOneChannelWithTheFirstQueue() {
        DeviceContext other = keep(Device.first().open());
        FakeVerbs.clearRecords();
        keep(context.createCompletionQueue(16));
        assertEquals(List.of(), FakeVerbs.log("ibv_create_comp_channel"));

        CompletionQueue first = keep(other.createCompletionQueue(16));
        CompletionQueue second = keep(other.createCompletionQueue(16));
        assertEquals(List.of("ibv_create_comp_channel context2 -> channel2"), FakeVerbs.log("ibv_create_comp_channel"));
        assertTrue(first.isOpen() && second.isOpen());
    }

    @Test
    void shouldWakeTheReaderOfTheRightQueue() throws Exception {
        CompletionQueue other = keep(context.createCompletionQueue(16));
        FutureTask<Integer> waiter = new FutureTask<>(() -> {
            try (Completions completions = Completions.over(other, 16)) {
                return completions.await(WaitStrategy.EVENT, LONG);
            }
        });
        Thread.ofPlatform().start(waiter);
        Completions completions = completions();
        for (int round = 0; round < 100; round++) {
            pushSoon(queue, round);
            assertEquals(1, completions.await(WaitStrategy.EVENT, LONG));
        }
        assertFalse(waiter.isDone());
        push(other);
        assertEquals(1, waiter.get(50, TimeUnit.SECONDS));
        assertEquals(1, eventThreads().size());
    }

    private static void pushSoon(CompletionQueue queue, int microseconds) {
        Thread.ofPlatform().start(() -> {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(microseconds));
            push(queue);
        });
    }

    @Test
    void shouldHaveAThreadForEachContext() throws Exception {
        DeviceContext other = keep(Device.first().open());
        assertWaits(WaitStrategy.EVENT, queue);
        assertWaits(WaitStrategy.EVENT, keep(other.createCompletionQueue(16)));
        assertEquals(2, eventThreads().size());
    }

    // ---- an event too many, an event too few ----

    @Test
    void shouldNotMindTheLateEventOfAClosedQueue() throws Exception {
        for (int round = 0; round < 500; round++) {
            try (CompletionQueue passing = context.createCompletionQueue(16);
                    Completions completions = Completions.over(passing, 16)) {
                requestEvent(completions);
                push(passing);
            }
        }
        assertWaits(WaitStrategy.EVENT, queue);
        assertEquals(Map.of(), without(FakeVerbs.liveObjects(), "context", "pd", "mr", "channel", "cq"));
    }

    private static Map<String, Integer> without(Map<String, Integer> all, String... kinds) {
        all.keySet().removeAll(List.of(kinds));
        return all;
    }

    @Test
    void shouldTakeAtTheDeadlineWhatNoEventTold() throws Exception {
        Completions completions = completions();
        requestEvent(completions);
        FakeVerbs.swallowNotifications();
        push(queue);
        FakeVerbs.delayPolls(2); // the first one, and the one after the event was asked for
        assertEquals(1, completions.await(WaitStrategy.EVENT, SHORT.multipliedBy(10)));
    }

    // ---- devices without events ----

    private static void assertHasNoEvents(CompletionQueue queue) throws InterruptedException {
        try (Completions completions = Completions.over(queue, 16)) {
            UnsupportedCapabilityException thrown = assertThrows(
                    UnsupportedCapabilityException.class, () -> completions.await(WaitStrategy.EVENT, LONG));
            assertEquals("completion events", thrown.capability());
            assertEquals("fake0", thrown.device().orElseThrow());
            push(queue);
            assertEquals(1, completions.await(WaitStrategy.EVENT, LONG), "what is there needs no event");
        }
        for (WaitStrategy other : List.of(WaitStrategy.SPIN, WaitStrategy.SPIN_THEN_YIELD, WaitStrategy.ADAPTIVE)) {
            assertWaits(other, queue);
        }
    }

    @Test
    void shouldDoWithoutAChannelForQueues() throws Exception {
        FakeVerbs.failNext("ibv_create_cq", EOPNOTSUPP);
        assertHasNoEvents(keep(context.createCompletionQueue(16)));
        assertWaits(WaitStrategy.EVENT, keep(context.createCompletionQueue(16)));
    }

    @Test
    void shouldDoWithoutAChannel() throws Exception {
        FakeVerbs.failNext("ibv_create_comp_channel", EOPNOTSUPP);
        assertHasNoEvents(keep(keep(Device.first().open()).createCompletionQueue(16)));
        assertEquals(List.of(), eventThreads());
    }

    @Test
    void shouldDoWithoutRequests() throws Exception {
        FakeVerbs.removeOperation("req_notify_cq");
        assertHasNoEvents(keep(keep(Device.first().open()).createCompletionQueue(16)));
        assertEquals(1, FakeVerbs.calls("ibv_create_comp_channel"), "of the other context");
    }

    @Test
    void shouldDoWithoutAnswersToRequests() throws Exception {
        FakeVerbs.fail("ibv_req_notify_cq", EOPNOTSUPP, 0, FakeVerbs.FOREVER);
        assertHasNoEvents(queue);
    }

    // ---- failures ----

    @ParameterizedTest
    @ValueSource(strings = {"ibv_create_comp_channel", "ibv_create_cq"})
    void shouldLeakNothingWhenCreationFails(String function) throws Exception {
        DeviceContext other = keep(Device.first().open());
        if (function.equals("ibv_create_cq")) {
            other.createCompletionQueue(16).close(); // the channel stays
        }
        Map<String, Integer> before = FakeVerbs.liveObjects();
        long files = openFiles();
        for (int round = 0; round < 3; round++) {
            FakeVerbs.failNext(function, EMFILE);
            VerbsException thrown = assertThrows(VerbsException.class, () -> other.createCompletionQueue(16));
            assertEquals(function, thrown.operation());
            assertTrue(thrown.is(Errno.EMFILE));
        }
        assertEquals(before, FakeVerbs.liveObjects());
        assertEquals(files, openFiles());
        assertWaits(WaitStrategy.EVENT, keep(other.createCompletionQueue(16)));
    }

    @Test
    void shouldTellOfARequestThatFails() {
        FakeVerbs.failNext("ibv_req_notify_cq", EIO);
        VerbsException thrown =
                assertThrows(VerbsException.class, () -> completions().await(WaitStrategy.EVENT, LONG));
        assertEquals("ibv_req_notify_cq", thrown.operation());
        assertTrue(thrown.is(Errno.EIO));
        assertEquals(queue.toString(), thrown.arguments().get("queue"));
    }

    @Test
    void shouldSurviveSignals() throws Exception {
        FakeVerbs.fail("ibv_get_cq_event", EINTR, 0, 3);
        assertWaits(WaitStrategy.EVENT, queue);
        assertWaits(WaitStrategy.EVENT, queue);
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT", "ADAPTIVE"})
    void shouldWakeThoseWhoWaitWhenNoMoreEventsCome(WaitStrategy strategy) throws Exception {
        CompletionQueue other = keep(context.createCompletionQueue(16));
        Completions completions = completions();
        Thread breaker = Thread.ofPlatform().start(() -> {
            LockSupport.parkNanos(SHORT.toNanos());
            FakeVerbs.fail("ibv_get_cq_event", EIO, 0, FakeVerbs.FOREVER);
            try (Completions theirs = Completions.over(other, 16)) {
                requestEvent(theirs);
                push(other);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        VerbsException first = assertThrows(VerbsException.class, () -> completions.await(strategy, LONG));
        breaker.join();
        assertEquals("ibv_get_cq_event", first.operation());
        assertTrue(first.is(Errno.EIO));
        assertTrue(first.getMessage().startsWith("no more events come from fake0"), first::getMessage);
        assertInstanceOf(VerbsException.class, first.getCause());
        assertThrows(VerbsException.class, () -> completions.await(WaitStrategy.EVENT, LONG), "and it stays so");
        push(queue);
        assertEquals(1, completions.await(WaitStrategy.SPIN, LONG));
    }

    // ---- closing ----

    @Test
    void shouldCloseWhileEventsCome() throws Exception {
        long files = openFiles();
        for (int round = 0; round < 100; round++) {
            try (DeviceContext passing = Device.first().open();
                    CompletionQueue first = passing.createCompletionQueue(16);
                    CompletionQueue second = passing.createCompletionQueue(16);
                    Completions one = Completions.over(first, 16);
                    Completions two = Completions.over(second, 16)) {
                requestEvent(one);
                requestEvent(two);
                push(first);
                push(second);
            }
        }
        assertEquals(files, openFiles());
        assertEquals(List.of(), eventThreads());
    }

    @Test
    void shouldCloseInAnInterruptedThread() throws Exception {
        DeviceContext other = Device.first().open();
        try (CompletionQueue passing = other.createCompletionQueue(16)) {
            assertWaits(WaitStrategy.EVENT, passing);
        }
        Thread.currentThread().interrupt();
        other.close();
        assertTrue(Thread.interrupted());
        assertEquals(List.of(), eventThreads());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ibv_destroy_comp_channel", "ibv_close_device"})
    void shouldStillWaitAfterARefusedClose(String function) throws Exception {
        long files = openFiles();
        DeviceContext other = Device.first().open();
        for (int round = 0; round < 2; round++) {
            try (CompletionQueue passing = other.createCompletionQueue(16)) {
                assertWaits(WaitStrategy.EVENT, passing);
            }
            FakeVerbs.failNext(function, FakeVerbs.EBUSY);
            assertEquals(
                    function, assertThrows(VerbsException.class, other::close).operation());
            assertTrue(other.isOpen());
        }
        other.close();
        assertEquals(files, openFiles());
        assertEquals(List.of(), eventThreads());
    }
}
