package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedReceive;
import io.github.verbs4j.fake.Sge;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The queue holds 8 receives of 4 pieces. */
class ReceiveQueueTest extends FakeDevice {
    private static final long ID = 0x8123_4567_89ab_cdefL;

    private RcQueuePair queuePair;
    private ReceiveQueue receives;
    private SendQueue sends;
    private Completions completions;

    @BeforeEach
    void connect() {
        queuePair = connected(queuePair(options().depth(900, 8)));
        receives = receives(queuePair);
        sends = sends(queuePair);
        completions = completions();
    }

    private void stage(int from, int to) {
        for (int id = from; id < to; id++) {
            receives.receive(id, memory, 0, 64);
        }
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            sends.send(1000, memory, 0, 8);
            assertEquals(1, sends.post());
        }
    }

    private int drain() {
        int sum = 0;
        for (int polled = completions.poll(); polled > 0; polled = completions.poll()) {
            sum += polled;
        }
        return sum;
    }

    private Sge piece(long offset, int length) {
        return new Sge(memory.address() + offset, length, memory.localKey().value());
    }

    private static String refused(Class<? extends Throwable> type, Executable staging) {
        return assertThrows(type, staging).getMessage();
    }

    @Test
    void shouldPostABatchInOneCall() {
        receives.receive(ID, memory, 100, 50).receive(2, memory, 0, 4096);

        assertEquals(2, receives.post());
        assertEquals(0, receives.staged());
        assertEquals(1, FakeVerbs.calls("ibv_post_recv"));
        assertEquals(
                List.of(
                        new PostedReceive(17, ID, List.of(piece(100, 50))),
                        new PostedReceive(17, 2, List.of(piece(0, 4096)))),
                FakeVerbs.postedReceives());
        assertEquals(6, receives.available());
        assertEquals(0, receives.post());
    }

    @Test
    void shouldScatterOverPieces() {
        receives.receive(1, memory, 0, 1)
                .and(memory, 10, 2)
                .and(memory, 20, 0)
                .and(memory, 30, 3)
                .and(memory, 40, 4);
        assertEquals(
                "RcQueuePair 17 of fake0 was created for receives of 4 pieces; ask for more with"
                        + " QueuePairOptions.segments",
                refused(IllegalArgumentException.class, () -> receives.and(memory, 0, 1)));
        receives.receive(2, memory, 4096, 0);
        receives.post();

        assertEquals(
                List.of(
                        new PostedReceive(17, 1, List.of(piece(0, 1), piece(10, 2), piece(30, 3), piece(40, 4))),
                        new PostedReceive(17, 2, List.of())),
                FakeVerbs.postedReceives());
    }

    @Test
    void shouldTakeAMessage() {
        memory.segment().setString(0, "hello");
        receives.receive(1, memory, 1000, 3).and(memory, 2000, 64).post();
        sends.send(2, memory, 0, 6).signaled().post();

        assertEquals(2, completions.poll());
        assertEquals("lo", memory.segment().getString(2000));
        assertEquals(8, receives.available());
    }

    @Test
    void shouldPostWhatThereIsRoomForAndKeepTheRest() {
        stage(0, 6);
        receives.post();
        stage(6, 12);

        assertEquals(2, receives.post());
        assertEquals(4, receives.staged());
        assertEquals(0, receives.post());
        assertEquals(2, FakeVerbs.calls("ibv_post_recv"), "C is not asked when it is full");
        send(3);
        assertEquals(0, receives.post(), "done, but not polled");
        assertEquals(3, drain());
        assertEquals(3, receives.available());
        assertEquals(3, receives.post());
        send(8);
        drain();
        assertEquals(1, receives.post());
        assertEquals(
                List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L),
                FakeVerbs.postedReceives().stream().map(PostedReceive::wrId).toList());
    }

    @Test
    void shouldKeepOrderAndContents() {
        Random random = new Random(3);
        List<PostedReceive> expected = new ArrayList<>();
        for (int round = 0; round < 250; round++) {
            for (int fresh = random.nextInt(8 - receives.staged() + 1); fresh > 0; fresh--) {
                List<Sge> pieces = new ArrayList<>();
                int first = 8 + random.nextInt(8);
                receives.receive(expected.size(), memory, first, first);
                pieces.add(piece(first, first));
                for (int more = random.nextInt(4); more > 0; more--) {
                    receives.and(memory, 100 * more, more);
                    pieces.add(piece(100 * more, more));
                }
                expected.add(new PostedReceive(17, expected.size(), pieces));
            }
            if (random.nextInt(4) == 0) {
                FakeVerbs.acceptOnlyReceives(random.nextInt(3), FakeVerbs.ENOMEM, true);
            }
            int before = receives.staged();
            try {
                assertEquals(before, receives.post() + receives.staged());
            } catch (VerbsException refused) {
                assertEquals(
                        before - receives.staged(),
                        Integer.parseInt(refused.arguments().get("accepted")));
            }
            FakeVerbs.acceptAll();
            send(random.nextInt(8 - receives.available() + 1));
            drain();
        }
        List<PostedReceive> posted = FakeVerbs.postedReceives();
        assertTrue(posted.size() > 300);
        int first = (int) posted.getFirst().wrId();
        assertEquals(expected.subList(first, first + posted.size()), posted);
    }

    @Test
    void shouldTellHowManyWereTaken() {
        stage(0, 5);
        FakeVerbs.acceptOnlyReceives(2, FakeVerbs.ENOMEM, true);
        VerbsException thrown = assertThrows(VerbsException.class, receives::post);
        assertEquals("ibv_post_recv", thrown.operation());
        assertTrue(thrown.is(Errno.ENOMEM));
        assertEquals("5", thrown.arguments().get("posted"));
        assertEquals("2", thrown.arguments().get("accepted"));
        assertEquals(3, receives.staged());
        assertEquals(6, receives.available());

        FakeVerbs.acceptOnlyReceives(1, EIO, false);
        thrown = assertThrows(VerbsException.class, receives::post);
        assertEquals("3", thrown.arguments().get("accepted"), "none named: all taken");
        assertEquals(0, receives.staged());
        assertEquals(3, receives.available());
    }

    @Test
    void shouldOnlyPostWhereItMay() {
        RcQueuePair other = queuePair();
        ReceiveQueue early = receives(other);
        for (int id = 0; id < 4; id++) {
            early.receive(id, memory, 0, 8);
        }
        assertEquals(
                "receives need INIT, RTR or RTS, RcQueuePair 18 of fake0 is in RESET; lead it there with initialize and"
                        + " connect",
                assertThrows(IllegalStateException.class, early::post).getMessage());
        QueuePairAddress mine = other.initialize(gid());
        assertEquals(4, early.post());
        FakeVerbs.failNext("ibv_modify_qp", FakeVerbs.EINVAL, 1);
        assertThrows(VerbsException.class, () -> other.connect(mine, RcPath.defaults()));
        assertEquals(QueuePairState.RTR, other.state());
        assertEquals(1, early.receive(5, memory, 0, 8).post());
        other.toError();
        early.receive(6, memory, 0, 8);
        assertTrue(assertThrows(IllegalStateException.class, early::post)
                .getMessage()
                .startsWith("receives need INIT, RTR or RTS, RcQueuePair 18 of fake0 is in ERR"));
        assertEquals(2, FakeVerbs.calls("ibv_post_recv"));
    }

    @Test
    void shouldBeginAnewAfterAReset() {
        stage(0, 8);
        receives.post();
        assertEquals(0, receives.available());
        queuePair.reset();
        queuePair.initialize(gid());

        assertEquals(8, receives.available());
        stage(0, 8);
        assertEquals(8, receives.post());
        assertEquals(0, receives.available());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4097",
        "4096, 1",
        "4097, 0",
        "-1, 1",
        "0, -1",
        "9223372036854775807, 1",
        "1, 9223372036854775807",
        "-9223372036854775808, 0"
    })
    void shouldRefuseMemoryOutOfBounds(long offset, long length) {
        String message = "offset=" + offset + ", length=" + length
                + " is outside of MemoryRegion 1 (4096 bytes) of fake0: 0..4096";

        assertEquals(
                message, refused(IndexOutOfBoundsException.class, () -> receives.receive(1, memory, offset, length)));
        assertEquals(0, receives.staged());
        receives.receive(1, memory, 0, 1);
        assertEquals(message, refused(IndexOutOfBoundsException.class, () -> receives.and(memory, offset, length)));
    }

    @Test
    void shouldRefusePiecesOverTheFieldOfC() {
        MemoryRegion large = keep(domain.allocate(5L << 30, AccessFlag.LOCAL_WRITE));

        assertEquals(
                "length=4294967296: a piece of memory in a receive has at most 4294967295 bytes",
                refused(IllegalArgumentException.class, () -> receives.receive(1, large, 0, 1L << 32)));
        receives.receive(1, large, 1L << 29, 0xffff_ffffL).post();
        assertEquals(
                new Sge(large.address() + (1L << 29), -1, large.localKey().value()),
                FakeVerbs.postedReceives().getLast().elements().getFirst());
    }

    @Test
    void shouldRefuseMemoryThatDoesNotFit() {
        try (ProtectionDomain other = context.allocateProtectionDomain();
                MemoryRegion foreign = other.allocate(8, ALL);
                MemoryRegion readOnly = domain.allocate(8, AccessFlag.REMOTE_READ)) {
            MemoryRegion closed = domain.allocate(8, ALL);
            closed.close();
            List<String> messages = List.of(
                    "MemoryRegion 2 (8 bytes) of fake0 belongs to ProtectionDomain 2 of fake0, the queue pair to"
                            + " ProtectionDomain 1 of fake0: register the memory there",
                    "MemoryRegion 3 (8 bytes) of fake0 was registered with [REMOTE_READ]: the device writes here, so it"
                            + " needs LOCAL_WRITE",
                    "MemoryRegion 4 (8 bytes) of fake0 is closed");
            List<MemoryRegion> regions = List.of(foreign, readOnly, closed);
            receives.receive(1, memory, 0, 8);
            for (int i = 0; i < 3; i++) {
                MemoryRegion region = regions.get(i);
                Class<? extends Exception> type = i == 2 ? IllegalStateException.class : IllegalArgumentException.class;
                assertEquals(messages.get(i), refused(type, () -> receives.receive(2, region, 0, 8)));
                assertEquals(messages.get(i), refused(type, () -> receives.and(region, 0, 8)));
            }
            assertEquals(1, receives.staged());
        }
    }

    @Test
    void shouldRefuseMoreReceivesThanThereAre() {
        stage(0, 8);
        assertEquals(
                "ReceiveQueue of RcQueuePair 17 of fake0: 8 receives are staged, all it has; post() first",
                refused(IllegalStateException.class, () -> stage(8, 9)));
        receives.discard();
        assertEquals(0, receives.staged());
        assertEquals(0, receives.post());
        assertEquals(
                "and() adds to a staged receive, and none is: ReceiveQueue of RcQueuePair 17 of fake0",
                refused(IllegalStateException.class, () -> receives.and(memory, 0, 1)));
    }
}
