package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionsTest extends FakeDevice {
    private static final long ID = 0x8123_4567_89ab_cdefL;

    private RcQueuePair queuePair;
    private SendQueue sends;
    private Completions completions;

    @BeforeEach
    void connect() {
        queuePair = connected();
        sends = sends(queuePair);
        completions = completions();
    }

    private void push(FakeCompletion completion) {
        FakeVerbs.pushCompletion(queue.handle(), completion);
    }

    private void next() {
        if (!completions.next()) {
            assertTrue(completions.poll() > 0);
            assertTrue(completions.next());
        }
    }

    private static String message(Class<? extends Throwable> type, Executable use) {
        return assertThrows(type, use).getMessage();
    }

    // ---- the cursor ----

    @Test
    void shouldPollNothing() {
        assertEquals(0, completions.poll());
        assertFalse(completions.next());
    }

    @Test
    void shouldNeedNextBeforeAnythingIsRead() {
        sends.write(1, memory, 0, 8, memory.remote(), 0).signaled().post();
        String message = "no completion: call poll() and next() first, and next() must be true";
        for (int round = 0; round < 2; round++) {
            for (Executable read : List.<Executable>of(
                    completions::id,
                    completions::status,
                    completions::statusCode,
                    completions::isSuccess,
                    completions::vendorError,
                    completions::queuePairNumber,
                    completions::opcode,
                    completions::isReceive,
                    completions::byteLength,
                    completions::hasImmediate,
                    completions::immediate,
                    completions::requireSuccess,
                    completions::failure)) {
                assertEquals(message, message(IllegalStateException.class, read));
            }
            completions.poll();
        }
    }

    @Test
    void shouldGoThroughWhatWasPolled() {
        for (int id = 1; id <= 5; id++) {
            sends.write(id, memory, 0, 8, memory.remote(), 0).signaled();
        }
        sends.post();

        assertEquals(5, completions.poll());
        for (int id = 1; id <= 5; id++) {
            assertTrue(completions.next());
            assertEquals(id, completions.id());
        }
        assertFalse(completions.next());
        assertEquals(5, completions.id(), "the last one stays");
        assertEquals(0, completions.poll());
        assertFalse(completions.next());
        assertThrows(IllegalStateException.class, completions::id);
    }

    @Test
    void shouldForgetTheLastPoll() {
        for (int id = 1; id <= 4; id++) {
            sends.write(id, memory, 0, 8, memory.remote(), 0).signaled();
        }
        sends.post();
        completions.close();
        completions = keep(Completions.over(queue, 2));

        assertEquals(2, completions.poll(), "no more than its capacity");
        completions.next();
        assertEquals(2, completions.poll());
        assertTrue(completions.next());
        assertEquals(3, completions.id(), "the second was never looked at");
        assertEquals(8, sends.available(), "yet its slot is free");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65537, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldRefuseCapacities(int capacity) {
        assertEquals(
                "capacity=" + capacity + " is not in 1..65536",
                message(IllegalArgumentException.class, () -> Completions.over(queue, capacity)));
    }

    @Test
    void shouldTakeCapacitiesUpToTheBounds() {
        for (int capacity : new int[] {1, 65536}) {
            completions.close();
            completions = Completions.over(queue, capacity);
            sends.write(1, memory, 0, 8, memory.remote(), 0).signaled().post();
            assertEquals(1, completions.poll());
        }
        completions.close();
    }

    // ---- what is read ----

    @Test
    void shouldReadASend() {
        sends.write(ID, memory, 0, 8, memory.remote(), 0).signaled();
        sends.read(2, memory, 0, 8, memory.remote(), 0).signaled().post();
        next();

        assertEquals(ID, completions.id());
        assertTrue(completions.isSuccess());
        assertEquals(WorkStatus.SUCCESS, completions.status());
        assertEquals(0, completions.vendorError());
        assertEquals(queuePair.number(), completions.queuePairNumber());
        assertEquals(WorkOpcode.WRITE, completions.opcode());
        assertFalse(completions.isReceive());
        assertFalse(completions.hasImmediate());
        completions.requireSuccess();
        assertEquals("request " + ID + " succeeded", message(IllegalStateException.class, completions::failure));
        assertEquals(
                "completion of request " + ID + " carries no immediate data",
                message(IllegalStateException.class, completions::immediate));
        next();
        assertEquals(WorkOpcode.READ, completions.opcode());
        assertEquals(8, completions.byteLength());
    }

    @Test
    void shouldReadImmediatesInHostOrder() {
        ReceiveQueue receives = receives(queuePair);
        receives.receive(ID, memory, 100, 64).receive(2, memory, 100, 64).receive(3, memory, 100, 64);
        receives.post();
        sends.sendImmediate(4, memory, 0, 5, 0x01020304);
        sends.writeImmediate(5, memory, 0, 6, memory.remote(), 200, -2);
        sends.send(6, memory, 0, 7).post();

        next();
        assertEquals(ID, completions.id());
        assertEquals(WorkOpcode.RECEIVE, completions.opcode());
        assertTrue(completions.isReceive() && completions.hasImmediate());
        assertEquals(0x01020304, completions.immediate());
        assertEquals(5, completions.byteLength());
        next();
        assertEquals(WorkOpcode.RECEIVE_WRITE_IMMEDIATE, completions.opcode());
        assertTrue(completions.isReceive());
        assertEquals(-2, completions.immediate());
        assertEquals(6, completions.byteLength());
        next();
        assertFalse(completions.hasImmediate());
        assertEquals(7, completions.byteLength());
    }

    @Test
    void shouldReadLengthsUnsigned() {
        push(new FakeCompletion(1, 0, 128, 0, 0x8000_0001, 0, queuePair.number(), 0, 0));
        next();

        assertEquals(0x8000_0001L, completions.byteLength());
    }

    @Test
    void shouldSayUnknownOfAnOpcodeWithoutAName() {
        push(FakeCompletion.success(1, 77, queuePair.number()));
        next();

        assertEquals(WorkOpcode.UNKNOWN, completions.opcode());
    }

    // ---- failures ----

    @ParameterizedTest
    @EnumSource(
            value = WorkStatus.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SUCCESS", "UNKNOWN"})
    void shouldTellEveryStatus(WorkStatus status) {
        push(FakeCompletion.failure(ID, status.code(), 0x77, queuePair.number()));
        next();

        assertEquals(status, completions.status());
        assertEquals(status.code(), completions.statusCode());
        assertEquals(0x77, completions.vendorError());
        assertFalse(completions.isSuccess());
        WorkFailedException thrown = assertThrows(WorkFailedException.class, completions::requireSuccess);
        assertEquals(ID, thrown.id());
        assertEquals(status.code(), thrown.statusCode());
        assertEquals("IBV_WC_" + status, thrown.statusName());
        assertEquals(0x77, thrown.vendorError());
        assertEquals(17, thrown.queuePairNumber());
        assertEquals("fake0", thrown.device().orElseThrow());
        assertEquals(status.meaning(), thrown.likelyCause().orElseThrow());
        assertEquals(status.hint(), thrown.nextStep().orElseThrow());
        assertEquals(
                "work request " + ID + " failed on queue pair 17 of fake0: IBV_WC_" + status + " (" + status.code()
                        + "), vendor error 0x77",
                thrown.getMessage().lines().findFirst().orElseThrow());
        assertTrue(thrown.firstFailure().isEmpty());
        assertEquals(QueuePairState.ERR, queuePair.state());
    }

    @Test
    void shouldTellAStatusWithoutAName() {
        push(FakeCompletion.failure(ID, 99, 0, queuePair.number()));
        next();

        assertEquals(WorkStatus.UNKNOWN, completions.status());
        WorkFailedException thrown = completions.failure();
        assertEquals(99, thrown.statusCode());
        assertEquals("status 99", thrown.statusName());
    }

    @Test
    void shouldNotReadWhatAFailureLeavesUndefined() {
        push(FakeCompletion.failure(ID, WorkStatus.REM_OP_ERR.code(), 0x77, queuePair.number()));
        next();

        for (Executable read : List.<Executable>of(
                completions::opcode,
                completions::isReceive,
                completions::byteLength,
                completions::hasImmediate,
                completions::immediate)) {
            assertEquals(
                    "request " + ID + " failed with REM_OP_ERR: only id, status, vendorError and queuePairNumber exist"
                            + " then",
                    message(IllegalStateException.class, read));
        }
    }

    @Test
    void shouldNotCountFailuresAsRoom() {
        FakeVerbs.holdCompletions();
        for (int id = 0; id < 4; id++) {
            sends.write(id, memory, 0, 8, memory.remote(), 0).signaled();
        }
        sends.post();
        FakeVerbs.completeSendsWith(WorkStatus.REM_OP_ERR.code(), 1, 2, 1);
        FakeVerbs.resume();

        assertEquals(4, completions.poll());
        List<WorkStatus> statuses = new ArrayList<>();
        while (completions.next()) {
            statuses.add(completions.status());
        }
        assertEquals(
                List.of(WorkStatus.SUCCESS, WorkStatus.SUCCESS, WorkStatus.REM_OP_ERR, WorkStatus.WR_FLUSH_ERR),
                statuses);
        assertEquals(6, sends.available(), "the two that succeeded");
    }

    @Test
    void shouldKeepTheFirstFailureAndAttachItToWhatFollows() {
        FakeVerbs.completeSendsWith(WorkStatus.REM_ACCESS_ERR.code(), 0x55, 1, 1);
        for (int id = 1; id <= 4; id++) {
            sends.write(id, memory, 0, 8, memory.remote(), 0).signaled();
        }
        FakeVerbs.holdCompletions();
        sends.post();
        FakeVerbs.resume();
        assertTrue(queuePair.firstFailure().isEmpty(), "not polled yet");
        assertEquals(QueuePairState.RTS, queuePair.state());

        assertEquals(4, completions.poll());
        assertEquals(QueuePairState.ERR, queuePair.state(), "known by polling alone");
        WorkFailedException first = queuePair.firstFailure().orElseThrow();
        assertEquals(2, first.id());
        completions.next();
        completions.requireSuccess();
        completions.next();
        assertNull(completions.failure().getCause(), "it is the first itself");
        for (int id = 3; id <= 4; id++) {
            completions.next();
            assertEquals(WorkStatus.WR_FLUSH_ERR, completions.status());
            WorkFailedException echo = assertThrows(WorkFailedException.class, completions::requireSuccess);
            assertEquals(id, echo.id());
            assertSame(first, echo.getCause());
            assertSame(first, echo.firstFailure().orElseThrow());
            assertTrue(echo.getMessage().contains("IBV_WC_REM_ACCESS_ERR (10)"), echo::getMessage);
        }
        push(FakeCompletion.failure(9, WorkStatus.GENERAL_ERR.code(), 0, queuePair.number()));
        next();
        assertSame(first, queuePair.firstFailure().orElseThrow(), "the first stays");
        queuePair.reset();
        assertTrue(queuePair.firstFailure().isEmpty());
    }

    @Test
    void shouldNotTakeAFlushForTheFirstFailure() {
        push(FakeCompletion.failure(1, WorkStatus.WR_FLUSH_ERR.code(), 0, queuePair.number()));
        push(FakeCompletion.failure(2, WorkStatus.REM_OP_ERR.code(), 0, queuePair.number()));
        next();

        assertEquals(QueuePairState.ERR, queuePair.state());
        assertEquals(2, queuePair.firstFailure().orElseThrow().id());
        assertEquals(2, completions.failure().firstFailure().orElseThrow().id());
    }

    // ---- several queue pairs ----

    @Test
    void shouldTellQueuePairsApart() {
        RcQueuePair other = connected();
        SendQueue others = sends(other);
        FakeVerbs.holdCompletions();
        for (int id = 0; id < 6; id++) {
            sends.write(id, memory, 0, 8, memory.remote(), 0).signaled().post();
            others.write(100 + id, memory, 0, 8, memory.remote(), 0).signaled().post();
        }
        FakeVerbs.completeSendsWith(WorkStatus.REM_OP_ERR.code(), 0, 5, 1);
        FakeVerbs.resume();

        int polled = completions.poll();
        assertEquals(12, polled);
        assertEquals(QueuePairState.RTS, queuePair.state());
        assertEquals(QueuePairState.ERR, other.state());
        assertEquals(8, sends.available());
        assertEquals(4, others.available());
        while (completions.next()) {
            RcQueuePair expected = completions.id() < 100 ? queuePair : other;
            assertEquals(expected.number(), completions.queuePairNumber());
            if (!completions.isSuccess()) {
                assertSame(other, expected);
                WorkFailedException failure = completions.failure();
                assertEquals(102, failure.firstFailure().orElse(failure).id());
            }
        }
        assertTrue(queuePair.firstFailure().isEmpty());
    }

    @Test
    void shouldCountSendsAndReceivesInQueuesOfTheirOwn() {
        CompletionQueue received = keep(context.createCompletionQueue(16));
        RcQueuePair split =
                connected(queuePair(QueuePairOptions.separate(queue, received).depth(4, 4)));
        SendQueue sending = sends(split);
        ReceiveQueue receiving = receives(split);
        Completions arrivals = keep(Completions.over(received, 4));
        receiving.receive(1, memory, 0, 8).receive(2, memory, 0, 8).post();
        sending.send(3, memory, 0, 8)
                .signaled()
                .send(4, memory, 0, 8)
                .signaled()
                .post();

        assertEquals(2, arrivals.poll());
        assertEquals(4, receiving.available());
        assertEquals(2, sending.available());
        assertEquals(2, completions.poll());
        assertEquals(4, sending.available());
    }

    @Test
    void shouldDeliverWhatAQueuePairLeftBehind() {
        sends.write(1, memory, 0, 8, memory.remote(), 0).signaled().post();
        push(FakeCompletion.failure(2, WorkStatus.WR_FLUSH_ERR.code(), 3, queuePair.number()));
        sends.close();
        queuePair.close();

        assertEquals(2, completions.poll());
        completions.next();
        assertEquals(1, completions.id());
        completions.requireSuccess();
        completions.next();
        WorkFailedException thrown = completions.failure();
        assertEquals(2, thrown.id());
        assertEquals(17, thrown.queuePairNumber());
        assertTrue(thrown.firstFailure().isEmpty(), "told plainly");
    }

    @Test
    void shouldDeliverWhatNoQueuePairOfOursDid() {
        push(FakeCompletion.success(1, 0, 0xffffff));
        push(FakeCompletion.failure(2, 4, 3, -1));

        assertEquals(2, completions.poll());
        completions.next();
        assertEquals(0xffffff, completions.queuePairNumber());
        completions.next();
        assertEquals(-1, completions.failure().queuePairNumber());
    }

    @Test
    void shouldNotLetAnOldCompletionFailANewQueuePairOfTheSameNumber() {
        sends.close();
        queuePair.close();
        FakeVerbs.nextQueuePairNumber(17);
        RcQueuePair again = queuePair();
        assertEquals(17, again.number());
        push(FakeCompletion.failure(1, WorkStatus.WR_FLUSH_ERR.code(), 0, 17));
        push(FakeCompletion.success(2, 0, 17));

        assertEquals(2, completions.poll());
        assertEquals(QueuePairState.RESET, again.state());
        SendQueue fresh = sends(connected(again));
        fresh.write(3, memory, 0, 8, memory.remote(), 0).signaled().post();
        assertEquals(7, fresh.available());
        assertEquals(1, completions.poll());
        assertEquals(8, fresh.available());
    }

    // ---- a broken queue ----

    @ParameterizedTest
    @ValueSource(ints = {-1, -22, Integer.MIN_VALUE})
    void shouldExplainANegativeCount(int result) {
        FakeVerbs.nextPollReturns(result);

        VerbsException thrown = assertThrows(VerbsException.class, completions::poll);
        assertEquals("ibv_poll_cq", thrown.operation());
        assertEquals(String.valueOf(result), thrown.arguments().get("result"));
        assertEquals(queue.toString(), thrown.arguments().get("queue"));
        assertTrue(thrown.likelyCause().orElseThrow().startsWith("the completion queue is in error"));
        assertFalse(completions.next());
        assertEquals(0, completions.poll(), "it may be tried again");
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 95, Integer.MAX_VALUE})
    void shouldRefuseMoreThanThereIsRoomFor(int result) {
        FakeVerbs.nextPollReturns(result);

        VerbsException thrown = assertThrows(VerbsException.class, completions::poll);
        assertEquals(String.valueOf(result), thrown.arguments().get("result"));
        assertTrue(thrown.likelyCause().orElseThrow().startsWith("the provider answered with an error number"));
        assertFalse(completions.next(), "nothing behind the memory is read");
    }

    @Test
    void shouldMakeAFreshExceptionEachTime() {
        push(FakeCompletion.failure(1, WorkStatus.REM_OP_ERR.code(), 0, queuePair.number()));
        next();

        assertNotSame(completions.failure(), completions.failure());
    }
}
