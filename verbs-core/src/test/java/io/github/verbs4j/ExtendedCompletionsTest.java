package io.github.verbs4j;

import static io.github.verbs4j.Allocation.assertAllocatesNothing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.ExtendedReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended completion queues: what was asked for is read, and nothing else. */
class ExtendedCompletionsTest extends FakeDevice {
    private static final int ALL_FLAGS =
            CompletionField.mask(EnumSet.allOf(CompletionField.class)) | verbs4j_h.IBV_WC_EX_WITH_QP_NUM();
    private static final int EOPNOTSUPP = 95;

    private CompletionQueue extended(CompletionField... fields) {
        return keep(
                context.createCompletionQueue(CompletionQueueOptions.entries(64).extended(fields)));
    }

    private ExtendedCompletions over(CompletionQueue queue) {
        return keep(ExtendedCompletions.over(queue, 16));
    }

    private static void push(CompletionQueue queue, long id) {
        FakeVerbs.pushCompletion(queue.handle(), FakeCompletion.success(id, 0, 17));
    }

    private static long read(ExtendedCompletions completions, CompletionField field) {
        ToLongFunction<ExtendedCompletions> reader = switch (field) {
            case BYTE_LENGTH -> ExtendedCompletions::byteLength;
            case IMMEDIATE -> ExtendedCompletions::immediate;
            case SOURCE_QUEUE_PAIR -> ExtendedCompletions::sourceQueuePairNumber;
            case SOURCE_LID -> ExtendedCompletions::sourceLid;
            case SERVICE_LEVEL -> ExtendedCompletions::serviceLevel;
            case PATH_BITS -> ExtendedCompletions::pathBits;
            case TIMESTAMP -> ExtendedCompletions::timestamp;
            case VLAN -> ExtendedCompletions::vlan;
            case FLOW_TAG -> ExtendedCompletions::flowTag;
            case WALL_CLOCK -> ExtendedCompletions::wallClock;
        };
        return reader.applyAsLong(completions);
    }

    // ---- creation ----

    @Test
    void shouldHandTheOptionsToC() {
        CompletionQueue queue = extended(CompletionField.BYTE_LENGTH, CompletionField.IMMEDIATE);
        assertEquals(List.of("create_cq_ex wc_flags=0x7 comp_mask=0x0 flags=0x0"), FakeVerbs.log("create_cq_ex"));
        assertEquals(
                Set.of(CompletionField.BYTE_LENGTH, CompletionField.IMMEDIATE),
                queue.options().fields());
        assertTrue(queue.options().isExtended());

        FakeVerbs.clearRecords();
        keep(context.createCompletionQueue(
                CompletionQueueOptions.entries(16).ignoreOverrun().vector(1)));
        assertEquals(List.of("create_cq_ex wc_flags=0x4 comp_mask=0x1 flags=0x2"), FakeVerbs.log("create_cq_ex"));
        assertTrue(FakeVerbs.log("ibv_create_cq").getFirst().contains(" cqe=16 channel1 vector=1 "));
    }

    @ParameterizedTest
    @EnumSource(names = {"TIMESTAMP", "VLAN", "FLOW_TAG", "WALL_CLOCK"})
    void shouldTellWhatTheDeviceCannot(CompletionField field) {
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> extended(CompletionField.BYTE_LENGTH, field));
        assertEquals("ibv_create_cq_ex", thrown.operation());
        assertTrue(thrown.capability().contains(field.name()), thrown::capability);
    }

    @Test
    void shouldNeverCallWhatTheProviderLeftOut() {
        FakeVerbs.leaveReadersOut(CompletionField.SERVICE_LEVEL.bit());
        UnsupportedCapabilityException thrown = assertThrows(
                UnsupportedCapabilityException.class,
                () -> extended(CompletionField.BYTE_LENGTH, CompletionField.SERVICE_LEVEL));
        assertTrue(thrown.getMessage().contains("without the reader of SERVICE_LEVEL"), thrown::getMessage);
        assertEquals(1, FakeVerbs.live("cq"), "nothing leaked");
    }

    @Test
    void shouldDoWithoutExtendedQueues() {
        FakeVerbs.removeOperation("create_cq_ex");
        DeviceContext old = keep(Device.first().open());
        assertThrows(
                UnsupportedCapabilityException.class,
                () -> old.createCompletionQueue(
                        CompletionQueueOptions.entries(16).extended()));
    }

    @Test
    void shouldTellOfARefusal() {
        FakeVerbs.failNext("create_cq_ex", EIO);
        VerbsException thrown = assertThrows(VerbsException.class, () -> extended(CompletionField.BYTE_LENGTH));
        assertEquals("ibv_create_cq_ex", thrown.operation());
        assertEquals("[BYTE_LENGTH]", thrown.arguments().get("wc_flags").toString());
    }

    @Test
    void shouldBeReadByTheRightCursor() {
        CompletionQueue extended = extended();
        assertThrows(IllegalArgumentException.class, () -> Completions.over(extended, 16));
        assertThrows(IllegalArgumentException.class, () -> ExtendedCompletions.over(queue, 16));
        assertThrows(IllegalArgumentException.class, () -> ExtendedCompletions.over(extended, 0));
        over(extended);
        assertThrows(IllegalStateException.class, () -> ExtendedCompletions.over(extended, 16));
    }

    // ---- reading ----

    @Test
    void shouldReadEveryField() {
        FakeVerbs.allowCompletionFields(ALL_FLAGS);
        CompletionQueue queue = extended(CompletionField.values());
        ExtendedCompletions completions = over(queue);
        assertEquals(EnumSet.allOf(CompletionField.class), completions.fields());
        RcQueuePair pair = connected(queuePair(QueuePairOptions.sharing(queue).depth(8, 8)));
        ReceiveQueue receives = receives(pair);
        receives.receive(1, memory, 0, 64);
        receives.post();
        SendQueue sends = sends(pair);
        sends.sendImmediate(2, memory, 64, 33, 0x01020304).signaled();
        sends.post();

        assertEquals(2, completions.poll());
        boolean received = false;
        while (completions.next()) {
            completions.requireSuccess();
            assertEquals(pair.number(), completions.queuePairNumber());
            if (completions.isReceive()) {
                received = true;
                assertEquals(1, completions.id());
                assertEquals(WorkOpcode.RECEIVE, completions.opcode());
                assertEquals(33, completions.byteLength());
                assertTrue(completions.hasImmediate());
                assertEquals(0x01020304, completions.immediate());
                assertFalse(completions.hasInvalidatedKey());
                assertEquals(0xf000000000000001L, completions.timestamp());
                assertEquals(1700000000000000002L, completions.wallClock());
                assertEquals(0xf003, completions.vlan());
                assertEquals(0xf0000004, completions.flowTag());
            }
        }
        assertTrue(received);
        assertEquals(8, sends.available(), "its slots are free");
    }

    @Test
    void shouldReadWhatDatagramsTell() {
        CompletionQueue queue = extended(
                CompletionField.SOURCE_QUEUE_PAIR,
                CompletionField.SOURCE_LID,
                CompletionField.SERVICE_LEVEL,
                CompletionField.PATH_BITS);
        ExtendedCompletions completions = over(queue);
        MemorySegment wc = ibv_wc.allocate(Arena.ofAuto());
        ibv_wc.src_qp(wc, 0xffffff);
        ibv_wc.slid(wc, (short) 0xfffe);
        ibv_wc.sl(wc, (byte) 15);
        ibv_wc.dlid_path_bits(wc, (byte) 0x7f);
        FakeVerbs.pushCompletion(queue.handle(), wc);
        completions.poll();
        assertTrue(completions.next());
        assertEquals(0xffffff, completions.sourceQueuePairNumber());
        assertEquals(0xfffe, completions.sourceLid());
        assertEquals(15, completions.serviceLevel());
        assertEquals(0x7f, completions.pathBits());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatWasNotAskedFor(CompletionField field) {
        CompletionQueue queue = extended();
        ExtendedCompletions completions = over(queue);
        FakeCompletion completion = FakeCompletion.success(1, 0, 17);
        FakeVerbs.pushCompletion(queue.handle(), completion);
        completions.poll();
        assertThrows(IllegalStateException.class, () -> read(completions, field), "before next()");
        assertTrue(completions.next());
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> read(completions, field));
        if (field != CompletionField.IMMEDIATE) { // there is none
            assertTrue(thrown.getMessage().startsWith(field + " was not asked for"), thrown::getMessage);
        }
    }

    @Test
    void shouldReadOnlyWhatAFailureHas() {
        CompletionQueue queue = extended(CompletionField.BYTE_LENGTH);
        ExtendedCompletions completions = over(queue);
        RcQueuePair pair = connected(queuePair(QueuePairOptions.sharing(queue).depth(8, 8)));
        FakeVerbs.failNextSend(WorkStatus.RETRY_EXC_ERR.code());
        SendQueue sends = sends(pair);
        sends.send(5, memory, 0, 8);
        sends.post();
        assertEquals(1, completions.poll());
        assertTrue(completions.next());
        assertEquals(5, completions.id());
        assertEquals(WorkStatus.RETRY_EXC_ERR, completions.status());
        assertEquals(0x77, completions.vendorError());
        assertEquals(pair.number(), completions.queuePairNumber());
        assertThrows(IllegalStateException.class, completions::byteLength);
        assertThrows(IllegalStateException.class, completions::opcode);
        assertEquals(5, pair.firstFailure().orElseThrow().id());
    }

    // ---- sections ----

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 40})
    void shouldTakeAsManyAsThereAre(int there) {
        CompletionQueue queue = extended(CompletionField.BYTE_LENGTH);
        ExtendedCompletions completions = over(queue);
        for (int id = 0; id < there; id++) {
            push(queue, id);
        }
        long expected = 0;
        for (int polled; (polled = completions.poll()) > 0; ) {
            assertEquals(Math.min(16, there - expected), polled);
            while (completions.next()) {
                assertEquals(expected++, completions.id());
            }
        }
        assertEquals(there, expected);
        assertEquals(FakeVerbs.calls("end_poll"), there == 0 ? 0 : FakeVerbs.calls("start_poll") - 1, "each ended");
    }

    @Test
    void shouldNotTrustTheNextPollOfSoftRoce() {
        CompletionQueue queue = extended(CompletionField.BYTE_LENGTH);
        ExtendedReader reader =
                new ExtendedReader(queue.handle(), queue.options().fields(), "rxe");
        for (int id = 0; id < 5; id++) {
            push(queue, id);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment completions = ibv_wc.allocateArray(16, arena);
            MemorySegment rows = arena.allocate(16 * ExtendedReader.ROW_BYTES, 8);
            assertEquals(5, reader.poll(16, completions.address(), rows.address()));
            for (int id = 0; id < 5; id++) {
                assertEquals(id, ibv_wc.wr_id(ibv_wc.asSlice(completions, id)));
            }
        }
        assertEquals(0, FakeVerbs.calls("next_poll"));
        assertEquals(5, FakeVerbs.calls("end_poll"));
    }

    @Test
    void shouldTellOfABrokenQueue() {
        CompletionQueue queue = extended(CompletionField.BYTE_LENGTH);
        ExtendedCompletions completions = over(queue);
        FakeVerbs.failNext("start_poll", EIO);
        VerbsException thrown = assertThrows(VerbsException.class, completions::poll);
        assertEquals("ibv_start_poll", thrown.operation());
        assertTrue(thrown.is(Errno.EIO));

        push(queue, 1);
        push(queue, 2);
        FakeVerbs.failNext("next_poll", EOPNOTSUPP);
        assertEquals(1, completions.poll(), "what was read before it counts");
        assertEquals(1, completions.poll());
    }

    @ParameterizedTest
    @EnumSource
    void shouldWait(WaitStrategy strategy) throws Exception {
        CompletionQueue queue = extended(CompletionField.BYTE_LENGTH);
        ExtendedCompletions completions = over(queue);
        assertEquals(0, completions.await(strategy, Duration.ofMillis(10)));
        Thread pusher = Thread.ofPlatform().start(() -> push(queue, 7));
        assertEquals(1, completions.await(strategy, Duration.ofSeconds(50)));
        pusher.join();
        assertTrue(completions.next());
        assertEquals(7, completions.id());
    }

    @Test
    void shouldAllocateNothing() {
        FakeVerbs.allowCompletionFields(ALL_FLAGS);
        CompletionQueue queue = extended(CompletionField.values());
        ExtendedCompletions completions = over(queue);
        RcQueuePair pair = connected(queuePair(QueuePairOptions.sharing(queue).depth(8, 8)));
        SendQueue sends = sends(pair);
        ReceiveQueue receives = receives(pair);
        long[] sum = new long[1];
        assertAllocatesNothing(() -> {
            receives.receive(1, memory, 0, 8);
            receives.post();
            sends.sendImmediate(2, memory, 0, 8, 42).signaled();
            sends.post();
            sum[0] += completions.poll();
            while (completions.next()) {
                sum[0] += completions.byteLength() + completions.timestamp() + completions.flowTag();
            }
        });
        assertNotEquals(0, sum[0]);
    }
}
