package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Recorded;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import org.junit.jupiter.api.Test;

/** What Flight Recorder is told, and that it is not started by a program that does not want it. */
class RecordedEventsTest extends FakeDevice {
    private static final int ENOMEM = 12;

    private static final Map<String, String> AT_THE_END = Map.of(
            "io.github.verbs4j.OpenResources#period", "endChunk",
            "io.github.verbs4j.RegisteredMemory#period", "endChunk");

    // ---- calls ----

    @Test
    void shouldTellWhatWasAskedAndWhatWasMade() throws Exception {
        Recorded told = Recorded.during(() -> keep(domain.createRc(options())));

        RecordedEvent call = told.calls("ibv_create_qp").getFirst();
        assertEquals("ProtectionDomain 1 of fake0", call.getString("object"));
        assertEquals(
                "qp_type=RC, srq=none, max_inline_data=64, max_send_wr=8, max_recv_wr=8, max_send_sge=4, max_recv_sge=4",
                call.getString("arguments"));
        assertEquals("RcQueuePair 17 of fake0", call.getString("result"));
        assertEquals("fake0", call.getString("device"));
        assertEquals(0, call.getInt("errno"));
        assertNull(call.getString("error"));
        assertTrue(call.getDuration().toNanos() > 0);
        assertEquals(Thread.currentThread().getName(), call.getThread().getJavaName());
        assertTrue(call.getStackTrace().getFrames().stream()
                .map(RecordedFrame::getMethod)
                .anyMatch(method -> method.getType().getName().equals(RecordedEventsTest.class.getName())));
    }

    @Test
    void shouldTellWhyACallFailed() throws Exception {
        Recorded told = Recorded.during(() -> {
            FakeVerbs.failNext("ibv_create_qp", ENOMEM);
            assertThrows(VerbsException.class, () -> domain.createRc(options()));
        });

        RecordedEvent call = told.calls("ibv_create_qp").getFirst();
        assertEquals("NULL", call.getString("result"));
        assertEquals(ENOMEM, call.getInt("errno"));
        assertEquals("ENOMEM (12, Cannot allocate memory)", call.getString("error"));
    }

    @Test
    void shouldNotRepeatTheObjectAmongTheArguments() throws Exception {
        Recorded told = Recorded.during(() -> domain.allocate(4096, ALL).close());

        RecordedEvent call = told.calls("ibv_dereg_mr").getFirst();
        assertEquals("MemoryRegion 2 (4096 bytes) of fake0", call.getString("object"));
        assertEquals("", call.getString("arguments"));
        assertEquals("0", call.getString("result"));
    }

    @Test
    void shouldBeReadInOrderWhicheverThreadCalled() throws Exception {
        Recorded told = Recorded.during(() -> {
            domain.allocate(1, ALL).close();
            Thread other = new Thread(() -> domain.allocate(2, ALL).close());
            other.start();
            other.join();
            domain.allocate(3, ALL).close();
        });

        assertEquals(
                List.of(1L, 2L, 3L),
                told.of("MemoryRegistration").stream()
                        .map(event -> event.getLong("bytes"))
                        .toList());
    }

    // ---- memory ----

    @Test
    void shouldTellHowMuchWasRegistered() throws Exception {
        Recorded told = Recorded.during(() -> keep(domain.allocate(10_000, AccessFlag.LOCAL_WRITE)));

        RecordedEvent registration = told.of("MemoryRegistration").getFirst();
        assertEquals("MemoryRegion 2 (10000 bytes) of fake0", registration.getString("region"));
        assertEquals(10_000, registration.getLong("bytes"));
        assertEquals(3, registration.getLong("pages"));
        assertEquals(4096, registration.getLong("pageSize"));
        assertFalse(registration.getBoolean("hugePages"));
        assertEquals("[LOCAL_WRITE]", registration.getString("access"));
        assertTrue(registration.getDuration().toNanos()
                >= told.calls("ibv_reg_mr").getFirst().getDuration().toNanos());
    }

    // ---- states and completions ----

    private static List<String> states(Recorded told) {
        return told.of("QueuePairState").stream()
                .map(event -> event.getString("from") + " " + event.getString("to") + ", " + event.getString("cause"))
                .toList();
    }

    @Test
    void shouldTellTheStatesOfAQueuePair() throws Exception {
        RcQueuePair pair = queuePair();
        Recorded told = Recorded.during(() -> {
            connected(pair);
            pair.reset();
        });

        assertEquals(
                List.of(
                        "RESET INIT, ibv_modify_qp",
                        "INIT RTR, ibv_modify_qp",
                        "RTR RTS, ibv_modify_qp",
                        "RTS RESET, ibv_modify_qp"),
                states(told));
        assertEquals(
                "RcQueuePair 17 of fake0", told.of("QueuePairState").getFirst().getString("queuePair"));
    }

    @Test
    void shouldTellOfWorkThatFailedAndOfNoOther() throws Exception {
        RcQueuePair pair = connected();
        SendQueue sends = sends(pair);
        Completions completions = completions();
        sends.send(7, memory, 0, 8).signaled();
        sends.post();
        completions.poll();
        FakeVerbs.pushCompletion(
                queue.handle(), FakeCompletion.failure(8, WorkStatus.RETRY_EXC_ERR.code(), 129, pair.number()));
        FakeVerbs.pushCompletion(
                queue.handle(), FakeCompletion.failure(9, WorkStatus.WR_FLUSH_ERR.code(), 0, pair.number()));
        Recorded told = Recorded.during(completions::poll);

        List<RecordedEvent> failed = told.of("FailedCompletion");
        assertEquals(
                List.of("8 RETRY_EXC_ERR 129", "9 WR_FLUSH_ERR 0"),
                failed.stream()
                        .map(event -> event.getLong("request") + " " + event.getString("status") + " "
                                + event.getInt("vendorError"))
                        .toList());
        assertEquals(pair.number(), failed.getFirst().getInt("queuePair"));
        assertEquals(queue.toString(), failed.getFirst().getString("completionQueue"));
        assertEquals(List.of("RTS ERR, a failed completion"), states(told));
    }

    // ---- the device ----

    @Test
    void shouldTellOfAsynchronousEvents() throws Exception {
        RcQueuePair pair = queuePair();
        AsyncEvents events = keep(context.openAsyncEvents());
        Recorded told = Recorded.during(() -> {
            FakeVerbs.raiseEvent(context.handle(), AsyncEventType.QP_FATAL.code(), pair.handle());
            events.await(Duration.ofSeconds(60)).orElseThrow();
        });

        RecordedEvent event = told.of("AsynchronousEvent").getFirst();
        assertEquals("QP_FATAL", event.getString("type"));
        assertEquals(pair.toString(), event.getString("source"));
        assertEquals("fake0", event.getString("device"));
    }

    // ---- from time to time ----

    @Test
    void shouldTellWhatIsOpen() throws Exception {
        RcQueuePair pair = queuePair();
        sends(pair);
        Recorded told = Recorded.during(AT_THE_END, () -> {});

        Map<String, Long> open = new TreeMap<>();
        told.of("OpenResources").forEach(event -> open.put(event.getString("kind"), event.getLong("open")));
        assertEquals(1, open.get("RcQueuePair"));
        assertEquals(1, open.get("SendQueue"));
        assertEquals(
                Resources.tree().lines().count(),
                open.values().stream().mapToLong(Long::longValue).sum());
        RecordedEvent registered = told.of("RegisteredMemory").getLast();
        assertEquals("DeviceContext of fake0", registered.getString("context"));
        assertEquals(1, registered.getLong("regions"));
        assertEquals(4096, registered.getLong("bytes"));
    }

    // ---- nobody wants to know ----

    /** Uses everything that an ordinary program does, without a recording. */
    static final class WithoutRecording {
        private WithoutRecording() {}

        public static void main(String[] arguments) {
            ClassLoadingTest.FirstMessage.main(arguments);
            if (FlightRecorder.isInitialized()) {
                throw new AssertionError("Flight Recorder was started");
            }
        }
    }

    @Test
    void shouldNotStartFlightRecorder() throws Exception {
        ChildJvm.Result result = ChildJvm.run(List.of(), WithoutRecording.class);
        assertEquals(0, result.status(), result.output());
    }
}
