package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Enhancements;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Limit;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Modification;
import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.ffi.ibv_global_route;
import io.github.verbs4j.ffi.ibv_qp_attr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RcQueuePairTest extends FakeDevice {
    private static final int STATE = 1;
    private static final int INIT_MASK = STATE | 1 << 3 | 1 << 4 | 1 << 5;
    private static final int RTR_MASK = STATE | 1 << 7 | 1 << 8 | 1 << 12 | 1 << 15 | 1 << 17 | 1 << 20;
    private static final int RTS_MASK = STATE | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 13 | 1 << 16;

    private RcQueuePair queuePair;

    @BeforeEach
    void create() {
        queuePair = queuePair();
    }

    /** What C got, byte for byte. */
    private static void assertModified(Modification modification, int mask, Consumer<MemorySegment> fill) {
        assertEquals(Integer.toHexString(mask), Integer.toHexString(modification.mask()));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment expected = ibv_qp_attr.allocate(arena);
            fill.accept(expected);
            assertArrayEquals(
                    expected.toArray(ValueLayout.JAVA_BYTE),
                    modification.attributes().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    private static Modification last() {
        return FakeVerbs.modifications().getLast();
    }

    private QueuePairAddress peer(Mtu mtu, int maxReads) {
        return new QueuePairAddress(
                LinkLayer.ETHERNET, 0, Gid.ofHex("00000000000000000000ffff0a090063"), 99, 0xabcdef, mtu, maxReads);
    }

    // ---- initialize ----

    @Test
    void shouldInitialize() {
        QueuePairAddress address = queuePair.initialize(gid());

        assertEquals(1, FakeVerbs.modifications().size());
        assertModified(last(), INIT_MASK, attributes -> {
            ibv_qp_attr.qp_state(attributes, 1);
            ibv_qp_attr.qp_access_flags(attributes, 2 | 4);
            ibv_qp_attr.port_num(attributes, (byte) 1);
        });
        assertEquals(queuePair.number(), last().qpNum());
        assertEquals(QueuePairState.INIT, queuePair.state());
        assertEquals(LinkLayer.ETHERNET, address.linkLayer());
        assertEquals(gid().gid(), address.gid());
        assertEquals(17, address.queuePairNumber());
        assertEquals(Mtu.MTU_1024, address.mtu());
        assertEquals(16, address.maxReads());
        assertEquals(address, QueuePairAddress.parse(address.toText()));
    }

    @Test
    void shouldInitializeWithOtherAccess() {
        queuePair.initialize(gid(), Set.of());
        assertEquals(0, last().accessFlags());

        RcQueuePair other = queuePair();
        other.initialize(gid(), Set.of(AccessFlag.REMOTE_ATOMIC, AccessFlag.REMOTE_READ));
        assertEquals(8 | 4, last().accessFlags());
    }

    @Test
    void shouldBeginWithAnotherPacketNumberEachTime() {
        int first = queuePair.initialize(gid()).packetSequenceNumber();
        queuePair.reset();
        int second = queuePair.initialize(gid()).packetSequenceNumber();
        queuePair.reset();
        int third = queuePair.initialize(gid()).packetSequenceNumber();

        assertFalse(first == second && second == third, "one in 2 to the 48");
    }

    @ParameterizedTest
    @EnumSource(names = {"DOWN", "INIT", "ARMED"})
    void shouldRefuseAPortThatIsNotActive(PortState state) {
        FakeVerbs.deviceNumber(0, "port.state", state.code());

        assertEquals(
                "port 1 of fake0 is " + state + ", not ACTIVE: bring its link up (ip link set ... up on RoCE)",
                assertThrows(IllegalStateException.class, () -> queuePair.initialize(gid()))
                        .getMessage());
        assertEquals(QueuePairState.RESET, queuePair.state());
        assertEquals(List.of(), FakeVerbs.modifications());
    }

    @Test
    void shouldInitializeOnlyFromReset() {
        QueuePairAddress address = queuePair.initialize(gid());

        assertEquals(
                "RcQueuePair 17 of fake0 is in INIT; initialize needs it in RESET, where reset() leads it",
                assertThrows(IllegalStateException.class, () -> queuePair.initialize(gid()))
                        .getMessage());
        queuePair.connect(address, RcPath.defaults());
        assertEquals(address.packetSequenceNumber(), last().sendPsn(), "what the peer was told holds");
        assertThrows(IllegalStateException.class, () -> queuePair.initialize(gid()));
        assertEquals(3, FakeVerbs.modifications().size());
    }

    // ---- connect ----

    @Test
    void shouldConnect() {
        QueuePairAddress mine = queuePair.initialize(gid());
        QueuePairAddress peer = peer(Mtu.MTU_4096, 100);
        queuePair.connect(peer, new RcPath(null, 11, 5, 6, 13, 9, 60, 0x21, 3, 0xfedcb));
        List<Modification> modifications = FakeVerbs.modifications();

        assertEquals(3, modifications.size());
        assertModified(modifications.get(1), RTR_MASK, attributes -> {
            ibv_qp_attr.qp_state(attributes, 2);
            ibv_qp_attr.path_mtu(attributes, 3);
            ibv_qp_attr.rq_psn(attributes, 0xabcdef);
            ibv_qp_attr.dest_qp_num(attributes, 99);
            ibv_qp_attr.max_dest_rd_atomic(attributes, (byte) 16);
            ibv_qp_attr.min_rnr_timer(attributes, (byte) 13);
            MemorySegment way = ibv_qp_attr.ah_attr(attributes);
            MemorySegment route = ibv_ah_attr.grh(way);
            ibv_global_route
                    .dgid(route)
                    .copyFrom(MemorySegment.ofArray(peer.gid().toByteArray()));
            ibv_global_route.flow_label(route, 0xfedcb);
            ibv_global_route.sgid_index(route, (byte) 1);
            ibv_global_route.hop_limit(route, (byte) 60);
            ibv_global_route.traffic_class(route, (byte) 0x21);
            ibv_ah_attr.sl(way, (byte) 3);
            ibv_ah_attr.is_global(way, (byte) 1);
            ibv_ah_attr.port_num(way, (byte) 1);
        });
        assertModified(modifications.get(2), RTS_MASK, attributes -> {
            ibv_qp_attr.qp_state(attributes, 3);
            ibv_qp_attr.sq_psn(attributes, mine.packetSequenceNumber());
            ibv_qp_attr.max_rd_atomic(attributes, (byte) 9);
            ibv_qp_attr.timeout(attributes, (byte) 11);
            ibv_qp_attr.retry_cnt(attributes, (byte) 5);
            ibv_qp_attr.rnr_retry(attributes, (byte) 6);
        });
        assertEquals(QueuePairState.RTS, queuePair.state());
    }

    @ParameterizedTest
    @CsvSource({
        // ours, peer's, asked for, taken
        "3, 5, , 3",
        "5, 2, , 2",
        "4, 4, , 4",
        "3, 5, MTU_4096, 5",
        "5, 5, MTU_256, 1"
    })
    void shouldAgreeOnAnMtu(int ours, int peers, Mtu asked, int taken) {
        FakeVerbs.deviceNumber(0, "port.active_mtu", ours);
        assertEquals(ours, queuePair.initialize(gid()).mtu().code());
        queuePair.connect(peer(Mtu.ofCode(peers), 1), RcPath.defaults().withMtu(asked));

        assertEquals(taken, FakeVerbs.modifications().get(1).pathMtu());
    }

    @ParameterizedTest
    @CsvSource({
        // our limits as responder and initiator, peer's, asked for, taken as responder and initiator
        "128, 128, 128, 16, 16, 16",
        "4, 128, 128, 16, 4, 16",
        "128, 4, 128, 16, 16, 4",
        "128, 128, 2, 16, 16, 2",
        "128, 128, 0, 16, 16, 0",
        "128, 128, 128, 0, 16, 0",
        "60000, 60000, 60000, 255, 16, 255"
    })
    void shouldAgreeOnReadsUnderWay(
            int responder, int initiator, int peers, int asked, int takenAsResponder, int takenAsInitiator) {
        FakeVerbs.deviceNumber(0, "max_qp_rd_atom", responder);
        FakeVerbs.deviceNumber(0, "max_qp_init_rd_atom", initiator);
        try (DeviceContext other = Device.first().open();
                ProtectionDomain pd = other.allocateProtectionDomain();
                CompletionQueue cq = other.createCompletionQueue(200);
                RcQueuePair qp = pd.createRc(QueuePairOptions.sharing(cq))) {
            assertEquals(takenAsResponder, qp.initialize(gid()).maxReads(), "the peer is told what is served");
            qp.connect(peer(Mtu.MTU_1024, peers), RcPath.defaults().withMaxReads(asked));
        }

        assertEquals(takenAsResponder, FakeVerbs.modifications().get(1).maxDestReadAtomic());
        assertEquals(takenAsInitiator, FakeVerbs.modifications().get(2).maxReadAtomic());
    }

    @Test
    void shouldRefuseAPeerOnAnotherLinkLayer() {
        queuePair.initialize(gid());
        QueuePairAddress peer = new QueuePairAddress(LinkLayer.INFINIBAND, 7, Gid.NONE, 99, 1, Mtu.MTU_1024, 1);

        assertEquals(
                "peer is on INFINIBAND, port 1 of fake0 on ETHERNET: they cannot reach each other",
                assertThrows(IllegalArgumentException.class, () -> queuePair.connect(peer, RcPath.defaults()))
                        .getMessage());
        assertEquals(QueuePairState.INIT, queuePair.state());
    }

    @Test
    void shouldAddressAPeerByItsLidOnInfiniBand() {
        FakeVerbs.deviceNumber(0, "port.link_layer", 1);
        FakeVerbs.deviceNumber(0, "port.lid", 0xc001);
        QueuePairAddress mine = queuePair.initialize(gid());
        assertEquals(0xc001, mine.lid());
        QueuePairAddress peer = new QueuePairAddress(LinkLayer.INFINIBAND, 0xbeef, Gid.NONE, 99, 1, Mtu.MTU_1024, 1);

        // the fake speaks Ethernet only, so it refuses, but it records what it got
        assertThrows(VerbsException.class, () -> queuePair.connect(peer, RcPath.defaults()));
        MemorySegment way = last().addressVector();
        assertEquals(0xbeef, way.get(ValueLayout.JAVA_SHORT_UNALIGNED, 24) & 0xffff);
        assertEquals(0, ibv_ah_attr.is_global(ibv_qp_attr.ah_attr(last().attributes())));
        assertEquals(1, ibv_ah_attr.port_num(ibv_qp_attr.ah_attr(last().attributes())));
    }

    @Test
    void shouldConnectOnlyFromInit() {
        QueuePairAddress peer = peer(Mtu.MTU_1024, 1);

        assertEquals(
                "RcQueuePair 17 of fake0 is in RESET; connect needs initialize(gid) before, which leads it to INIT",
                assertThrows(IllegalStateException.class, () -> queuePair.connect(peer, RcPath.defaults()))
                        .getMessage());
        connected(queuePair);
        assertEquals(
                "RcQueuePair 17 of fake0 is in RTS; connect needs initialize(gid) before, which leads it to INIT",
                assertThrows(IllegalStateException.class, () -> queuePair.connect(peer, RcPath.defaults()))
                        .getMessage());
    }

    @Test
    void shouldConnectAgainAfterAReset() {
        connected(queuePair);
        queuePair.reset();
        assertEquals(QueuePairState.RESET, queuePair.state());
        assertModified(last(), STATE, attributes -> ibv_qp_attr.qp_state(attributes, 0));

        connected(queuePair);
        assertEquals(QueuePairState.RTS, queuePair.state());
    }

    // ---- single steps ----

    @Test
    void shouldGoToError() {
        connected(queuePair);
        queuePair.toError();

        assertModified(last(), STATE, attributes -> ibv_qp_attr.qp_state(attributes, 6));
        assertEquals(QueuePairState.ERR, queuePair.state());
        assertTrue(queuePair.firstFailure().isEmpty(), "nothing failed");
        assertThrows(IllegalStateException.class, () -> queuePair.initialize(gid()));
    }

    @Test
    void shouldWriteEveryAttributeOfAStep() {
        connected(queuePair);
        queuePair.modify(Transition.to(QueuePairState.RTS)
                .currentState(QueuePairState.RTS)
                .access(AccessFlag.REMOTE_READ)
                .minRnrTimer(17));
        assertModified(last(), STATE | 1 << 1 | 1 << 3 | 1 << 15, attributes -> {
            ibv_qp_attr.qp_state(attributes, 3);
            ibv_qp_attr.cur_qp_state(attributes, 3);
            ibv_qp_attr.qp_access_flags(attributes, 4);
            ibv_qp_attr.min_rnr_timer(attributes, (byte) 17);
        });

        queuePair.modify(Transition.to(QueuePairState.SQD).drainedNotification(true));
        assertModified(last(), STATE | 1 << 2, attributes -> {
            ibv_qp_attr.qp_state(attributes, 4);
            ibv_qp_attr.en_sqd_async_notify(attributes, (byte) 1);
        });
        assertEquals(QueuePairState.SQD, queuePair.state());

        AddressVector way = new AddressVector(gid().gid(), 0, 1, 200, 1, 255, 255, 0xfffff);
        assertThrows(
                VerbsException.class,
                () -> queuePair.modify(
                        Transition.to(QueuePairState.SQD).path(way).port(1).partitionKeyIndex(0xffff)));
        assertModified(last(), STATE | 1 << 4 | 1 << 5 | 1 << 7, attributes -> {
            ibv_qp_attr.qp_state(attributes, 4);
            ibv_qp_attr.pkey_index(attributes, (short) -1);
            ibv_qp_attr.port_num(attributes, (byte) 1);
            MemorySegment route = ibv_ah_attr.grh(ibv_qp_attr.ah_attr(attributes));
            ibv_global_route
                    .dgid(route)
                    .copyFrom(MemorySegment.ofArray(gid().gid().toByteArray()));
            ibv_global_route.flow_label(route, 0xfffff);
            ibv_global_route.sgid_index(route, (byte) 200);
            ibv_global_route.hop_limit(route, (byte) -1);
            ibv_global_route.traffic_class(route, (byte) -1);
            ibv_ah_attr.sl(ibv_qp_attr.ah_attr(attributes), (byte) 1);
            ibv_ah_attr.is_global(ibv_qp_attr.ah_attr(attributes), (byte) 1);
            ibv_ah_attr.port_num(ibv_qp_attr.ah_attr(attributes), (byte) 1);
        });
    }

    @Test
    void shouldRefuseAStepBeforeTheKernelDoes() {
        assertThrows(IllegalStateException.class, () -> queuePair.modify(Transition.to(QueuePairState.RTS)));
        assertThrows(IllegalArgumentException.class, () -> queuePair.modify(Transition.to(QueuePairState.INIT)));

        assertEquals(List.of(), FakeVerbs.modifications());
        assertEquals(QueuePairState.RESET, queuePair.state());
    }

    @Test
    void shouldTellAllAttributesWhenTheDeviceRefuses() {
        queuePair.initialize(gid());
        FakeVerbs.failNext("ibv_modify_qp", FakeVerbs.EINVAL);

        VerbsException thrown =
                assertThrows(VerbsException.class, () -> queuePair.connect(peer(Mtu.MTU_2048, 1), RcPath.defaults()));
        assertEquals("ibv_modify_qp", thrown.operation());
        assertTrue(thrown.is(Errno.EINVAL));
        assertEquals("RcQueuePair 17 of fake0", thrown.arguments().get("queue pair"));
        assertEquals("RTR", thrown.arguments().get("qp_state"));
        assertEquals("MTU_1024", thrown.arguments().get("path_mtu"));
        assertEquals("99", thrown.arguments().get("dest_qp_num"));
        assertEquals(String.valueOf(0xabcdef), thrown.arguments().get("rq_psn"));
        assertTrue(thrown.arguments().get("ah_attr").contains("::ffff:10.9.0.99"));
        assertEquals("16", thrown.arguments().get("max_dest_rd_atomic"));
        assertEquals("12", thrown.arguments().get("min_rnr_timer"));
        assertTrue(thrown.likelyCause().isPresent());
        assertEquals(QueuePairState.INIT, queuePair.state(), "it is where it was");
        queuePair.connect(peer(Mtu.MTU_2048, 1), RcPath.defaults());
    }

    @Test
    void shouldStandInRtrWhenOnlyTheSecondStepFails() {
        QueuePairAddress mine = queuePair.initialize(gid());
        FakeVerbs.failNext("ibv_modify_qp", FakeVerbs.ENOMEM, 1);

        assertThrows(VerbsException.class, () -> queuePair.connect(mine, RcPath.defaults()));
        assertEquals(QueuePairState.RTR, queuePair.state());
        queuePair.reset();
        connected(queuePair);
    }

    @ParameterizedTest
    @ValueSource(ints = {110, 101, 113})
    void shouldExplainAPeerThatCannotBeResolved(int errno) {
        queuePair.initialize(gid());
        FakeVerbs.failNext("ibv_modify_qp", errno);

        VerbsException thrown =
                assertThrows(VerbsException.class, () -> queuePair.connect(peer(Mtu.MTU_1024, 1), RcPath.defaults()));
        assertTrue(thrown.is(new Errno(errno)));
        assertEquals(
                "the peer's GID could not be resolved to a hardware address",
                thrown.likelyCause().orElseThrow());
    }

    @Test
    void shouldTellThatThePeerIsOfAnotherIpVersion() {
        queuePair.initialize(gid());
        Gid linkLocal = Gid.ofHex("fe8000000000000050540afffe090001");
        QueuePairAddress peer = new QueuePairAddress(LinkLayer.ETHERNET, 0, linkLocal, 99, 0xabcdef, Mtu.MTU_1024, 1);
        FakeVerbs.failNext("ibv_modify_qp", FakeVerbs.EINVAL);

        VerbsException thrown = assertThrows(VerbsException.class, () -> queuePair.connect(peer, RcPath.defaults()));
        assertEquals(
                "sgid_index=1 is " + gid().gid() + ", IPv4, and " + linkLocal
                        + " is IPv6: the one cannot be reached from the other",
                thrown.likelyCause().orElseThrow());
        assertEquals(
                "take a row from gids(port) and a destination of the same IP version, at both ends",
                thrown.nextStep().orElseThrow());
    }

    @Test
    void shouldNameAnEmptyRowOfTheGidTable() {
        queuePair.initialize(gid());
        AddressVector way = new AddressVector(gid().gid(), 0, 1, 77, 0, 64, 0, 0);
        FakeVerbs.failNext("ibv_modify_qp", FakeVerbs.EINVAL);

        VerbsException thrown = assertThrows(
                VerbsException.class,
                () -> queuePair.modify(Transition.to(QueuePairState.RTR)
                        .path(way)
                        .pathMtu(Mtu.MTU_1024)
                        .destination(1)
                        .receivePacketSequenceNumber(0)
                        .readsAsResponder(1)
                        .minRnrTimer(1)));
        assertEquals(
                "sgid_index=77 is an empty row of the GID table of port 1",
                thrown.likelyCause().orElseThrow());
        assertEquals(
                List.of("max_dest_rd_atomic", "path_mtu"),
                thrown.limits().stream().map(Limit::field).toList());
    }

    @Test
    void shouldRefuseAPortThatTheDeviceDoesNotHave() {
        Transition init =
                Transition.to(QueuePairState.INIT).partitionKeyIndex(0).access();
        assertEquals(
                "port=9 is not in 1..1 of fake0",
                assertThrows(IllegalArgumentException.class, () -> queuePair.modify(init.port(9)))
                        .getMessage());
        queuePair.modify(init.port(1));
        AddressVector way = new AddressVector(gid().gid(), 0, 9, 1, 0, 64, 0, 0);
        assertEquals(
                "port=9 is not in 1..1 of fake0",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> queuePair.modify(
                                        Transition.to(QueuePairState.RTR).path(way)))
                        .getMessage());
    }

    @Test
    void shouldFindOutThatTheDeviceLeftTheStateByItself() {
        RcQueuePair peer = queuePair();
        connect(queuePair, peer);
        receives(peer).receive(1, memory, 0, 8).post();
        FakeVerbs.failNextReceive(WorkStatus.LOC_PROT_ERR.code());
        sends(queuePair).send(2, memory, 0, 8).post();
        assertEquals(QueuePairState.RTS, peer.state(), "nobody has polled");
        assertEquals(QueuePairState.ERR, peer.query().state());

        VerbsException thrown =
                assertThrows(VerbsException.class, () -> peer.modify(Transition.to(QueuePairState.SQD)));
        assertEquals(
                "the queue pair had left its state by itself: the device says it is in ERR",
                thrown.likelyCause().orElseThrow());
        assertEquals(
                "reset() it, or close it and connect another", thrown.nextStep().orElseThrow());
        assertEquals(QueuePairState.ERR, peer.state());
        peer.reset();
    }

    @Test
    void shouldStillSayWhyWhenTheStateCannotBeRead() {
        connected(queuePair);
        FakeVerbs.failNext("ibv_modify_qp", EPERM);
        FakeVerbs.failNext("ibv_query_qp", EIO);

        assertTrue(assertThrows(VerbsException.class, () -> queuePair.modify(Transition.to(QueuePairState.SQD)))
                .is(new Errno(EPERM)));
        assertEquals(QueuePairState.RTS, queuePair.state());
    }

    // ---- query ----

    @Test
    void shouldTellWhatTheDeviceSays() {
        QueuePairAddress mine = queuePair.initialize(gid());
        QueuePairAttributes init = queuePair.query();
        assertEquals(QueuePairState.INIT, init.state());
        assertEquals(0, init.pathMtuCode());
        assertEquals(1, init.port());
        assertFalse(init.path().isGlobal());

        queuePair.connect(peer(Mtu.MTU_512, 8), new RcPath(null, 11, 5, 6, 13, 8, 60, 0x21, 3, 0xfedcb));
        QueuePairAttributes attributes = queuePair.query();
        assertEquals(QueuePairState.RTS, attributes.state());
        assertEquals(QueuePairState.RTS, attributes.currentState());
        assertEquals(Mtu.MTU_512.code(), attributes.pathMtuCode());
        assertEquals(0xabcdef, attributes.receivePacketSequenceNumber());
        assertEquals(mine.packetSequenceNumber(), attributes.sendPacketSequenceNumber());
        assertEquals(99, attributes.destinationNumber());
        assertEquals(Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE), attributes.remoteAccess());
        assertEquals(queuePair.capacity(), attributes.capacity());
        assertEquals(new AddressVector(peer(Mtu.MTU_256, 1).gid(), 0, 1, 1, 3, 60, 0x21, 0xfedcb), attributes.path());
        assertEquals(0, attributes.partitionKeyIndex());
        assertFalse(attributes.isDraining());
        assertEquals(8, attributes.readsAsInitiator());
        assertEquals(16, attributes.readsAsResponder());
        assertEquals(13, attributes.minRnrTimer());
        assertEquals(11, attributes.ackTimeout());
        assertEquals(5, attributes.retryCount());
        assertEquals(6, attributes.rnrRetry());
        assertNotEquals(init, attributes);
    }

    @Test
    void shouldExplainAQueryThatFails() {
        FakeVerbs.failNext("ibv_query_qp", EIO);

        VerbsException thrown = assertThrows(VerbsException.class, queuePair::query);
        assertEquals("ibv_query_qp", thrown.operation());
        assertEquals("RcQueuePair 17 of fake0", thrown.arguments().get("queue pair"));
    }

    @Test
    void shouldTellAndUseEnhancements() {
        FakeVerbs.enhancements(0x2c9, 0x30000006);
        assertEquals(new Enhancements(0x2c9, 0x30000006), queuePair.enhancements());

        queuePair.enhance(new Enhancements(0x2c9, 2));
        assertEquals(new Enhancements(0x2c9, 2), queuePair.enhancements());

        queuePair.enhance(new Enhancements(0x1234, 1)); // another vendor's: understood by nobody here
        assertEquals(new Enhancements(0x2c9, 0), queuePair.enhancements());
    }

    @Test
    void shouldTellThatTheDeviceHasNoEnhancements() {
        UnsupportedCapabilityException failure =
                assertThrows(UnsupportedCapabilityException.class, queuePair::enhancements);
        assertTrue(failure.getMessage().contains("enhanced connection establishment"), failure.getMessage());
        assertThrows(UnsupportedCapabilityException.class, () -> queuePair.enhance(new Enhancements(1, 1)));
    }
}
