package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedReceive;
import io.github.verbs4j.fake.Sge;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queue pairs that take their receives from one queue: what goes to C, and what frees its slots. */
class SharedReceivesTest extends FakeDevice {
    private static final int DEPTH = 8;

    private SharedReceiveQueue shared;
    private ReceiveQueue receives;

    @BeforeEach
    void share() {
        shared = keep(domain.createSharedReceiveQueue(DEPTH, 2));
        receives = keep(ReceiveQueue.over(shared));
    }

    private RcQueuePair sharing(CompletionQueue sends, CompletionQueue receives) {
        return keep(domain.createRc(
                QueuePairOptions.separate(sends, receives).depth(8, 8).sharedReceives(shared)));
    }

    /** In RTS, connected to itself. */
    private RcQueuePair sharing() {
        return connected(sharing(queue, queue));
    }

    private int post(int count) {
        for (int i = receives.staged(); i < count; i++) {
            receives.receive(i, memory, 0, 64);
        }
        return receives.post();
    }

    private void send(RcQueuePair queuePair, int count) {
        try (SendQueue sends = SendQueue.over(queuePair)) {
            for (int i = 0; i < count; i++) {
                sends.send(100 + i, memory, 128, 8).signaled();
            }
            assertEquals(count, sends.post());
        }
    }

    private static int drain(Completions completions) {
        int all = 0;
        for (int count = completions.poll(); count != 0; count = completions.poll()) {
            all += count;
        }
        return all;
    }

    // ---- what goes to C ----

    @Test
    void shouldMakeTheQueuePairWithTheSharedQueue() {
        RcQueuePair queuePair = sharing(queue, queue);

        var init = FakeVerbs.lastQueuePairInit();
        assertEquals(shared.handle().address(), init.get(ValueLayout.JAVA_LONG_UNALIGNED, 24), "srq");
        assertEquals(8, init.get(ValueLayout.JAVA_INT_UNALIGNED, 32), "max_send_wr");
        assertEquals(0, init.get(ValueLayout.JAVA_INT_UNALIGNED, 36), "max_recv_wr");
        assertEquals(0, init.get(ValueLayout.JAVA_INT_UNALIGNED, 44), "max_recv_sge");
        assertEquals(Optional.of(shared), queuePair.sharedReceives());
        assertEquals(0, queuePair.capacity().receiveDepth());
        assertEquals(Optional.empty(), queuePair().sharedReceives());
    }

    @Test
    void shouldPostToTheSharedQueue() {
        receives.receive(7, memory, 16, 32).and(memory, 256, 64).receive(8, memory, 0, 0);
        assertEquals(2, receives.post());

        int key = memory.localKey().value();
        assertEquals(
                List.of(
                        new PostedReceive(
                                0,
                                7,
                                List.of(
                                        new Sge(memory.address() + 16, 32, key),
                                        new Sge(memory.address() + 256, 64, key))),
                        new PostedReceive(0, 8, List.of())),
                FakeVerbs.postedReceives());
        assertEquals(1, FakeVerbs.calls("ibv_post_srq_recv"));
        assertEquals(0, FakeVerbs.calls("ibv_post_recv"));
    }

    @Test
    void shouldRefuseMoreSegmentsThanItHas() {
        receives.receive(1, memory, 0, 8).and(memory, 8, 8);

        assertEquals(
                "SharedReceiveQueue 1 of fake0 was created for receives of 2 pieces; ask for more with"
                        + " createSharedReceiveQueue",
                assertThrows(IllegalArgumentException.class, () -> receives.and(memory, 16, 8))
                        .getMessage());
        receives.discard();
    }

    // ---- who posts ----

    @Test
    void shouldNameTheSharedQueueToWhoWouldPostToTheQueuePair() {
        RcQueuePair queuePair = sharing();

        assertEquals(
                "RcQueuePair 17 of fake0 takes its receives from SharedReceiveQueue 1 of fake0: post them there, through"
                        + " a ReceiveQueue over it",
                assertThrows(IllegalStateException.class, () -> ReceiveQueue.over(queuePair))
                        .getMessage());
    }

    @Test
    void shouldBePostedToByOne() {
        assertTrue(assertThrows(IllegalStateException.class, () -> ReceiveQueue.over(shared))
                .getMessage()
                .startsWith("SharedReceiveQueue 1 of fake0 has a ReceiveQueue already"));
        post(3);
        receives.close();
        receives = keep(ReceiveQueue.over(shared));
        assertEquals(DEPTH - 3, receives.available(), "the next one goes on where the last one stopped");
    }

    @Test
    void shouldBeClosedAfterAllThatIsBuiltOnIt() {
        RcQueuePair queuePair = sharing(queue, queue);

        String message =
                assertThrows(IllegalStateException.class, shared::close).getMessage();
        assertTrue(message.contains("ReceiveQueue of SharedReceiveQueue 1 of fake0"), message);
        assertTrue(message.contains("RcQueuePair 17 of fake0"), message);
        receives.close();
        assertThrows(IllegalStateException.class, shared::close);
        queuePair.close();
        shared.close();
        assertThrows(IllegalStateException.class, () -> ReceiveQueue.over(shared));
        assertThrows(IllegalStateException.class, () -> sharing(queue, queue));
    }

    @Test
    void shouldRefuseAQueuePairOfAnotherDomain() {
        ProtectionDomain other = keep(context.allocateProtectionDomain());

        assertTrue(assertThrows(
                        IllegalArgumentException.class,
                        () -> other.createRc(QueuePairOptions.sharing(queue).sharedReceives(shared)))
                .getMessage()
                .startsWith("SharedReceiveQueue 1 of fake0 belongs to ProtectionDomain 1 of fake0, not to"));
    }

    // ---- what frees a slot ----

    @Test
    void shouldCountWhatEndsInAnyCompletionQueue() throws Exception {
        CompletionQueue other = keep(context.createCompletionQueue(64));
        RcQueuePair one = sharing();
        RcQueuePair two = connected(sharing(queue, other));
        assertEquals(DEPTH, post(DEPTH));
        assertEquals(0, receives.available());
        send(one, 3);
        send(two, 2);

        Completions completions = completions();
        assertEquals(3 + 3 + 2, drain(completions), "sends of both and receives of one");
        assertEquals(3, receives.available());
        assertEquals(2, elsewhere(() -> {
            try (Completions others = Completions.over(other, 4)) {
                return drain(others);
            }
        }));
        assertEquals(5, receives.available());
        assertEquals(5, post(DEPTH), "the others stay staged");
        assertEquals(3, receives.staged());
    }

    @Test
    void shouldCountWhatQueuePairsLeaveBehindThatAreGone() {
        RcQueuePair queuePair = sharing();
        RcQueuePair separate = connected(sharing(keep(context.createCompletionQueue(8)), queue));
        post(DEPTH);
        send(queuePair, 2);
        send(separate, 1);
        queuePair.close();
        separate.close();

        assertEquals(5, drain(completions()));
        assertEquals(3, receives.available());
    }

    @Test
    void shouldCountWhatIsLeftOfBeforeAReset() {
        RcQueuePair queuePair = sharing();
        post(DEPTH);
        send(queuePair, 2);
        queuePair.reset();

        drain(completions());
        assertEquals(2, receives.available());
    }

    @Test
    void shouldCountTheReceiveThatFails() {
        RcQueuePair queuePair = sharing();
        RcQueuePair other = sharing();
        post(DEPTH);
        FakeVerbs.failNextReceive(WorkStatus.LOC_LEN_ERR.code());
        send(queuePair, 1);

        drain(completions());
        assertEquals(QueuePairState.ERR, queuePair.state());
        assertEquals(1, receives.available());
        assertEquals(1, post(1), "the others go on");
        send(other, 1);
    }

    @Test
    void shouldGoOnWhenAQueuePairFails() {
        RcQueuePair queuePair = sharing();
        post(DEPTH);
        queuePair.toError();

        receives.receive(1, memory, 0, 8);
        assertEquals(0, receives.post());
        assertEquals(0, receives.available());
        receives.discard();
    }

    // ---- what C does not take ----

    @Test
    void shouldBelieveTheProviderThatItIsFull() {
        RcQueuePair queuePair = sharing();
        post(DEPTH);
        FakeVerbs.failNextSend(WorkStatus.RETRY_EXC_ERR.code());
        Completions completions = completions();
        send(queuePair, 1);
        drain(completions);
        assertEquals(1, receives.available(), "a receive may have been under way when it failed");

        assertEquals(0, post(1), "but none was");
        assertEquals(1, receives.staged());
        assertEquals(0, receives.available());
        send(sharing(), 1);
        drain(completions);
        assertEquals(1, receives.post());
    }

    @Test
    void shouldKeepWhatAProviderDidNotTake() {
        RcQueuePair queuePair = sharing();
        assertEquals(2, post(2));
        FakeVerbs.acceptOnlyReceives(3, FakeVerbs.ENOMEM, true);

        VerbsException thrown = assertThrows(VerbsException.class, () -> post(5));
        assertEquals("3", thrown.arguments().get("accepted"));
        assertEquals(2, receives.staged());
        assertEquals(DEPTH - 5, receives.available());
        send(queuePair, 4);
        assertEquals(8, drain(completions()));
        assertEquals(2, receives.post());
        assertEquals(
                List.of(0L, 1L, 0L, 1L, 2L, 3L, 4L),
                FakeVerbs.postedReceives().stream().map(PostedReceive::wrId).toList());
        assertEquals(DEPTH - 3, receives.available());
    }

    @Test
    void shouldTellOfAProviderThatTakesNothingAtAll() {
        FakeVerbs.acceptOnlyReceives(0, FakeVerbs.ENOMEM, true);

        VerbsException thrown = assertThrows(VerbsException.class, () -> post(2));
        assertEquals("ibv_post_srq_recv", thrown.operation());
        assertEquals("0", thrown.arguments().get("accepted"));
        assertEquals("SharedReceiveQueue 1 of fake0", thrown.arguments().get("queue"));
        assertEquals(2, receives.post());
    }

    @Test
    void shouldTellWhichReceiveIsBad() {
        FakeVerbs.acceptOnlyReceives(1, FakeVerbs.EINVAL, true);

        VerbsException thrown = assertThrows(VerbsException.class, () -> post(3));
        assertEquals("1", thrown.arguments().get("accepted"));
        assertEquals(2, receives.staged());
        assertEquals(DEPTH - 1, receives.available());
        receives.discard();
    }

    // ---- room in the completion queues ----

    @Test
    void shouldReserveRoomForAllReceivesOnce() {
        CompletionQueue small = keep(context.createCompletionQueue(DEPTH + 16));
        RcQueuePair first = sharing(small, small);
        assertEquals(DEPTH + 8, small.reserved());
        RcQueuePair second = sharing(small, small);
        assertEquals(DEPTH + 16, small.reserved());

        assertThrows(IllegalArgumentException.class, () -> sharing(small, queue), "no room for its sends");
        assertEquals(0, queue.reserved());
        assertThrows(IllegalArgumentException.class, () -> shared.resize(DEPTH + 1));
        first.close();
        assertEquals(DEPTH + 8, small.reserved());
        shared.resize(DEPTH + 8);
        assertEquals(DEPTH + 16, small.reserved());
        second.close();
        assertEquals(0, small.reserved());
    }

    @Test
    void shouldRefuseACompletionQueueThatCouldOverrun() {
        CompletionQueue small = keep(context.createCompletionQueue(DEPTH + 7));

        String message = assertThrows(IllegalArgumentException.class, () -> sharing(small, small))
                .getMessage();
        assertTrue(message.contains("8 sends + 0 receives"), message);
        assertEquals(0, small.reserved());
        keep(domain.createRc(QueuePairOptions.sharing(small)
                .depth(8, 0)
                .sharedReceives(shared)
                .allowOverrun()));
        shared.resize(100);
        assertEquals(108, small.reserved());
    }

    @Test
    void shouldKeepTheRoomOfAResizeThatFails() {
        sharing();
        FakeVerbs.failNext("ibv_modify_srq", FakeVerbs.ENOMEM);

        assertThrows(VerbsException.class, () -> shared.resize(100));
        assertEquals(DEPTH + 8, queue.reserved());
        shared.resize(4);
        assertEquals(4 + 8, queue.reserved());
    }

    @Test
    void shouldPostMoreOnceItIsLarger() {
        RcQueuePair queuePair = sharing();
        post(DEPTH);

        shared.resize(2 * DEPTH);
        assertEquals(DEPTH, receives.available());
        assertEquals(DEPTH, post(DEPTH));
        shared.resize(2 * DEPTH);
        assertEquals(0, receives.available());
        send(queuePair, 4);
        drain(completions());
        shared.resize(2 * DEPTH - 4);
        assertEquals(0, receives.available());
        assertEquals(0, post(1));
        receives.discard();
    }

    @Test
    void shouldRefuseAResizeBelowWhatIsOutstanding() {
        post(DEPTH);

        String message = assertThrows(IllegalArgumentException.class, () -> shared.resize(DEPTH - 1))
                .getMessage();
        assertTrue(message.startsWith("receives=" + (DEPTH - 1) + ": " + DEPTH + " are outstanding"), message);
        assertEquals(0, FakeVerbs.calls("ibv_modify_srq"), "the device is not asked");
        assertEquals(DEPTH, shared.depth());
        assertEquals(0, receives.available());
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldTellThatTheLimitIsReached() throws Exception {
        AsyncEvents events = keep(context.openAsyncEvents());
        RcQueuePair queuePair = sharing();
        post(DEPTH);
        shared.armLimit(7);

        send(queuePair, 1);
        assertEquals(Optional.empty(), events.await(Duration.ofMillis(20)), "7 are left");
        send(queuePair, 1);
        AsyncEvent event = events.await(Duration.ofSeconds(50)).orElseThrow();
        assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
        assertSame(shared, event.source());
        assertEquals(0, shared.query().limit(), "told once");
        drain(completions());
    }
}
