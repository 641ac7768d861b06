package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueuePairCreationTest extends FakeDevice {

    private static int field(MemorySegment init, long offset) {
        return init.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    @Test
    void shouldAskForWhatTheOptionsSay() {
        CompletionQueue other = keep(context.createCompletionQueue(64));
        queuePair(QueuePairOptions.separate(queue, other)
                .depth(11, 12)
                .segments(3, 4)
                .inline(5));
        MemorySegment init = FakeVerbs.lastQueuePairInit();

        assertEquals(0, init.get(ValueLayout.JAVA_LONG_UNALIGNED, 0), "qp_context");
        assertEquals(queue.handle().address(), init.get(ValueLayout.JAVA_LONG_UNALIGNED, 8), "send_cq");
        assertEquals(other.handle().address(), init.get(ValueLayout.JAVA_LONG_UNALIGNED, 16), "recv_cq");
        assertEquals(0, init.get(ValueLayout.JAVA_LONG_UNALIGNED, 24), "srq");
        assertEquals(11, field(init, 32), "max_send_wr");
        assertEquals(12, field(init, 36), "max_recv_wr");
        assertEquals(3, field(init, 40), "max_send_sge");
        assertEquals(4, field(init, 44), "max_recv_sge");
        assertEquals(5, field(init, 48), "max_inline_data");
        assertEquals(2, field(init, 52), "IBV_QPT_RC");
        assertEquals(0, field(init, 56), "sq_sig_all");
    }

    @Test
    void shouldHaveDefaults() {
        QueuePairOptions options = QueuePairOptions.sharing(queue);

        assertEquals(new QueuePairCapacity(64, 64, 1, 1, 0), options.capacity());
        assertEquals(queue, options.sendCompletions());
        assertEquals(queue, options.receiveCompletions());
        assertFalse(options.mayOverrun());
        assertTrue(options.depth(1, 1).allowOverrun().segments(2, 2).inline(3).mayOverrun());
        assertEquals(
                "QueuePairOptions[QueuePairCapacity[sendDepth=1, receiveDepth=2, sendSegments=1, receiveSegments=1,"
                        + " inlineBytes=0], sends to CompletionQueue 1 (1024 entries) of fake0, receives to"
                        + " CompletionQueue 1 (1024 entries) of fake0, may overrun]",
                options.depth(1, 2).allowOverrun().toString());
        assertThrows(IllegalArgumentException.class, () -> options.depth(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> options.segments(1, -1));
        assertThrows(IllegalArgumentException.class, () -> options.inline(-1));
        assertThrows(NullPointerException.class, () -> QueuePairOptions.sharing(null));
        assertThrows(NullPointerException.class, () -> QueuePairOptions.separate(queue, null));
    }

    @Test
    void shouldTellWhatWasGranted() {
        FakeVerbs.grantMore(5, 6, 1, 36, 0);
        RcQueuePair queuePair = queuePair(QueuePairOptions.sharing(queue).depth(10, 20));

        assertEquals(new QueuePairCapacity(15, 26, 2, 2, 36), queuePair.capacity());
        assertEquals(17, queuePair.number());
        assertEquals(QueuePairState.RESET, queuePair.state());
        assertTrue(queuePair.firstFailure().isEmpty());
        assertEquals("RcQueuePair 17 of fake0", queuePair.toString());
        assertEquals(41, queue.reserved(), "what was granted counts");
        assertEquals(15, sends(queuePair).available());
        assertEquals(26, receives(queuePair).available());
    }

    @Test
    void shouldGrantDepthsOfZero() {
        RcQueuePair queuePair = queuePair(QueuePairOptions.sharing(queue).depth(0, 0));

        assertEquals(0, sends(queuePair).available());
        assertEquals(
                "ReceiveQueue of RcQueuePair 17 of fake0 has a depth of 0, so it takes no receives: ask for more with"
                        + " QueuePairOptions.depth",
                assertThrows(
                                IllegalStateException.class,
                                () -> receives(queuePair).receive(1, memory, 0, 1))
                        .getMessage());
    }

    @Test
    void shouldFillACompletionQueueToTheLastEntry() {
        CompletionQueue small = keep(context.createCompletionQueue(10));
        RcQueuePair first = queuePair(QueuePairOptions.sharing(small).depth(4, 2));
        queuePair(QueuePairOptions.sharing(small).depth(2, 2));
        assertEquals(10, small.reserved());

        assertEquals(
                "the queue pair may have 1 completions outstanding (1 sends + 0 receives), 10 of CompletionQueue 2 (10"
                        + " entries) of fake0 are reserved for other queue pairs: 11 > 10; make the completion queue"
                        + " larger, the depths smaller, or call allowOverrun() if you know that it is polled in time",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> domain.createRc(
                                        QueuePairOptions.sharing(small).depth(1, 0)))
                        .getMessage());
        first.close();
        assertEquals(4, small.reserved());
        first.close();
        assertEquals(4, small.reserved(), "given back once");
        queuePair(QueuePairOptions.sharing(small).depth(3, 3));
    }

    @Test
    void shouldCountSendsAndReceivesWhereTheyAreReported() {
        CompletionQueue sends = keep(context.createCompletionQueue(8));
        CompletionQueue receives = keep(context.createCompletionQueue(4));
        QueuePairOptions options = QueuePairOptions.separate(sends, receives);

        String tooManySends = assertThrows(IllegalArgumentException.class, () -> domain.createRc(options.depth(9, 4)))
                .getMessage();
        assertTrue(tooManySends.contains("(9 sends)") && tooManySends.contains("9 > 8"), tooManySends);
        String tooManyReceives = assertThrows(
                        IllegalArgumentException.class, () -> domain.createRc(options.depth(8, 5)))
                .getMessage();
        assertTrue(tooManyReceives.contains("(5 receives)") && tooManyReceives.contains("5 > 4"), tooManyReceives);
        assertEquals(0, sends.reserved(), "what was taken before the refusal is given back");
        assertEquals(0, receives.reserved());
        queuePair(options.depth(8, 4));
        assertEquals(8, sends.reserved());
        assertEquals(4, receives.reserved());
        assertEquals(1, FakeVerbs.calls("ibv_create_qp"), "the refused ones did not get there");
    }

    @Test
    void shouldRefuseAGrantThatNoLongerFits() {
        CompletionQueue small = keep(context.createCompletionQueue(10));
        FakeVerbs.grantMore(3, 0, 0, 0, 0);
        Map<String, Integer> before = FakeVerbs.liveObjects();

        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> domain.createRc(QueuePairOptions.sharing(small).depth(4, 4)))
                .getMessage();
        assertTrue(
                message.contains("(7 sends + 4 receives; the device grants more than was asked for)")
                        && message.contains("11 > 10"),
                message);
        assertEquals(before, FakeVerbs.liveObjects(), "the queue pair is destroyed");
        assertEquals(0, small.reserved());
    }

    @Test
    void shouldOverrunWhenAllowed() {
        CompletionQueue small = keep(context.createCompletionQueue(10));
        RcQueuePair large =
                queuePair(QueuePairOptions.sharing(small).depth(100, 100).allowOverrun());

        assertEquals(200, small.reserved());
        assertThrows(
                IllegalArgumentException.class,
                () -> domain.createRc(QueuePairOptions.sharing(small).depth(1, 0)),
                "others are still told");
        large.close();
        assertEquals(0, small.reserved());
    }

    @Test
    void shouldSumLargeDepthsWithoutOverflow() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> domain.createRc(
                                QueuePairOptions.sharing(queue).depth(Integer.MAX_VALUE, Integer.MAX_VALUE)))
                .getMessage();
        assertTrue(message.contains("4294967294 > 1024"), message);
    }

    @Test
    void shouldRefuseACompletionQueueOfAnotherContext() {
        try (DeviceContext other = Device.first().open();
                CompletionQueue foreign = other.createCompletionQueue(100)) {
            String message = "CompletionQueue 2 (100 entries) of fake0 was created on another device context than "
                    + "ProtectionDomain 1 of fake0: create both on the same DeviceContext";
            for (QueuePairOptions options : new QueuePairOptions[] {
                QueuePairOptions.sharing(foreign),
                QueuePairOptions.separate(queue, foreign),
                QueuePairOptions.separate(foreign, queue)
            }) {
                assertEquals(
                        message,
                        assertThrows(IllegalArgumentException.class, () -> domain.createRc(options.depth(1, 1)))
                                .getMessage());
            }
            assertEquals(0, FakeVerbs.calls("ibv_create_qp"));
        }
    }

    @Test
    void shouldRefuseAClosedCompletionQueue() {
        CompletionQueue closed = context.createCompletionQueue(100);
        closed.close();

        assertEquals(
                "createRc: CompletionQueue 2 (100 entries) of fake0 is closed",
                assertThrows(
                                IllegalStateException.class,
                                () -> domain.createRc(
                                        QueuePairOptions.sharing(closed).depth(1, 1)))
                        .getMessage());
    }

    @Test
    void shouldKeepWhatItReservedWhenItCannotBeDestroyed() {
        RcQueuePair queuePair = queuePair();
        FakeVerbs.failNext("ibv_destroy_qp", FakeVerbs.EBUSY);

        assertThrows(VerbsException.class, queuePair::close);
        assertEquals(16, queue.reserved());
        queuePair.close();
        assertEquals(0, queue.reserved());
    }
}
