package io.github.verbs4j;

import static io.github.verbs4j.Allocation.assertAllocatesNothing;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.FlushPlacement;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A send queue that builds its requests says to C what one that posts them does, all of a batch or none. */
class ExtendedSendsTest extends FakeDevice {
    private static final int EOPNOTSUPP = 95;
    private static final int ENOSPC = 28;

    @Test
    void shouldBuildWhatItWouldPost() {
        RemoteRegion remote = memory.remote();
        RemoteKey key = new RemoteKey(0x1234);
        List<Consumer<SendQueue>> stagings = List.of(
                s -> s.send(1, memory, 0, 16).signaled(),
                s -> s.send(2, memory, 8, 0).solicited(),
                s -> s.send(3, memory, 8, 24).and(memory, 100, 7).and(memory, 200, 1),
                s -> s.sendImmediate(4, memory, 0, 8, 0xcafe).fence(),
                s -> s.sendInvalidate(5, memory, 0, 8, key),
                s -> s.write(6, memory, 16, 32, remote, 64).inline().and(memory, 300, 5),
                s -> s.write(7, memory, 16, 0, remote, 64).inline(),
                s -> s.writeImmediate(8, memory, 16, 32, remote, 64, 0xbeef),
                s -> s.read(9, memory, 512, 100, remote, 128)
                        .and(memory, 700, 10)
                        .signaled(),
                s -> s.compareAndSwap(10, memory, 1024, remote, 8, -1L, 0x123456789abcdef0L),
                s -> s.fetchAndAdd(11, memory, 1024, remote, 16, Long.MIN_VALUE),
                s -> s.invalidate(12, key));
        SendQueue classic = sends(connected(queuePair(deep())));
        SendQueue extended = sends(connected(queuePair(deep().extended(SendOperation.SEND, everything()))));

        assertAll(stagings.stream().map(staging -> () -> {
            PostedSend posted = post(classic, staging);
            PostedSend built = post(extended, staging);
            assertEquals(posted.wrId(), built.wrId());
            assertEquals(posted.opcode(), built.opcode());
            assertEquals(posted.flags(), built.flags());
            assertArrayEquals(posted.inlined(), built.inlined());
            if (posted.inlined().length == 0) {
                assertEquals(posted.elements(), built.elements());
            }
            requireSameOperands(posted, built);
        }));
    }

    private QueuePairOptions deep() {
        return QueuePairOptions.sharing(queue).depth(32, 32).segments(4, 4).inline(64);
    }

    private static SendOperation[] everything() {
        return SendOperation.values();
    }

    private static PostedSend post(SendQueue sends, Consumer<SendQueue> staging) {
        staging.accept(sends);
        assertEquals(1, sends.post());
        return FakeVerbs.postedSends().getLast();
    }

    private static void requireSameOperands(PostedSend posted, PostedSend built) {
        SendOperation operation = SendOperation.ofOpcode(posted.opcode());
        switch (operation) {
            case SEND_IMMEDIATE, WRITE_IMMEDIATE, SEND_INVALIDATE, LOCAL_INVALIDATE ->
                assertEquals(posted.immediate(), built.immediate());
            default -> {}
        }
        switch (operation) {
            case WRITE, WRITE_IMMEDIATE, READ -> {
                assertEquals(posted.remoteAddress(), built.remoteAddress());
                assertEquals(posted.remoteKey(), built.remoteKey());
            }
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> {
                assertEquals(posted.remoteAddress(), built.remoteAddress());
                assertEquals(posted.atomicRemoteKey(), built.atomicRemoteKey());
                assertEquals(posted.compareAdd(), built.compareAdd());
                assertEquals(posted.swap(), built.swap());
            }
            default -> {}
        }
    }

    @Test
    void shouldBuildTheBindOfAWindow() {
        MemoryRegion region = keep(domain.allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
        MemoryWindow window = keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        SendQueue sends = extended(SendOperation.BIND_MEMORY_WINDOW);
        sends.bind(1, window, region, 64, 128, Set.of(AccessFlag.REMOTE_WRITE)).signaled();

        assertEquals(1, sends.post());

        PostedSend built = FakeVerbs.postedSends().getLast();
        assertEquals(window.handle().address(), built.window());
        assertEquals(window.remote().key().value(), built.windowKey());
        assertEquals(region.handle().address(), built.boundRegion());
        assertEquals(region.address() + 64, built.boundAddress());
        assertEquals(128, built.boundLength());
        assertEquals(AccessFlag.REMOTE_WRITE.bit(), built.windowAccess());
    }

    @Test
    void shouldBuildABatchInOneSection() {
        SendQueue sends = extended(SendOperation.SEND);
        FakeVerbs.clearRecords();
        sends.send(1, memory, 0, 8).send(2, memory, 8, 8).signaled();

        assertEquals(2, sends.post());

        assertEquals(List.of("ibv_wr_start qp1", "ibv_wr_complete qp1"), FakeVerbs.log("ibv_wr"));
        assertEquals(
                List.of(1L, 2L),
                FakeVerbs.postedSends().stream().map(PostedSend::wrId).toList());
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldAskForNothingElseAtCreation() {
        queuePair(options().extended(SendOperation.WRITE, SendOperation.FLUSH));

        assertEquals(List.of("create_qp_ex send_ops_flags=0x801"), FakeVerbs.log("create_qp_ex"));
    }

    /** Neither by mistake nor because another thread closes it: the fake tells of whoever asks C about it. */
    @Test
    void shouldNotLookIntoAQueuePairThatIsGone() {
        RcQueuePair gone = queuePair(options().extended(SendOperation.SEND));
        gone.close();

        assertEquals(
                "ExtendedSendQueue.over: " + gone + " is closed",
                assertThrows(IllegalStateException.class, () -> ExtendedSendQueue.over(gone))
                        .getMessage());
        assertEquals(List.of(), FakeVerbs.violations());
    }

    @Test
    void shouldPostAllOrNone() {
        SendQueue sends = extended(SendOperation.SEND);
        FakeVerbs.failNext("ibv_wr_complete", ENOSPC);
        sends.send(1, memory, 0, 8).send(2, memory, 8, 8);

        VerbsException failure = assertThrows(VerbsException.class, sends::post);

        assertTrue(failure.getMessage().contains("ibv_wr_complete"), failure.getMessage());
        assertTrue(failure.getMessage().contains("accepted=0"), failure.getMessage());
        assertEquals(2, sends.staged());
        assertEquals(2, sends.post());
        assertEquals(
                List.of(1L, 2L),
                FakeVerbs.postedSends().stream().map(PostedSend::wrId).toList());
    }

    @Test
    void shouldCountSlotsAsEver() {
        FakeVerbs.holdCompletions();
        SendQueue sends = extended(SendOperation.WRITE);
        for (int id = 0; id < 8; id++) {
            sends.write(id, memory, 0, 8, memory.remote(), 64);
        }

        assertEquals(8, sends.post());
        assertTrue(FakeVerbs.postedSends().getLast().signaled(), "the last slot tells");
        sends.write(8, memory, 0, 8, memory.remote(), 64);
        assertEquals(0, sends.post());
        FakeVerbs.resume();
        assertEquals(1, completions().poll());
        assertEquals(1, sends.post());
    }

    @Test
    void shouldRefuseWhatItWasNotCreatedForBeforeASectionBegins() {
        SendQueue sends = extended(SendOperation.SEND);
        FakeVerbs.clearRecords();
        sends.send(1, memory, 0, 8).write(2, memory, 0, 8, memory.remote(), 0);

        String message =
                assertThrows(UnsupportedOperationException.class, sends::post).getMessage();

        assertTrue(message.startsWith("request 1 is a WRITE: RcQueuePair "), message);
        assertTrue(
                message.contains("was created to build [SEND]; ask for more with QueuePairOptions.extended"), message);
        assertEquals(List.of(), FakeVerbs.log("ibv_wr"));
        sends.discard();
        sends.send(3, memory, 0, 8).signaled();
        assertEquals(1, sends.post());
    }

    @Test
    void shouldRefuseWorkOutsideOfReadyToSend() {
        RcQueuePair queuePair = queuePair(options().extended(SendOperation.SEND));
        SendQueue sends = sends(queuePair);
        sends.send(1, memory, 0, 8);

        assertThrows(IllegalStateException.class, sends::post);
        connected(queuePair);
        queuePair.toError();
        assertThrows(IllegalStateException.class, sends::post);
        assertEquals(List.of(), FakeVerbs.log("ibv_wr"));
    }

    @Test
    void shouldNameTheCapabilityThatAProviderLacks() {
        FakeVerbs.failNext("create_qp_ex", EOPNOTSUPP);

        UnsupportedCapabilityException failure = assertThrows(
                UnsupportedCapabilityException.class,
                () -> domain.createRc(options().extended(SendOperation.FLUSH)));

        assertEquals("building one of [FLUSH] in a queue pair of type RC", failure.capability());
        assertTrue(failure.getMessage().startsWith("ibv_create_qp_ex: fake0"), failure.getMessage());
    }

    @Test
    void shouldExplainAFailedCreation() {
        FakeVerbs.failNext("create_qp_ex", FakeVerbs.EINVAL);

        String message = assertThrows(
                        VerbsException.class, () -> domain.createRc(options().extended(SendOperation.SEND)))
                .getMessage();

        assertTrue(message.contains("ibv_create_qp_ex"), message);
    }

    /** A thread may be stopped inside of a section: a critical call that waits for its lock would wait for ever. */
    @Test
    void shouldNeverCallCriticallyWhatSharesTheLockOfASection() {
        System.setProperty("io.github.verbs4j.critical", "post,poll");
        try (DeviceContext critical = Device.first().open();
                ProtectionDomain domain = critical.allocateProtectionDomain();
                CompletionQueue queue = critical.createCompletionQueue(64);
                RcQueuePair classic =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(8, 8));
                RcQueuePair extended = domain.createRc(
                        QueuePairOptions.sharing(queue).depth(8, 8).extended(SendOperation.SEND));
                SendQueue posts = SendQueue.over(classic);
                SendQueue builds = SendQueue.over(extended);
                ReceiveQueue receives = ReceiveQueue.over(extended)) {
            assertTrue(posts.isCritical());
            assertFalse(builds.isCritical());
            assertFalse(receives.isCritical());
        } finally {
            System.clearProperty("io.github.verbs4j.critical");
        }
    }

    @Test
    void shouldBuildAnAtomicWrite() {
        ExtendedSendQueue sends = extended(SendOperation.ATOMIC_WRITE);
        sends.atomicWrite(7, 0x123456789abcdef0L, memory.remote(), 24).signaled();

        assertEquals(1, sends.post());

        PostedSend built = FakeVerbs.postedSends().getLast();
        assertEquals(SendOperation.ATOMIC_WRITE.opcode(), built.opcode());
        assertEquals(memory.address() + 24, built.remoteAddress());
        assertEquals(memory.remoteKey().value(), built.atomicRemoteKey());
        assertEquals(0x123456789abcdef0L, built.compareAdd());
        assertEquals(List.of(), built.elements());
        requireCompleted(7, WorkOpcode.ATOMIC_WRITE);
    }

    @Test
    void shouldBuildAFlush() {
        ExtendedSendQueue sends = extended(SendOperation.FLUSH);
        sends.flush(8, FlushPlacement.PERSISTENT, memory.remote(), 24, 1000).signaled();

        assertEquals(1, sends.post());

        PostedSend built = FakeVerbs.postedSends().getLast();
        assertEquals(SendOperation.FLUSH.opcode(), built.opcode());
        assertEquals(memory.address() + 24, built.remoteAddress());
        assertEquals(memory.remoteKey().value(), built.atomicRemoteKey());
        assertEquals(1000, built.compareAdd(), "length");
        assertEquals(2, built.swap(), "type, and the level of a range");
        requireCompleted(8, WorkOpcode.FLUSH);
    }

    private void requireCompleted(long id, WorkOpcode opcode) {
        Completions completions = completions();
        assertEquals(1, completions.poll());
        assertTrue(completions.next());
        assertEquals(id, completions.id());
        assertEquals(opcode, completions.opcode());
    }

    @Test
    void shouldRefuseAtOnceWhatItWasNotCreatedForIfOnlyBuildersCanPostIt() {
        ExtendedSendQueue sends = extended(SendOperation.SEND);
        RemoteRegion remote = memory.remote();

        for (Runnable staging : List.<Runnable>of(
                () -> sends.atomicWrite(1, 0, remote, 0), () -> sends.flush(1, FlushPlacement.GLOBAL, remote, 0, 8))) {
            String message = assertThrows(UnsupportedOperationException.class, staging::run)
                    .getMessage();
            assertTrue(message.contains(" was created to build [SEND], not "), message);
        }
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldBeOverQueuePairsThatBuild() {
        RcQueuePair classic = queuePair();

        String message = assertThrows(IllegalArgumentException.class, () -> ExtendedSendQueue.over(classic))
                .getMessage();

        assertTrue(message.contains("create it with QueuePairOptions.extended"), message);
        sends(classic); // nothing was taken
    }

    @Test
    void shouldCheckTheRemoteRange() {
        ExtendedSendQueue sends = extended(SendOperation.FLUSH, SendOperation.ATOMIC_WRITE);
        RemoteRegion remote = memory.remote();

        assertThrows(IllegalArgumentException.class, () -> sends.atomicWrite(1, 0, remote, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.atomicWrite(1, 0, remote, 4096));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.atomicWrite(1, 0, remote, -8));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.flush(1, FlushPlacement.GLOBAL, remote, 4090, 7));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.flush(1, FlushPlacement.GLOBAL, remote, 0, -1));
        sends.atomicWrite(1, 0, remote, 8);
        assertThrows(IllegalStateException.class, sends::inline);
        assertThrows(IllegalStateException.class, () -> sends.and(memory, 0, 8));
    }

    @Test
    void shouldStageWithoutAllocating() {
        ExtendedSendQueue sends = extended(SendOperation.ATOMIC_WRITE, SendOperation.FLUSH);
        RemoteRegion remote = memory.remote();

        assertAllocatesNothing(() -> {
            sends.atomicWrite(2, 7, remote, 8);
            sends.flush(3, FlushPlacement.GLOBAL, remote, 0, 8).signaled();
            sends.discard();
        });
    }

    private ExtendedSendQueue extended(SendOperation first, SendOperation... more) {
        return keep(ExtendedSendQueue.over(connected(queuePair(options().extended(first, more)))));
    }
}
