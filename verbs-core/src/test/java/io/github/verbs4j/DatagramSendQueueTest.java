package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatagramSendQueueTest extends FakeDevice {
    private static final int KEY = 0x8000_0001;

    private UdQueuePair queuePair;
    private DatagramSendQueue sends;
    private AddressHandle first;
    private AddressHandle second;
    private DatagramPeer one;
    private DatagramPeer other;

    @BeforeEach
    void activate() {
        queuePair = keep(domain.createUd(options()));
        QueuePairAddress address = queuePair.initialize(gid(), KEY);
        queuePair.activate();
        first = keep(queuePair.createAddressHandle(address));
        second = keep(queuePair.createAddressHandle(address));
        one = new DatagramPeer(first, 0xfffffe, KEY);
        other = new DatagramPeer(second, DatagramPeer.MULTICAST, 7);
        sends = keep(DatagramSendQueue.over(queuePair));
    }

    private void requireHeld(AddressHandle handle) {
        assertEquals(
                handle
                        + " cannot be closed: sends that use it are staged and not posted; post() or discard() them first",
                assertThrows(IllegalStateException.class, handle::close).getMessage());
        assertTrue(handle.isOpen());
    }

    @Test
    void shouldWriteWhomItIsFor() {
        sends.send(1, memory, 16, 100, one);
        sends.sendImmediate(2, memory, 32, 8, other, 0x0102_0304)
                .and(memory, 64, 8)
                .solicited()
                .signaled();
        assertEquals(2, sends.post());

        List<PostedSend> posted = FakeVerbs.postedSends();
        PostedSend send = posted.get(0);
        assertEquals(1, send.wrId());
        assertEquals(2, send.opcode());
        assertEquals(0, send.flags());
        assertEquals(first.handle().address(), send.addressHandle());
        assertEquals(0xfffffe, send.remoteQpNum());
        assertEquals(KEY, send.remoteQkey());
        assertEquals(memory.address() + 16, send.elements().getFirst().address());
        PostedSend immediate = posted.get(1);
        assertEquals(3, immediate.opcode());
        assertEquals(2 | 4, immediate.flags());
        assertEquals(Integer.reverseBytes(0x0102_0304), immediate.immediate());
        assertEquals(second.handle().address(), immediate.addressHandle());
        assertEquals(0xffffff, immediate.remoteQpNum());
        assertEquals(7, immediate.remoteQkey());
        assertEquals(2, immediate.elements().size());
    }

    @Test
    void shouldCarryDataInline() {
        memory.segment().setString(0, "inline");
        sends.send(1, memory, 0, 6, one).inline().and(memory, 0, 2).signaled();
        sends.post();
        assertArrayEquals(
                "inlinein".getBytes(), FakeVerbs.postedSends().getLast().inlined());
    }

    @Test
    void shouldRefuseMoreThanAPacket() {
        sends.send(1, memory, 0, 1024, one);
        assertEquals(
                "length=1025: a datagram is one packet, of at most 1024 bytes on this port (its MTU); a longer one would be"
                        + " dropped in silence",
                assertThrows(IllegalArgumentException.class, () -> sends.send(1, memory, 0, 1025, one))
                        .getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> sends.and(memory, 0, 1))
                .getMessage()
                .startsWith("length=1025: a datagram is one packet"));
        assertEquals(1, sends.staged());
    }

    @Test
    void shouldHoldAnAddressHandleUntilItIsPosted() {
        sends.send(1, memory, 0, 8, one).send(2, memory, 0, 8, one).send(3, memory, 0, 8, other);
        requireHeld(first);
        requireHeld(second);
        sends.post();
        first.close();
        second.close();
        assertFalse(first.isOpen());
    }

    @Test
    void shouldLetGoOfWhatIsForgottenAndWhenItIsClosed() {
        sends.send(1, memory, 0, 8, one);
        sends.discard();
        first.close();
        sends.send(1, memory, 0, 8, other);
        requireHeld(second);
        sends.close();
        second.close();
    }

    @Test
    void shouldHoldWhatIsLeftOfAnIncompletePost() {
        for (int i = 0; i < 3; i++) {
            sends.send(i, memory, 0, 8, one);
        }
        sends.send(3, memory, 0, 8, other);
        FakeVerbs.acceptOnly(2, FakeVerbs.ENOMEM, true);
        assertThrows(VerbsException.class, sends::post);
        assertEquals(2, sends.staged());
        requireHeld(first);
        requireHeld(second);
        for (int i = 4; i < 10; i++) { // as many runs as there are requests
            sends.send(i, memory, 0, 8, i % 2 == 0 ? one : other);
        }
        FakeVerbs.acceptOnly(1, FakeVerbs.ENOMEM, true);
        assertThrows(VerbsException.class, sends::post);
        requireHeld(first);
        sends.discard();
        first.close();
        second.close();
    }

    @Test
    void shouldRefuseAClosedAddressHandle() {
        first.close();
        assertEquals(
                first + " is closed",
                assertThrows(IllegalStateException.class, () -> sends.send(1, memory, 0, 8, one))
                        .getMessage());
        assertEquals(0, sends.staged());
        sends.send(1, memory, 0, 8, other);
        assertEquals(1, sends.post());
    }

    @Test
    void shouldRefuseAnAddressHandleOfAnotherDomain() {
        try (ProtectionDomain foreign = context.allocateProtectionDomain();
                AddressHandle handle = foreign.createAddressHandle(first.way())) {
            DatagramPeer peer = new DatagramPeer(handle, 17, KEY);
            assertTrue(assertThrows(IllegalArgumentException.class, () -> sends.send(1, memory, 0, 8, peer))
                    .getMessage()
                    .endsWith("create it in the same protection domain"));
        }
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldNotTouchTheOwnersRequestsFromAnotherThread() throws Exception {
        sends.send(1, memory, 0, 8, one);
        assertThrows(WrongThreadException.class, () -> elsewhere(sends::post));
        requireHeld(first);
    }

    @Test
    void shouldKnowItsQueuePair() {
        assertEquals("DatagramSendQueue of UdQueuePair 17 of fake0", sends.toString());
        assertTrue(assertThrows(IllegalStateException.class, () -> DatagramSendQueue.over(queuePair))
                .getMessage()
                .startsWith("UdQueuePair 17 of fake0 has a DatagramSendQueue already"));
    }

    @Test
    void shouldCheckWhomItIsFor() {
        assertEquals(
                "queuePairNumber=16777216 is not in 0..16777215",
                assertThrows(IllegalArgumentException.class, () -> new DatagramPeer(first, 1 << 24, KEY))
                        .getMessage());
        assertThrows(NullPointerException.class, () -> new DatagramPeer(null, 1, KEY));
        assertThrows(NullPointerException.class, () -> sends.send(1, memory, 0, 8, null));
    }

    // ---- address handles ----

    @Test
    void shouldExplainWhatTheDeviceRefuses() {
        AddressVector empty = new AddressVector(first.way().destination(), 0, 1, 200, 0, 64, 0, 0);
        VerbsException refused = assertThrows(VerbsException.class, () -> domain.createAddressHandle(empty));
        assertEquals(Optional.of(Errno.EINVAL), refused.errno());
        assertTrue(refused.getMessage().contains("sgid_index=200 is an empty row"), refused::getMessage);
        FakeVerbs.failNext("ibv_create_ah", 110);
        assertTrue(assertThrows(VerbsException.class, () -> domain.createAddressHandle(first.way()))
                .getMessage()
                .contains("could not be resolved"));
        assertEquals(2, FakeVerbs.live("ah"));
    }

    @Test
    void shouldRefuseBeforeTheDeviceCan() {
        assertTrue(assertThrows(
                        IllegalArgumentException.class,
                        () -> domain.createAddressHandle(new AddressVector(Gid.NONE, 7, 1, 0, 0, 64, 0, 0)))
                .getMessage()
                .endsWith("has no destination: on Ethernet (RoCE) a port is addressed by its GID"));
        assertEquals(
                "port=2 is not in 1..1 of fake0",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> domain.createAddressHandle(
                                        new AddressVector(first.way().destination(), 0, 2, 1, 0, 64, 0, 0)))
                        .getMessage());
    }

    @Test
    void shouldStayOpenIfItCannotBeDestroyed() {
        FakeVerbs.failNext("ibv_destroy_ah", EIO);
        assertThrows(VerbsException.class, first::close);
        assertTrue(first.isOpen());
        sends.send(1, memory, 0, 8, one);
        assertEquals(1, sends.post());
    }

    @Test
    void shouldNotLetItsDomainBeClosed() {
        try (ProtectionDomain other = context.allocateProtectionDomain();
                AddressHandle handle = other.createAddressHandle(first.way())) {
            assertTrue(assertThrows(IllegalStateException.class, other::close)
                    .getMessage()
                    .contains(handle.toString()));
        }
    }

    @Test
    void shouldRefuseMemoryOfAnotherDomain() {
        try (ProtectionDomain foreign = context.allocateProtectionDomain();
                MemoryRegion elsewhere = foreign.allocate(64, AccessFlag.LOCAL_WRITE)) {
            assertThrows(IllegalArgumentException.class, () -> sends.send(1, elsewhere, 0, 8, one));
        }
        first.close();
    }
}
