package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import io.github.verbs4j.fake.Sge;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each operation and modifier, as C gets it, and what is refused before. */
class SendQueueStagingTest extends FakeDevice {
    private static final int FENCE = 1;
    private static final int SIGNALED = 2;
    private static final int SOLICITED = 4;
    private static final int INLINE = 8;
    private static final RemoteRegion REMOTE = new RemoteRegion(0x7000_0000_0000L, 1000, new RemoteKey(0x89abcdef));
    private static final long ID = 0x8123_4567_89ab_cdefL;

    private RcQueuePair queuePair;
    private SendQueue sends;

    @BeforeEach
    void fill() {
        FakeVerbs.holdCompletions();
        queuePair = connected();
        sends = sends(queuePair);
        for (int i = 0; i < 4096; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
        }
    }

    private PostedSend posted() {
        int staged = sends.staged();
        assertEquals(staged, sends.post());
        assertEquals(0, sends.staged());
        return FakeVerbs.postedSends().getLast();
    }

    private Sge piece(long offset, int length) {
        return new Sge(memory.address() + offset, length, memory.localKey().value());
    }

    private byte[] bytes(int from, int to) {
        return memory.segment().asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    }

    private void assertPosted(PostedSend posted, int opcode, int flags, Sge... pieces) {
        assertEquals(ID, posted.wrId());
        assertEquals(queuePair.number(), posted.qpNum());
        assertEquals(opcode, posted.opcode());
        assertEquals(flags, posted.flags());
        assertEquals(List.of(pieces), posted.elements());
    }

    private static String refused(Class<? extends Throwable> type, Executable staging) {
        return assertThrows(type, staging).getMessage();
    }

    // ---- operations ----

    @Test
    void shouldStageASend() {
        sends.send(ID, memory, 100, 50);

        assertPosted(posted(), 2, 0, piece(100, 50));
    }

    @Test
    void shouldStageASendWithImmediate() {
        sends.sendImmediate(ID, memory, 0, 4096, 0x01020304);
        PostedSend posted = posted();

        assertPosted(posted, 3, 0, piece(0, 4096));
        assertEquals(0x04030201, posted.immediate(), "network order in the memory of a little-endian machine");
        assertArrayEquals(
                new byte[] {1, 2, 3, 4}, Arrays.copyOfRange(posted.raw().toArray(ValueLayout.JAVA_BYTE), 36, 40));
    }

    @Test
    void shouldStageAWrite() {
        sends.write(ID, memory, 7, 3, REMOTE, 997);
        PostedSend posted = posted();

        assertPosted(posted, 0, 0, piece(7, 3));
        assertEquals(REMOTE.address() + 997, posted.remoteAddress());
        assertEquals(0x89abcdef, posted.remoteKey());
    }

    @Test
    void shouldStageAWriteWithImmediate() {
        sends.writeImmediate(ID, memory, 7, 3, REMOTE, 0, -2);
        PostedSend posted = posted();

        assertPosted(posted, 1, 0, piece(7, 3));
        assertEquals(REMOTE.address(), posted.remoteAddress());
        assertEquals(0x89abcdef, posted.remoteKey());
        assertEquals(0xfeffffff, posted.immediate());
    }

    @Test
    void shouldStageARead() {
        sends.read(ID, memory, 4000, 96, REMOTE, 904);
        PostedSend posted = posted();

        assertPosted(posted, 4, 0, piece(4000, 96));
        assertEquals(REMOTE.address() + 904, posted.remoteAddress());
        assertEquals(0x89abcdef, posted.remoteKey());
    }

    // ---- modifiers ----

    @Test
    void shouldModifyTheLastRequest() {
        sends.send(ID, memory, 0, 1).signaled();
        assertPosted(posted(), 2, SIGNALED, piece(0, 1));
        sends.send(ID, memory, 0, 1).fence();
        assertPosted(posted(), 2, FENCE, piece(0, 1));
        sends.send(ID, memory, 0, 1).solicited();
        assertPosted(posted(), 2, SOLICITED, piece(0, 1));
        sends.send(ID, memory, 0, 1).solicited().fence().signaled().signaled().fence();
        assertPosted(posted(), 2, SIGNALED | FENCE | SOLICITED, piece(0, 1));
        sends.send(ID, memory, 0, 1);
        assertPosted(posted(), 2, 0, piece(0, 1));
    }

    @Test
    void shouldModifyOnlyTheLastRequest() {
        sends.send(1, memory, 0, 1).send(2, memory, 0, 1).fence().send(3, memory, 0, 1);
        sends.post();

        assertEquals(
                List.of(0, FENCE, 0),
                FakeVerbs.postedSends().stream().map(PostedSend::flags).toList());
    }

    @Test
    void shouldRefuseModifiersWithoutARequest() {
        assertEquals(
                "signaled() modifies a staged request, and none is: SendQueue of RcQueuePair 17 of fake0",
                refused(IllegalStateException.class, sends::signaled));
        assertTrue(refused(IllegalStateException.class, sends::fence).startsWith("fence() modifies"));
        assertTrue(refused(IllegalStateException.class, sends::solicited).startsWith("solicited() modifies"));
        assertTrue(refused(IllegalStateException.class, sends::inline).startsWith("inline() modifies"));
        assertTrue(refused(IllegalStateException.class, () -> sends.and(memory, 0, 1))
                .startsWith("and() modifies"));
        sends.send(ID, memory, 0, 1);
        sends.post();
        assertThrows(IllegalStateException.class, sends::signaled, "it is gone");
    }

    // ---- pieces ----

    @Test
    void shouldGatherPieces() {
        try (MemoryRegion other = domain.allocate(64, AccessFlag.LOCAL_WRITE)) {
            sends.send(ID, memory, 0, 10).and(other, 1, 2).and(memory, 100, 20).and(memory, 5, 5);

            assertPosted(
                    posted(),
                    2,
                    0,
                    piece(0, 10),
                    new Sge(other.address() + 1, 2, other.localKey().value()),
                    piece(100, 20),
                    piece(5, 5));
        }
    }

    @Test
    void shouldRefuseMorePiecesThanGranted() {
        sends.send(ID, memory, 0, 1).and(memory, 1, 1).and(memory, 2, 1).and(memory, 3, 1);

        assertEquals(
                "RcQueuePair 17 of fake0 was created for sends of 4 pieces; ask for more with"
                        + " QueuePairOptions.segments",
                refused(IllegalArgumentException.class, () -> sends.and(memory, 4, 1)));
        sends.and(memory, 4, 0);
        assertPosted(posted(), 2, 0, piece(0, 1), piece(1, 1), piece(2, 1), piece(3, 1));
    }

    @Test
    void shouldStageEmptyRequestsWithoutPieces() {
        sends.send(ID, memory, 4096, 0);
        assertPosted(posted(), 2, 0);
        sends.write(ID, memory, 0, 0, REMOTE, 1000);
        assertPosted(posted(), 0, 0);
        sends.send(ID, memory, 0, 0).and(memory, 9, 1).and(memory, 0, 0);
        assertPosted(posted(), 2, 0, piece(9, 1));
        sends.send(ID, memory, 0, 0).inline();
        assertPosted(posted(), 2, INLINE);
    }

    // ---- inline ----

    @Test
    void shouldCarryInlineData() {
        sends.send(ID, memory, 10, 64).inline();
        PostedSend posted = posted();

        assertEquals(2, posted.opcode());
        assertEquals(INLINE, posted.flags());
        assertEquals(1, posted.elements().size());
        assertEquals(64, posted.elements().getFirst().length());
        assertArrayEquals(bytes(10, 74), posted.inlined());
    }

    @Test
    void shouldCopyInlineDataAtOnce() {
        byte[] before = bytes(0, 8);
        sends.write(ID, memory, 0, 8, REMOTE, 0).inline().signaled();
        memory.segment().fill((byte) -1);
        PostedSend posted = posted();

        assertEquals(INLINE | SIGNALED, posted.flags());
        assertArrayEquals(before, posted.inlined());
        assertEquals(REMOTE.address(), posted.remoteAddress());
    }

    @Test
    void shouldCopyInlineDataOfTheRequestThatIsStaged() {
        try (MemoryRegion other = domain.allocate(64, AccessFlag.LOCAL_WRITE)) {
            sends.send(ID, memory, 10, 8);
            assertThrows(IndexOutOfBoundsException.class, () -> sends.send(ID, other, 0, 65));
            sends.inline();

            assertArrayEquals(bytes(10, 18), posted().inlined());
        }
    }

    @Test
    void shouldGatherInlineData() {
        sends.send(ID, memory, 0, 10).inline().and(memory, 100, 20).inline().and(memory, 7, 1);
        PostedSend posted = posted();

        byte[] expected = Arrays.copyOf(bytes(0, 10), 31);
        System.arraycopy(bytes(100, 120), 0, expected, 10, 20);
        expected[30] = bytes(7, 8)[0];
        assertArrayEquals(expected, posted.inlined());
        assertEquals(1, posted.elements().size());
    }

    @Test
    void shouldCarryMoreInlinePiecesThanSegments() {
        sends.send(ID, memory, 0, 1).inline();
        for (int i = 1; i < 64; i++) {
            sends.and(memory, i, 1);
        }
        assertArrayEquals(bytes(0, 64), posted().inlined());
    }

    @Test
    void shouldRefuseTooMuchInlineDataAndLeaveTheRequestAsItWas() {
        sends.send(ID, memory, 0, 65);
        assertEquals(
                "65 bytes of inline data: RcQueuePair 17 of fake0 was created for 64; ask for more with"
                        + " QueuePairOptions.inline",
                refused(IllegalArgumentException.class, sends::inline));
        assertPosted(posted(), 2, 0, piece(0, 65));

        sends.send(ID, memory, 0, 60).inline();
        assertTrue(refused(IllegalArgumentException.class, () -> sends.and(memory, 0, 5))
                .startsWith("65 bytes of inline data"));
        assertArrayEquals(bytes(0, 60), posted().inlined());
    }

    @Test
    void shouldRefuseInlineWhereItCannotBe() {
        sends.read(ID, memory, 0, 1, REMOTE, 0);
        String message =
                "inline() is for sends and writes, and comes before and(): SendQueue of RcQueuePair 17 of fake0,"
                        + " request ";
        assertEquals(message + "0", refused(IllegalStateException.class, sends::inline));
        sends.send(ID, memory, 0, 1).and(memory, 5, 1);
        assertEquals(message + "1", refused(IllegalStateException.class, sends::inline));
    }

    @Test
    void shouldInlineTheOnlyPieceThatIsNotEmpty() {
        try (MemoryRegion other = domain.allocate(64, AccessFlag.LOCAL_WRITE)) {
            other.segment().set(ValueLayout.JAVA_BYTE, 3, (byte) 42);
            sends.send(ID, memory, 0, 0).and(other, 3, 1).inline();
        }
        assertArrayEquals(new byte[] {42}, posted().inlined());
    }

    @Test
    void shouldGrantInlineAsTheDeviceDoes() {
        FakeVerbs.grantMore(0, 0, 0, 36, 0);
        SendQueue larger = sends(connected());
        larger.send(ID, memory, 0, 100).inline();
        assertThrows(IllegalArgumentException.class, () -> larger.and(memory, 0, 1));
        larger.post();
        assertArrayEquals(bytes(0, 100), FakeVerbs.postedSends().getLast().inlined());
    }

    // ---- bounds ----

    @ParameterizedTest
    @CsvSource({
        "0, 4097",
        "4096, 1",
        "4097, 0",
        "-1, 1",
        "0, -1",
        "9223372036854775807, 1",
        "9223372036854775807, 9223372036854775807",
        "1, 9223372036854775807",
        "-9223372036854775808, 0",
        "4095, -9223372036854775808"
    })
    void shouldRefuseLocalMemoryOutOfBounds(long offset, long length) {
        List<Executable> all = List.of(
                () -> sends.send(1, memory, offset, length),
                () -> sends.sendImmediate(1, memory, offset, length, 1),
                () -> sends.write(1, memory, offset, length, new RemoteRegion(0, Long.MAX_VALUE, REMOTE.key()), 0),
                () -> sends.writeImmediate(
                        1, memory, offset, length, new RemoteRegion(0, Long.MAX_VALUE, REMOTE.key()), 0, 1),
                () -> sends.read(1, memory, offset, length, new RemoteRegion(0, Long.MAX_VALUE, REMOTE.key()), 0));
        String message = "offset=" + offset + ", length=" + length
                + " is outside of MemoryRegion 1 (4096 bytes) of fake0: 0..4096";
        for (Executable staging : all) {
            assertEquals(message, refused(IndexOutOfBoundsException.class, staging));
            assertEquals(0, sends.staged());
        }
        sends.send(ID, memory, 0, 1);
        assertEquals(message, refused(IndexOutOfBoundsException.class, () -> sends.and(memory, offset, length)));
        assertPosted(posted(), 2, 0, piece(0, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1001",
        "1000, 1",
        "1001, 0",
        "-1, 1",
        "9223372036854775807, 1",
        "-9223372036854775808, 1",
        "9223372036854775807, 4096"
    })
    void shouldRefuseRemoteMemoryOutOfBounds(long offset, long length) {
        for (Executable staging : List.<Executable>of(
                () -> sends.write(1, memory, 0, length, REMOTE, offset),
                () -> sends.writeImmediate(1, memory, 0, length, REMOTE, offset, 1),
                () -> sends.read(1, memory, 0, length, REMOTE, offset))) {
            assertEquals(
                    "remoteOffset=" + offset + ", length=" + length + " is outside of " + REMOTE + ": 0..1000",
                    refused(IndexOutOfBoundsException.class, staging));
        }
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldRefusePiecesThatTogetherGoOverTheRemoteEnd() {
        sends.write(ID, memory, 0, 10, REMOTE, 980).and(memory, 0, 10);
        assertEquals(
                "the pieces together, 21 bytes, go over the remote memory's end by 1",
                refused(IndexOutOfBoundsException.class, () -> sends.and(memory, 0, 1)));
        assertPosted(posted(), 0, 0, piece(0, 10), piece(0, 10));

        sends.write(ID, memory, 0, 10, REMOTE, 990).inline();
        assertThrows(IndexOutOfBoundsException.class, () -> sends.and(memory, 0, 1));
        sends.send(ID, memory, 0, 4096).and(memory, 0, 4096);
    }

    @Test
    void shouldRefuseMessagesThatNoPortCarries() {
        FakeVerbs.deviceNumber(0, "port.max_msg_sz", 2000);
        SendQueue narrow = sends(connected());

        assertEquals(
                "length=2001 is over the longest message of fake0, 2000 bytes (max_msg_sz); send it in parts",
                refused(IllegalArgumentException.class, () -> narrow.send(1, memory, 0, 2001)));
        narrow.send(1, memory, 0, 2000);
        assertThrows(IllegalArgumentException.class, () -> narrow.and(memory, 0, 1));
    }

    @Test
    void shouldStageUnsignedLengths() {
        FakeVerbs.deviceNumber(0, "port.max_msg_sz", 0xffff_ffffL);
        SendQueue wide = sends(connected());
        MemoryRegion large = keep(domain.allocate(5L << 30));

        wide.send(ID, large, 1L << 29, 0xffff_ffffL);
        assertThrows(IllegalArgumentException.class, () -> wide.send(1, large, 0, 1L << 32));
        assertThrows(IllegalArgumentException.class, () -> wide.and(large, 0, 1), "4294967296 together");
        wide.post();
        assertEquals(
                new Sge(large.address() + (1L << 29), -1, large.localKey().value()),
                FakeVerbs.postedSends().getLast().elements().getFirst());
    }

    // ---- memory that does not fit ----

    @Test
    void shouldRefuseMemoryOfAnotherDomain() {
        try (ProtectionDomain other = context.allocateProtectionDomain();
                MemoryRegion foreign = other.allocate(8, ALL)) {
            String message =
                    "MemoryRegion 2 (8 bytes) of fake0 belongs to ProtectionDomain 2 of fake0, the queue pair to"
                            + " ProtectionDomain 1 of fake0: register the memory there";
            assertEquals(message, refused(IllegalArgumentException.class, () -> sends.send(1, foreign, 0, 8)));
            assertEquals(
                    message, refused(IllegalArgumentException.class, () -> sends.write(1, foreign, 0, 8, REMOTE, 0)));
            assertEquals(
                    message, refused(IllegalArgumentException.class, () -> sends.read(1, foreign, 0, 8, REMOTE, 0)));
            sends.send(1, memory, 0, 8);
            assertEquals(message, refused(IllegalArgumentException.class, () -> sends.and(foreign, 0, 8)));
        }
    }

    @Test
    void shouldRefuseMemoryThatIsClosed() {
        MemoryRegion closed = domain.allocate(8, ALL);
        closed.close();
        String message = "MemoryRegion 2 (8 bytes) of fake0 is closed";

        assertEquals(message, refused(IllegalStateException.class, () -> sends.send(1, closed, 0, 8)));
        assertEquals(message, refused(IllegalStateException.class, () -> sends.send(1, closed, 0, 0)));
        assertEquals(message, refused(IllegalStateException.class, () -> sends.write(1, closed, 0, 8, REMOTE, 0)));
        assertEquals(message, refused(IllegalStateException.class, () -> sends.read(1, closed, 0, 8, REMOTE, 0)));
        sends.send(1, memory, 0, 8);
        assertEquals(message, refused(IllegalStateException.class, () -> sends.and(closed, 0, 8)));
        assertEquals(1, sends.staged());
    }

    @Test
    void shouldRefuseToInlineMemoryThatWasClosedSince() {
        MemoryRegion region = domain.allocate(8, ALL);
        sends.send(ID, region, 0, 8);
        region.close();

        assertThrows(IllegalStateException.class, sends::inline);
        assertEquals(1, sends.staged());
    }

    @Test
    void shouldReadOnlyIntoMemoryThatTheDeviceMayWrite() {
        try (MemoryRegion readOnly = domain.allocate(8, AccessFlag.REMOTE_READ)) {
            String message =
                    "MemoryRegion 2 (8 bytes) of fake0 was registered with [REMOTE_READ]: the device writes here,"
                            + " so it needs LOCAL_WRITE";
            assertEquals(
                    message, refused(IllegalArgumentException.class, () -> sends.read(1, readOnly, 0, 8, REMOTE, 0)));
            sends.read(1, memory, 0, 8, REMOTE, 0);
            assertEquals(message, refused(IllegalArgumentException.class, () -> sends.and(readOnly, 0, 8)));
            sends.write(1, readOnly, 0, 8, REMOTE, 0).and(readOnly, 0, 8);
            sends.send(1, readOnly, 0, 8);
            assertEquals(3, sends.post());
        }
    }

    @Test
    void shouldRefuseMoreRequestsThanThereAre() {
        for (int i = 0; i < 8; i++) {
            sends.send(i, memory, 0, 1);
        }
        for (Executable staging :
                List.<Executable>of(() -> sends.send(9, memory, 0, 1), () -> sends.write(9, memory, 0, 1, REMOTE, 0))) {
            assertEquals(
                    "SendQueue of RcQueuePair 17 of fake0: 8 requests are staged, all it has; post() first",
                    refused(IllegalStateException.class, staging));
        }
        assertEquals(8, sends.staged());
        sends.discard();
        assertEquals(0, sends.staged());
        assertEquals(0, sends.post());
        assertEquals(0, FakeVerbs.calls("ibv_post_send"));
        sends.send(ID, memory, 0, 1);
        assertPosted(posted(), 2, 0, piece(0, 1));
    }

    @Test
    void shouldForgetSignalsWithWhatIsDiscarded() {
        sends.send(1, memory, 0, 1).signaled().send(2, memory, 0, 1).signaled();
        sends.discard();
        sends.send(3, memory, 0, 1).send(4, memory, 0, 1);
        sends.post();

        assertEquals(
                List.of(0, 0),
                FakeVerbs.postedSends().stream().map(PostedSend::flags).toList());
        assertEquals(6, sends.available());
    }
}
