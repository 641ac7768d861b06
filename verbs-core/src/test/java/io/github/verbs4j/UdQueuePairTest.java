package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.QueuePairType;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Modification;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UdQueuePairTest extends FakeDevice {
    private static final int KEY = 0x1111_1111;
    private static final Gid GROUP = Gid.ofHex("ff0e00000000000000000000000000a1");

    private UdQueuePair queuePair;

    /** What C was asked to create. */
    private static int typeOfLast() {
        return FakeVerbs.lastQueuePairInit().get(ValueLayout.JAVA_INT_UNALIGNED, ibv_qp_init_attr.qp_type$offset());
    }

    @BeforeEach
    void create() {
        queuePair = keep(domain.createUd(options()));
    }

    @Test
    void shouldCreateOfItsType() {
        assertEquals(QueuePairType.UD.code(), typeOfLast());
        assertEquals("UdQueuePair 17 of fake0", queuePair.toString());
    }

    @Test
    void shouldTakeThreeSteps() {
        QueuePairAddress address = queuePair.initialize(gid(), KEY);
        queuePair.activate();

        List<Modification> steps = FakeVerbs.modifications();
        assertEquals(1 | 1 << 4 | 1 << 5 | 1 << 6, steps.get(0).mask());
        assertEquals(KEY, steps.get(0).qkey());
        assertEquals(1, steps.get(0).port());
        assertEquals(1, steps.get(1).mask());
        assertEquals(1 | 1 << 16, steps.get(2).mask());
        assertEquals(address.packetSequenceNumber(), steps.get(2).sendPsn());
        assertEquals(QueuePairState.RTS, queuePair.state());
        assertEquals(KEY, queuePair.query().queueKey());
    }

    @Test
    void shouldNeedInitializeFirst() {
        assertEquals(
                "UdQueuePair 17 of fake0 is in RESET; activate needs initialize(gid) before, which leads it to INIT",
                assertThrows(IllegalStateException.class, queuePair::activate).getMessage());
        QueuePairAddress peer = keep(domain.createUd(options())).initialize(gid(), KEY);
        assertEquals(
                "UdQueuePair 17 of fake0 is in RESET; createAddressHandle needs initialize(gid, queueKey) before, which"
                        + " decides the port",
                assertThrows(IllegalStateException.class, () -> queuePair.createAddressHandle(peer))
                        .getMessage());
    }

    @Test
    void shouldKnowTheWayToAPeer() {
        queuePair.initialize(gid(), KEY);
        QueuePairAddress peer = new QueuePairAddress(
                LinkLayer.ETHERNET, 0, Gid.ofHex("00000000000000000000ffff0a090063"), 99, 0, Mtu.MTU_1024, 0);
        try (AddressHandle handle = queuePair.createAddressHandle(peer)) {
            assertEquals(new AddressVector(peer.gid(), 0, 1, gid().index(), 0, 64, 0, 0), handle.way());
            assertEquals(1024, handle.longestMessage());
        }
        QueuePairAddress elsewhere = new QueuePairAddress(LinkLayer.INFINIBAND, 7, Gid.NONE, 99, 0, Mtu.MTU_1024, 0);
        assertEquals(
                "peer is on INFINIBAND, port 1 of fake0 on ETHERNET: they cannot reach each other",
                assertThrows(IllegalArgumentException.class, () -> queuePair.createAddressHandle(elsewhere))
                        .getMessage());
    }

    @Test
    void shouldKnowTheWayBack() {
        UdQueuePair sender = keep(domain.createUd(options()));
        QueuePairAddress mine = queuePair.initialize(gid(), KEY);
        queuePair.activate();
        sender.initialize(gid(), KEY);
        sender.activate();
        AddressHandle there = keep(sender.createAddressHandle(mine));
        ReceiveQueue receives = keep(ReceiveQueue.over(queuePair));
        receives.receive(1, memory, 0, 100);
        receives.post();
        DatagramSendQueue sends = keep(DatagramSendQueue.over(sender));
        sends.send(2, memory, 1000, 8, new DatagramPeer(there, queuePair.number(), KEY))
                .signaled();
        sends.post();
        Completions completions = completions();
        assertEquals(2, completions.poll());
        completions.next();
        if (!completions.isReceive()) {
            assertEquals(
                    "completion of request 2 is of queue pair 18, not of UdQueuePair 17 of fake0",
                    assertThrows(
                                    IllegalStateException.class,
                                    () -> queuePair.createAddressHandle(completions, memory, 0))
                            .getMessage());
            assertEquals(
                    "completion of request 2 is that of a send, not of a receive",
                    assertThrows(IllegalStateException.class, () -> sender.createAddressHandle(completions, memory, 0))
                            .getMessage());
            completions.next();
        }
        assertTrue(completions.hasRoutingHeader());
        assertEquals(18, completions.sourceQueuePairNumber());
        assertEquals(RoutingHeader.BYTES + 8, completions.byteLength());

        Gid source = Gid.ofHex("00000000000000000000ffff0a090063");
        MemorySegment.copy(MemorySegment.ofArray(source.toByteArray()), 0, memory.segment(), 8, 16);
        AddressHandle back = keep(queuePair.createAddressHandle(completions, memory, 0));
        assertEquals(source, back.way().destination());
        assertEquals(1, back.way().sourceGidIndex());
        assertEquals(1, back.way().port());
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> queuePair.createAddressHandle(completions, memory, memory.length() - 39));
    }

    // ---- multicast ----

    @Test
    void shouldAttachUntilTheMembershipIsClosed() {
        FakeVerbs.clearRecords();
        MulticastMembership membership = queuePair.attach(GROUP, 0xc001);
        assertTrue(membership.isOpen());
        assertEquals(GROUP, membership.group());
        membership.close();
        membership.close();
        assertFalse(membership.isOpen());
        assertEquals(
                List.of(
                        "ibv_attach_mcast qp1 ff0e00000000000000000000000000a1 lid=49153 -> 0",
                        "ibv_detach_mcast qp1 ff0e00000000000000000000000000a1 lid=49153 -> 0"),
                FakeVerbs.log());
    }

    @Test
    void shouldNotBeClosedWhileItIsInAGroup() {
        MulticastMembership membership = keep(queuePair.attach(GROUP, 0));
        assertEquals(
                "UdQueuePair 17 of fake0 cannot be closed: still open on it: " + membership
                        + "; close what was opened last first",
                assertThrows(IllegalStateException.class, queuePair::close).getMessage());
    }

    @Test
    void shouldExplainWhatIsNoGroup() {
        VerbsException refused = assertThrows(VerbsException.class, () -> queuePair.attach(new Gid(1, 2), 0));
        assertEquals(Optional.of(Errno.EINVAL), refused.errno());
        assertTrue(refused.getMessage().contains("is most likely not that of a multicast group"), refused::getMessage);
        assertEquals(
                "lid=65536 is not in 0..65535",
                assertThrows(IllegalArgumentException.class, () -> queuePair.attach(GROUP, 65536))
                        .getMessage());
    }

    @Test
    void shouldStayInAGroupThatItCannotLeave() {
        MulticastMembership membership = keep(queuePair.attach(GROUP, 0));
        FakeVerbs.failNext("ibv_detach_mcast", EIO);
        assertThrows(VerbsException.class, membership::close);
        assertTrue(membership.isOpen());
    }

    @Test
    void shouldBeInAGroupOnce() {
        MulticastMembership membership = queuePair.attach(GROUP, 0);
        FakeVerbs.clearRecords();
        assertEquals(
                "attach: " + queuePair + " is in " + GROUP + " already, by " + membership + "; close that one first",
                assertThrows(IllegalStateException.class, () -> queuePair.attach(GROUP, 0))
                        .getMessage());
        assertEquals(List.of(), FakeVerbs.log());
        queuePair.attach(GROUP, 1).close();
        membership.close();
        queuePair.attach(GROUP, 0).close();
    }

    @Test
    void shouldBeClosableWhenTheDeviceKnowsNothingOfAMembership() {
        MulticastMembership membership = queuePair.attach(GROUP, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(16, 8).copyFrom(MemorySegment.ofArray(GROUP.toByteArray()));
            assertEquals(0, verbs_h.ibv_detach_mcast(queuePair.handle(), gid, (short) 0));
        }
        VerbsException refused = assertThrows(VerbsException.class, membership::close);
        assertEquals("ibv_detach_mcast", refused.operation());
        assertTrue(refused.getMessage().contains("detached by the handle"), refused::getMessage);
        assertFalse(membership.isOpen());
        membership.close();
        queuePair.attach(GROUP, 0).close();
    }
}
