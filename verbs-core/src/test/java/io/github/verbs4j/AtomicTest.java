package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import io.github.verbs4j.fake.Sge;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compare and swap, fetch and add: as C gets them, what they do, and what is refused before. */
class AtomicTest extends FakeDevice {
    private static final RemoteRegion REMOTE = new RemoteRegion(0x7000_0000_0000L, 1000, new RemoteKey(0x89abcdef));
    private static final long ID = 0x8123_4567_89ab_cdefL;

    private MemoryRegion shared;
    private SendQueue sends;

    @BeforeEach
    void connectForAtomics() {
        shared = keep(domain.allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC));
        RcQueuePair queuePair = queuePair();
        queuePair.connect(queuePair.initialize(gid(), Set.of(AccessFlag.REMOTE_ATOMIC)), RcPath.defaults());
        sends = sends(queuePair);
    }

    private PostedSend posted() {
        FakeVerbs.absentPeersSucceed();
        FakeVerbs.holdCompletions();
        assertEquals(1, sends.post());
        return FakeVerbs.postedSends().getLast();
    }

    private static long read(MemoryRegion region, long offset) {
        return region.segment().get(ValueLayout.JAVA_LONG, offset);
    }

    private static void write(MemoryRegion region, long offset, long value) {
        region.segment().set(ValueLayout.JAVA_LONG, offset, value);
    }

    private void run(WorkOpcode expected) {
        sends.signaled().post();
        try (Completions completions = Completions.over(queue, 4)) {
            assertEquals(1, completions.poll());
            completions.next();
            completions.requireSuccess();
            assertEquals(expected, completions.opcode());
        }
    }

    @Test
    void shouldStageACompareAndSwap() {
        sends.compareAndSwap(ID, memory, 24, REMOTE, 992, -2, 0x0102_0304_0506_0708L);
        PostedSend posted = posted();

        assertEquals(ID, posted.wrId());
        assertEquals(5, posted.opcode());
        assertEquals(List.of(new Sge(memory.address() + 24, 8, memory.localKey().value())), posted.elements());
        assertEquals(REMOTE.address() + 992, posted.remoteAddress());
        assertEquals(REMOTE.key().value(), posted.atomicRemoteKey());
        assertEquals(-2, posted.compareAdd());
        assertEquals(0x0102_0304_0506_0708L, posted.swap());
    }

    @Test
    void shouldStageAFetchAndAdd() {
        sends.fetchAndAdd(ID, memory, 4088, REMOTE, 0, Long.MIN_VALUE);
        PostedSend posted = posted();

        assertEquals(6, posted.opcode());
        assertEquals(
                List.of(new Sge(memory.address() + 4088, 8, memory.localKey().value())), posted.elements());
        assertEquals(REMOTE.address(), posted.remoteAddress());
        assertEquals(REMOTE.key().value(), posted.atomicRemoteKey());
        assertEquals(Long.MIN_VALUE, posted.compareAdd());
    }

    @Test
    void shouldSwapWhatIsAsExpected() {
        write(shared, 16, 5);
        sends.compareAndSwap(1, memory, 0, shared.remote(), 16, 5, 6);
        run(WorkOpcode.COMPARE_AND_SWAP);

        assertEquals(6, read(shared, 16));
        assertEquals(5, read(memory, 0));

        sends.compareAndSwap(2, memory, 8, shared.remote(), 16, 5, 7);
        run(WorkOpcode.COMPARE_AND_SWAP);
        assertEquals(6, read(shared, 16), "it was not 5");
        assertEquals(6, read(memory, 8));
    }

    @Test
    void shouldAddAndWrapAround() {
        write(shared, 8, Long.MAX_VALUE);
        sends.fetchAndAdd(1, memory, 0, shared.remote(), 8, 1);
        run(WorkOpcode.FETCH_AND_ADD);

        assertEquals(Long.MIN_VALUE, read(shared, 8));
        assertEquals(Long.MAX_VALUE, read(memory, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4, 12, 991})
    void shouldRefuseAnAddressThatIsNotAMultipleOfEight(long offset) {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> sends.fetchAndAdd(1, memory, 0, REMOTE, offset, 1))
                .getMessage();
        assertEquals(
                "remoteOffset=" + offset + " of " + REMOTE + " is at 0x"
                        + Long.toHexString(REMOTE.address() + offset)
                        + ": the value of an atomic lies at a multiple of 8",
                message);
        assertThrows(IllegalArgumentException.class, () -> sends.compareAndSwap(1, memory, 0, REMOTE, offset, 1, 2));
        assertEquals(0, sends.staged());
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, 1000, 1L << 40, Long.MAX_VALUE - 7})
    void shouldRefuseWhatIsNotInsideTheRemoteMemory(long offset) {
        assertThrows(IndexOutOfBoundsException.class, () -> sends.fetchAndAdd(1, memory, 0, REMOTE, offset, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.compareAndSwap(1, memory, 0, REMOTE, offset, 1, 2));
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldRefuseLocalMemoryThatIsTooSmallOrNotWritable() {
        assertThrows(IndexOutOfBoundsException.class, () -> sends.fetchAndAdd(1, memory, 4089, REMOTE, 0, 1));
        MemoryRegion constant = keep(domain.allocate(8, AccessFlag.REMOTE_READ));
        String message = assertThrows(
                        IllegalArgumentException.class, () -> sends.compareAndSwap(1, constant, 0, REMOTE, 0, 1, 2))
                .getMessage();
        assertTrue(message.contains("needs LOCAL_WRITE"), message);
    }

    @Test
    void shouldRefuseMorePiecesAndInlineData() {
        sends.fetchAndAdd(1, memory, 0, REMOTE, 0, 1);
        assertEquals(
                "and() is for sends, writes and reads: SendQueue of RcQueuePair 17 of fake0, request 0",
                assertThrows(IllegalStateException.class, () -> sends.and(memory, 8, 8))
                        .getMessage());
        assertThrows(IllegalStateException.class, sends::inline);
        assertEquals(1, posted().elements().size());
    }

    @Test
    void shouldRefuseAtomicsOfADeviceThatHasNone() {
        FakeVerbs.deviceNumber(0, "atomic_cap", 0);
        try (DeviceContext plain = Device.first().open();
                ProtectionDomain itsDomain = plain.allocateProtectionDomain();
                CompletionQueue itsQueue = plain.createCompletionQueue(16);
                MemoryRegion itsMemory = itsDomain.allocate(8, AccessFlag.LOCAL_WRITE);
                RcQueuePair queuePair =
                        itsDomain.createRc(QueuePairOptions.sharing(itsQueue).depth(4, 4));
                SendQueue itsSends = SendQueue.over(queuePair)) {
            UnsupportedCapabilityException thrown = assertThrows(
                    UnsupportedCapabilityException.class,
                    () -> itsSends.compareAndSwap(1, itsMemory, 0, REMOTE, 0, 1, 2));
            assertEquals("atomics", thrown.capability());
            assertTrue(
                    thrown.getMessage().contains("fake0 (provider ibverbs) does not support atomics"),
                    thrown::getMessage);
            assertThrows(
                    UnsupportedCapabilityException.class, () -> itsSends.fetchAndAdd(1, itsMemory, 0, REMOTE, 0, 1));
            assertEquals(0, itsSends.staged());
        }
    }
}
