package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.AlternatePath;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.PathMigration;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.QueuePairType;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.UcPath;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Modification;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.internal.AddressVectors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UcQueuePairTest extends FakeDevice {
    private static final int RTR_MASK = 1 | 1 << 7 | 1 << 8 | 1 << 12 | 1 << 20;
    private static final int RTS_MASK = 1 | 1 << 16;

    private UcQueuePair queuePair;

    /** What C was asked to create. */
    private static int typeOfLast() {
        return FakeVerbs.lastQueuePairInit().get(ValueLayout.JAVA_INT_UNALIGNED, ibv_qp_init_attr.qp_type$offset());
    }

    @BeforeEach
    void create() {
        queuePair = keep(domain.createUc(options()));
    }

    private SendQueue sends() {
        queuePair.connect(queuePair.initialize(gid()), UcPath.defaults());
        return keep(SendQueue.over(queuePair));
    }

    @Test
    void shouldCreateOfItsType() {
        assertEquals(QueuePairType.UC.code(), typeOfLast());
        assertEquals("UcQueuePair 17 of fake0", queuePair.toString());
    }

    @Test
    void shouldSetNothingThatBelongsToReliableConnections() {
        QueuePairAddress address = queuePair.initialize(gid());
        queuePair.connect(address, new UcPath(Mtu.MTU_512, 3, 4, 5, 6));

        List<Modification> steps = FakeVerbs.modifications();
        assertEquals(3, steps.size());
        assertEquals(2, steps.get(0).accessFlags(), "REMOTE_WRITE");
        assertEquals(0, address.maxReads());
        assertEquals(RTR_MASK, steps.get(1).mask());
        assertEquals(2, steps.get(1).pathMtu());
        assertEquals(address.packetSequenceNumber(), steps.get(1).receivePsn());
        assertEquals(17, steps.get(1).destQpNum());
        assertEquals(RTS_MASK, steps.get(2).mask());
        assertEquals(address.packetSequenceNumber(), steps.get(2).sendPsn());
        assertEquals(QueuePairState.RTS, queuePair.state());
        assertEquals(3, queuePair.query().path().hopLimit());
        assertEquals(4, queuePair.query().path().trafficClass());
        assertEquals(5, queuePair.query().path().serviceLevel());
        assertEquals(6, queuePair.query().path().flowLabel());
    }

    @Test
    void shouldTakeTheSmallerMtuOfBothEnds() {
        QueuePairAddress mine = queuePair.initialize(gid());
        QueuePairAddress peer =
                new QueuePairAddress(mine.linkLayer(), 0, mine.gid(), 17, mine.packetSequenceNumber(), Mtu.MTU_256, 0);
        queuePair.connect(peer, UcPath.defaults());
        assertEquals(Mtu.MTU_256.code(), queuePair.query().pathMtuCode());
    }

    @Test
    void shouldOfferNoReads() {
        for (AccessFlag flag : List.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)) {
            assertEquals(
                    "remoteAccess=[" + flag + "]: " + flag + " is none of [REMOTE_WRITE]",
                    assertThrows(IllegalArgumentException.class, () -> queuePair.initialize(gid(), Set.of(flag)))
                            .getMessage());
        }
        queuePair.initialize(gid(), Set.of());
        assertEquals(0, FakeVerbs.modifications().getLast().accessFlags());
    }

    @Test
    void shouldRefuseReadsAndAtomicsWhenTheyAreStaged() {
        SendQueue sends = sends();
        for (Runnable staging : List.<Runnable>of(
                () -> sends.read(1, memory, 0, 8, memory.remote(), 8),
                () -> sends.read(1, memory, 0, 0, memory.remote(), 8),
                () -> sends.compareAndSwap(1, memory, 0, memory.remote(), 8, 1, 2),
                () -> sends.fetchAndAdd(1, memory, 0, memory.remote(), 8, 1))) {
            assertEquals(
                    "UcQueuePair 17 of fake0 neither reads nor does atomics: only a reliable connection, an RcQueuePair,"
                            + " does",
                    assertThrows(UnsupportedOperationException.class, staging::run)
                            .getMessage());
        }
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldSendAndWrite() {
        SendQueue sends = sends();
        ReceiveQueue receives = keep(ReceiveQueue.over(queuePair));
        Completions completions = completions();
        receives.receive(1, memory, 1024, 64).receive(2, memory, 2048, 0);
        receives.post();
        memory.segment().setString(0, "unreliable");
        sends.send(3, memory, 0, 11).write(4, memory, 0, 11, memory.remote(), 3000);
        sends.writeImmediate(5, memory, 0, 11, memory.remote(), 3100, 42).signaled();
        sends.post();

        int immediate = 0;
        for (int left = 3; left > 0; ) {
            left -= completions.poll();
            while (completions.next()) {
                completions.requireSuccess();
                if (completions.opcode() == WorkOpcode.RECEIVE_WRITE_IMMEDIATE) {
                    immediate = completions.immediate();
                }
            }
        }
        assertEquals(42, immediate);
        assertEquals("unreliable", memory.segment().getString(1024));
        assertEquals("unreliable", memory.segment().getString(3000));
        assertEquals("unreliable", memory.segment().getString(3100));
    }

    @Test
    void shouldExplainAMissingStep() {
        assertTrue(assertThrows(
                        IllegalStateException.class,
                        () -> queuePair.connect(keep(domain.createUc(options())).initialize(gid()), UcPath.defaults()))
                .getMessage()
                .startsWith("UcQueuePair 17 of fake0 is in RESET; connect needs initialize"));
        assertEquals(
                "UcQueuePair 17 of fake0: RESET -> RTS is not a transition of UC queue pairs; from RESET they can go to"
                        + " RESET, INIT",
                assertThrows(IllegalStateException.class, () -> queuePair.modify(Transition.to(QueuePairState.RTS)))
                        .getMessage());
    }

    /** Receives go on, and their slots stay counted; the send queue begins anew. */
    @Test
    void shouldRecoverFromAFailedSend() {
        SendQueue sends = sends();
        ReceiveQueue receives = keep(ReceiveQueue.over(queuePair));
        Completions completions = completions();
        for (int i = 0; i < 8; i++) {
            receives.receive(i, memory, 0, 64);
        }
        receives.post();
        FakeVerbs.sendsFailIntoSqe();
        FakeVerbs.failNextSend(WorkStatus.LOC_PROT_ERR.code());
        for (int i = 0; i < 8; i++) {
            sends.send(10 + i, memory, 0, 8).signaled();
        }
        sends.post();
        assertEquals(8, completions.poll());
        assertEquals(QueuePairState.SQE, queuePair.query().state());
        assertThrows(
                IllegalStateException.class, () -> sends.send(20, memory, 0, 8).post());
        sends.discard();

        queuePair.modify(Transition.to(QueuePairState.RTS).currentState(QueuePairState.SQE));
        assertEquals(QueuePairState.RTS, queuePair.state());
        assertTrue(queuePair.firstFailure().isEmpty());
        assertEquals(8, sends.available());
        assertEquals(0, receives.available());
        sends.send(21, memory, 128, 8).signaled();
        sends.post();
        assertEquals(2, completions.poll());
        completions.next();
        completions.requireSuccess();
    }

    @Test
    void shouldNotRecoverFromErr() {
        SendQueue sends = sends();
        FakeVerbs.failNextSend(WorkStatus.LOC_PROT_ERR.code());
        sends.send(1, memory, 0, 8).signaled();
        sends.post();
        assertEquals(1, completions().poll());
        assertTrue(assertThrows(IllegalStateException.class, () -> queuePair.modify(Transition.to(QueuePairState.RTS)))
                .getMessage()
                .contains("ERR -> RTS is not a transition of UC queue pairs"));
    }

    private static final AlternatePath OTHER = new AlternatePath(
            new AddressVector(Gid.ofHex("fe80000000000000000000000000000b"), 7, 1, 1, 2, 3, 4, 5), 6, 17);

    @Test
    void shouldHandOverAnAlternatePathAsItIs() {
        FakeVerbs.deviceNumber(0, "port.link_layer", 1);
        queuePair.connect(queuePair.initialize(gid()), UcPath.defaults());
        queuePair.modify(Transition.to(QueuePairState.RTS).alternatePath(OTHER));
        Modification last = FakeVerbs.modifications().getLast();
        assertEquals(1 | 1 << 14, last.mask());
        MemorySegment attributes = Arena.ofAuto().allocate(ibv_qp_attr.layout());
        attributes.copyFrom(last.attributes());
        assertEquals(OTHER.path(), AddressVectors.read(ibv_qp_attr.alt_ah_attr(attributes)));
        assertEquals(1, ibv_qp_attr.alt_port_num(attributes));
        assertEquals(6, ibv_qp_attr.alt_pkey_index(attributes));
        assertEquals(17, ibv_qp_attr.alt_timeout(attributes));
        assertEquals(OTHER, queuePair.query().alternatePath());
    }

    @Test
    void shouldRefuseAnAlternatePathOnEthernet() {
        queuePair.connect(queuePair.initialize(gid()), UcPath.defaults());
        FakeVerbs.clearRecords();
        UnsupportedCapabilityException thrown = assertThrows(
                UnsupportedCapabilityException.class,
                () -> queuePair.modify(Transition.to(QueuePairState.RTS).alternatePath(OTHER)));
        assertEquals("alternate paths", thrown.capability());
        assertEquals(List.of(), FakeVerbs.modifications());
    }

    @Test
    void shouldHandOverTheStateOfMigration() {
        queuePair.connect(queuePair.initialize(gid()), UcPath.defaults());
        queuePair.modify(Transition.to(QueuePairState.RTS).pathMigration(PathMigration.REARM));
        assertEquals(1 | 1 << 18, FakeVerbs.modifications().getLast().mask());
        assertEquals(PathMigration.REARM, queuePair.query().pathMigration());
    }
}
