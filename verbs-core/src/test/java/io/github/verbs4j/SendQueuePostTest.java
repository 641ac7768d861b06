package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import io.github.verbs4j.fake.Sge;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Room, order, signals, refusals and states. The queue holds 8. */
class SendQueuePostTest extends FakeDevice {
    private RcQueuePair queuePair;
    private SendQueue sends;
    private Completions completions;
    private RemoteRegion remote;

    @BeforeEach
    void connect() {
        queuePair = connected();
        sends = sends(queuePair);
        completions = completions();
        remote = memory.remote();
    }

    private SendQueue write(long id) {
        return sends.write(id, memory, 0, 8, remote, 64);
    }

    private void writes(int count) {
        for (int i = 0; i < count; i++) {
            write(i);
        }
    }

    private int drain() {
        int sum = 0;
        for (int polled = completions.poll(); polled > 0; polled = completions.poll()) {
            while (completions.next()) {
                completions.requireSuccess();
            }
            sum += polled;
        }
        return sum;
    }

    private static List<Long> postedIds() {
        return FakeVerbs.postedSends().stream().map(PostedSend::wrId).toList();
    }

    // ---- batches and room ----

    @Test
    void shouldPostABatchInOneCall() {
        writes(5);
        assertEquals(5, sends.staged());

        assertEquals(5, sends.post());
        assertEquals(0, sends.staged());
        assertEquals(1, FakeVerbs.calls("ibv_post_send"));
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L), postedIds());
        assertEquals(3, sends.available());
    }

    /** Room for more than is staged may come while post() looks for some. */
    @Test
    void shouldPostNoMoreThanIsStagedWhileAnotherThreadPolls() throws Exception {
        int messages = 20_000;
        completions.release();
        CompletableFuture<Void> poller = CompletableFuture.runAsync(() -> {
            completions.acquire();
            for (int polled = 0; polled < messages; ) {
                polled += drain();
            }
            completions.release();
        });

        for (int id = 0; id < messages; id++) {
            write(id).signaled();
            int posted = sends.post();
            while (posted == 0) {
                posted = sends.post();
            }
            assertEquals(1, posted);
            assertEquals(0, sends.staged());
        }

        poller.get(60, TimeUnit.SECONDS);
        completions.acquire();
    }

    @Test
    void shouldDoNothingWhenNothingIsStaged() {
        assertEquals(0, sends.post());
        assertEquals(0, FakeVerbs.calls("ibv_post_send"));
    }

    @Test
    void shouldMoveTheBytes() {
        memory.segment().setString(0, "hello");
        sends.write(1, memory, 0, 6, remote, 100).signaled();
        sends.read(2, memory, 200, 6, remote, 100).signaled();
        sends.post();

        assertEquals(2, drain());
        assertEquals("hello", memory.segment().getString(100));
        assertEquals("hello", memory.segment().getString(200));
    }

    @Test
    void shouldPostWhatThereIsRoomForAndKeepTheRest() {
        FakeVerbs.holdCompletions();
        for (int id = 0; id < 6; id++) {
            write(id).signaled();
        }
        assertEquals(6, sends.post());
        for (int id = 6; id < 11; id++) {
            write(id).signaled();
        }

        assertEquals(2, sends.post());
        assertEquals(3, sends.staged());
        assertEquals(0, sends.post(), "full");
        assertEquals(2, FakeVerbs.calls("ibv_post_send"), "C is not asked when it is full");
        assertEquals(0, sends.available());
        write(11).signaled();
        FakeVerbs.release(1);
        assertEquals(0, sends.post(), "done, but not polled");
        assertEquals(1, drain());
        assertEquals(1, sends.available());
        assertEquals(1, sends.post());
        FakeVerbs.resume();
        drain();
        assertEquals(3, sends.post());
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L), postedIds(), "what stayed went first");
    }

    /** All kinds of requests, staged at random, whatever the room: what C gets is what was staged, in order. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldKeepOrderAndContents(int seed) {
        Random random = new Random(seed);
        FakeVerbs.holdCompletions();
        FakeVerbs.absentPeersSucceed();
        RcQueuePair lonely = queuePair();
        QueuePairAddress mine = lonely.initialize(gid());
        lonely.connect(new QueuePairAddress(mine.linkLayer(), 0, mine.gid(), 999, 0, mine.mtu(), 1), RcPath.defaults());
        sends = sends(lonely);
        List<Expected> expected = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            int fresh = random.nextInt(8 - sends.staged() + 1);
            for (int i = 0; i < fresh; i++) {
                expected.add(stage(random, expected.size()));
            }
            if (random.nextInt(4) == 0) {
                FakeVerbs.acceptOnly(random.nextInt(4), FakeVerbs.ENOMEM, true);
            }
            int before = sends.staged();
            try {
                assertEquals(before, sends.post() + sends.staged());
            } catch (VerbsException refused) {
                assertEquals(
                        before - sends.staged(),
                        Integer.parseInt(refused.arguments().get("accepted")));
            }
            FakeVerbs.acceptAll();
            FakeVerbs.release(random.nextInt(9));
            drain();
            if (round % 100 == 0) {
                checkPosted(expected);
            }
        }
        while (sends.staged() > 0) {
            FakeVerbs.release(8);
            drain();
            assertTrue(sends.post() > 0, "stuck");
        }
        checkPosted(expected);
        assertEquals(expected.size(), FakeVerbs.postedSendCount());
    }

    private record Expected(
            long id, int opcode, int flags, int immediate, long remote, List<Sge> pieces, byte[] inline) {}

    private Expected stage(Random random, long id) {
        int offset = random.nextInt(1000);
        int length = random.nextInt(10);
        int kind = random.nextInt(5);
        int remoteOffset = random.nextInt(1000);
        int immediate = random.nextInt();
        memory.segment().set(ValueLayout.JAVA_BYTE, offset, (byte) id);
        switch (kind) {
            case 0 -> sends.write(id, memory, offset, length, remote, remoteOffset);
            case 1 -> sends.writeImmediate(id, memory, offset, length, remote, remoteOffset, immediate);
            case 2 -> sends.send(id, memory, offset, length);
            case 3 -> sends.sendImmediate(id, memory, offset, length, immediate);
            default -> sends.read(id, memory, offset, length, remote, remoteOffset);
        }
        List<Sge> pieces = new ArrayList<>();
        int key = memory.localKey().value();
        if (length > 0) {
            pieces.add(new Sge(memory.address() + offset, length, key));
        }
        int flags = 0;
        byte[] inlined = {};
        if (kind != 4 && random.nextBoolean()) {
            sends.inline();
            flags |= 8;
            inlined = memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            memory.segment().set(ValueLayout.JAVA_BYTE, offset, (byte) -1);
            pieces.clear();
        } else {
            for (int more = random.nextInt(3); more > 0; more--) {
                sends.and(memory, more * 100, more);
                pieces.add(new Sge(memory.address() + more * 100, more, key));
            }
        }
        if (random.nextInt(3) == 0) {
            sends.signaled();
            flags |= 2;
        }
        if (random.nextInt(4) == 0) {
            sends.solicited();
            flags |= 4;
        }
        return new Expected(
                id,
                kind,
                flags,
                kind == 1 || kind == 3 ? Integer.reverseBytes(immediate) : 0,
                kind == 2 || kind == 3 ? 0 : remote.address() + remoteOffset,
                pieces,
                inlined);
    }

    private void checkPosted(List<Expected> all) {
        int count = (int) FakeVerbs.postedSendCount();
        List<PostedSend> records = FakeVerbs.postedSends();
        for (int i = 0; i < records.size(); i++) {
            PostedSend posted = records.get(i);
            Expected expected = all.get(count - records.size() + i);
            assertEquals(expected.id, posted.wrId());
            assertEquals(List.of(0, 1, 2, 3, 4).get(expected.opcode), posted.opcode());
            assertEquals(expected.flags | 2, posted.flags() | 2, "apart from signals that were added");
            assertTrue((posted.flags() & expected.flags) == expected.flags);
            assertArrayEquals(expected.inline, posted.inlined());
            if ((expected.flags & 8) == 0) {
                assertEquals(expected.pieces, posted.elements());
            }
            if (expected.remote != 0) {
                assertEquals(expected.remote, posted.remoteAddress());
                assertEquals(remote.key().value(), posted.remoteKey());
            }
            if (expected.immediate != 0) {
                assertEquals(expected.immediate, posted.immediate());
            }
        }
    }

    // ---- signals ----

    @Test
    void shouldSignalTheRequestThatTakesTheLastSlot() {
        writes(8);
        assertEquals(8, sends.post());

        assertEquals(
                List.of(0, 0, 0, 0, 0, 0, 0, 2),
                FakeVerbs.postedSends().stream().map(PostedSend::flags).toList());
        assertEquals(1, drain());
        assertEquals(8, sends.available(), "it freed all before it");
    }

    @Test
    void shouldSignalTheLastSlotOfAPartialPost() {
        FakeVerbs.holdCompletions();
        writes(5);
        sends.post();
        writes(5);
        assertEquals(3, sends.post());

        assertTrue(FakeVerbs.postedSends().getLast().signaled());
        FakeVerbs.resume();
        drain();
        assertEquals(2, sends.post());
        assertFalse(FakeVerbs.postedSends().getLast().signaled(), "the rest is as it was staged");
    }

    @Test
    void shouldNeverStickWithUnsignalledRequests() {
        long posted = 0;
        long staged = 0;
        for (int round = 0; round < 500; round++) {
            writes(1 + round % 8);
            staged += sends.staged();
            while (sends.staged() > 0) {
                int went = sends.post();
                assertTrue(went > 0, "stuck");
                posted += went;
                drain();
            }
        }
        assertEquals(posted, FakeVerbs.postedSendCount());
        assertEquals(staged, posted);
    }

    @Test
    void shouldWaitForALateSignal() {
        FakeVerbs.holdCompletions();
        write(0);
        write(1).signaled();
        write(2);
        write(3);
        sends.post();
        assertEquals(4, sends.available());
        FakeVerbs.release(1);
        assertEquals(0, drain(), "silent");
        assertEquals(4, sends.available());
        FakeVerbs.release(1);
        FakeVerbs.delayPolls(2);
        assertEquals(0, completions.poll());
        assertEquals(0, completions.poll());
        assertEquals(4, sends.available());
        assertEquals(1, completions.poll());
        assertEquals(6, sends.available(), "the first two");
        write(4).signaled();
        sends.post();
        FakeVerbs.resume();
        drain();
        assertEquals(8, sends.available());
    }

    @Test
    void shouldCountByTheGrantedDepth() {
        FakeVerbs.grantMore(3, 0, 0, 0, 0);
        SendQueue larger = sends(connected());

        assertEquals(11, larger.available());
        for (int i = 0; i < 11; i++) {
            larger.write(i, memory, 0, 8, remote, 0);
        }
        assertEquals(11, larger.post());
        assertEquals(0, larger.available());
    }

    @Test
    void shouldTellRoomWithoutCountingWhatIsStaged() {
        writes(3);

        assertEquals(8, sends.available());
    }

    // ---- refusals ----

    @Test
    void shouldTellHowManyWereTakenWhenTheProviderNamesTheBadOne() {
        writes(6);
        FakeVerbs.acceptOnly(4, FakeVerbs.ENOMEM, true);

        VerbsException thrown = assertThrows(VerbsException.class, sends::post);
        assertEquals("ibv_post_send", thrown.operation());
        assertTrue(thrown.is(Errno.ENOMEM));
        assertEquals("6", thrown.arguments().get("posted"));
        assertEquals("4", thrown.arguments().get("accepted"));
        assertEquals("RTS", thrown.arguments().get("state"));
        assertEquals("RcQueuePair 17 of fake0", thrown.arguments().get("queue pair"));
        assertTrue(thrown.nextStep().orElseThrow().startsWith("poll completions, then post() again"));
        assertEquals(2, sends.staged());
        assertEquals(4, sends.available());
        assertEquals(2, sends.post());
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L), postedIds());
    }

    @Test
    void shouldKeepAllWhenTheFirstIsBad() {
        writes(3);
        FakeVerbs.acceptOnly(0, FakeVerbs.EINVAL, true);

        VerbsException thrown = assertThrows(VerbsException.class, sends::post);
        assertTrue(thrown.is(Errno.EINVAL));
        assertEquals("0", thrown.arguments().get("accepted"));
        assertEquals(
                "discard() what is staged, or query() the queue pair's state",
                thrown.nextStep().orElseThrow());
        assertEquals(3, sends.staged());
        assertEquals(8, sends.available());
        assertEquals(3, sends.post());
    }

    @Test
    void shouldTakeAllForPostedWhenTheProviderNamesNone() {
        writes(3);
        FakeVerbs.acceptOnly(1, EIO, false);

        VerbsException thrown = assertThrows(VerbsException.class, sends::post);
        assertEquals("3", thrown.arguments().get("accepted"));
        assertEquals(0, sends.staged());
        assertEquals(5, sends.available());
    }

    @Test
    void shouldNotTakeAnOldBadOneForTheNewOne() {
        writes(4);
        FakeVerbs.acceptOnly(1, FakeVerbs.ENOMEM, true);
        assertThrows(VerbsException.class, sends::post);
        FakeVerbs.acceptOnly(0, EIO, false);

        assertEquals(
                "3", assertThrows(VerbsException.class, sends::post).arguments().get("accepted"));
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldWorkOnAfterAFullProvider() {
        FakeVerbs.sendQueueFull();
        writes(2);
        for (int i = 0; i < 3; i++) {
            assertThrows(VerbsException.class, sends::post);
            assertEquals(2, sends.staged());
        }
        FakeVerbs.acceptAll();
        assertEquals(2, sends.post());
    }

    // ---- states ----

    @Test
    void shouldOnlyPostWhereItMay() {
        RcQueuePair other = queuePair();
        SendQueue early = sends(other);
        early.write(1, memory, 0, 8, remote, 0);
        String hint = "; lead it there with initialize and connect";
        assertEquals(
                "sends need RTS, RcQueuePair 18 of fake0 is in RESET" + hint,
                assertThrows(IllegalStateException.class, early::post).getMessage());
        QueuePairAddress mine = other.initialize(gid());
        assertEquals(
                "sends need RTS, RcQueuePair 18 of fake0 is in INIT" + hint,
                assertThrows(IllegalStateException.class, early::post).getMessage());
        FakeVerbs.failNext("ibv_modify_qp", FakeVerbs.EINVAL, 1);
        assertThrows(VerbsException.class, () -> other.connect(mine, RcPath.defaults()));
        assertEquals(
                "sends need RTS, RcQueuePair 18 of fake0 is in RTR" + hint,
                assertThrows(IllegalStateException.class, early::post).getMessage());
        other.reset();
        connected(other);
        assertEquals(1, early.post(), "it was staged all the time");
        other.modify(Transition.to(QueuePairState.SQD));
        early.write(2, memory, 0, 8, remote, 0);
        assertEquals(1, early.post());
        other.toError();
        early.write(3, memory, 0, 8, remote, 0);
        assertTrue(assertThrows(IllegalStateException.class, early::post)
                .getMessage()
                .startsWith("sends need RTS, RcQueuePair 18 of fake0 is in ERR"));
        assertEquals(2, FakeVerbs.calls("ibv_post_send"));
    }

    @Test
    void shouldGiveTheFirstFailureAsTheCause() {
        FakeVerbs.failNextSend(WorkStatus.REM_ACCESS_ERR.code());
        write(7);
        sends.post();
        write(8);
        assertEquals(1, completions.poll());

        IllegalStateException thrown = assertThrows(IllegalStateException.class, sends::post);
        assertEquals(
                "sends need RTS, RcQueuePair 17 of fake0 is in ERR: it failed earlier, see the cause; reset() it and"
                        + " connect again",
                thrown.getMessage());
        WorkFailedException first = (WorkFailedException) thrown.getCause();
        assertEquals(7, first.id());
        assertSame(first, queuePair.firstFailure().orElseThrow());
    }

    @Test
    void shouldBeginAnewAfterAReset() {
        FakeVerbs.holdCompletions();
        for (int id = 0; id < 8; id++) {
            write(id).signaled();
        }
        sends.post();
        assertEquals(0, sends.available());
        queuePair.reset();
        connected(queuePair);
        FakeVerbs.resume();

        assertEquals(8, sends.available());
        writes(8);
        assertEquals(8, sends.post());
        assertEquals(1, drain());
        assertEquals(8, sends.available());
    }

    @Test
    void shouldWorkOnAfterAFailureAndAReset() {
        FakeVerbs.failNextSend(WorkStatus.REM_OP_ERR.code());
        write(1).signaled();
        write(2).signaled();
        sends.post();
        queuePair.reset();
        while (completions.poll() > 0) {
            continue; // until it is empty, as reset() asks for
        }
        assertEquals(QueuePairState.RESET, queuePair.state(), "late flushes say nothing of the new life");
        assertTrue(queuePair.firstFailure().isEmpty());

        connected(queuePair);
        write(3).signaled();
        assertEquals(1, sends.post());
        assertEquals(1, drain());
    }

    @Test
    void shouldOutliveAnotherOwner() throws Exception {
        FakeVerbs.holdCompletions();
        writes(5);
        sends.post();
        write(5);
        sends.release();
        SendQueue same = elsewhere(() -> {
            sends.acquire();
            write(6);
            assertEquals(2, sends.staged());
            sends.release();
            return sends;
        });
        same.acquire();
        assertEquals(2, same.post());
        assertEquals(1, same.available());
    }

    @Test
    void shouldKeepCountingForTheNextSendQueue() {
        FakeVerbs.holdCompletions();
        writes(3);
        sends.post();
        sends.close();

        SendQueue next = sends(queuePair);
        assertEquals(5, next.available(), "the slots are the queue pair's");
    }
}
