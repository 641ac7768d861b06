package io.github.verbs4j.it.builders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.MemoryWindow;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What rdma-core's own {@code test_qpex.py} tests of reliable connections, under its names: requests that are built
 * ({@code ibv_wr_*}) and not posted. The defects that Soft-RoCE has there are not met.
 */
class QpExIT {
    private static final int LENGTH = 1024;
    private static final Set<AccessFlag> EVERYTHING =
            EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private Link link;

    @BeforeEach
    void connect() {
        link = Link.builder()
                .options(options -> options.segments(4, 1)
                        .inline(256)
                        .extended(
                                SendOperation.SEND,
                                SendOperation.SEND_IMMEDIATE,
                                SendOperation.SEND_INVALIDATE,
                                SendOperation.WRITE,
                                SendOperation.WRITE_IMMEDIATE,
                                SendOperation.READ,
                                SendOperation.COMPARE_AND_SWAP,
                                SendOperation.FETCH_AND_ADD,
                                SendOperation.LOCAL_INVALIDATE,
                                SendOperation.BIND_MEMORY_WINDOW))
                .unconnected();
        QueuePairAddress client = link.client().initialize();
        QueuePairAddress server =
                link.server().queuePair().initialize(Rdma.gid(link.server().context()), EVERYTHING);
        link.client().connect(server, RcPath.defaults());
        link.server().connect(client, RcPath.defaults());
        link.client().fill(0, LENGTH, 7);
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Test
    @DisplayName("test_qp_ex_rc_send")
    void shouldSend() {
        link.server().receive(1, 0, LENGTH);
        link.client().sends().send(2, link.client().memory(), 0, LENGTH).signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.SEND);
        link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
        link.server().verify(0, LENGTH, 7);
    }

    @Test
    @DisplayName("test_qp_ex_rc_send_imm")
    void shouldSendWithImmediate() {
        link.server().receive(1, 0, LENGTH);
        link.client()
                .sends()
                .sendImmediate(2, link.client().memory(), 0, LENGTH, 0x12345678)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.SEND);
        Done received = link.server().await();
        received.requireSuccess(1, WorkOpcode.RECEIVE);
        assertEquals(0x12345678, received.immediate().orElseThrow());
        link.server().verify(0, LENGTH, 7);
    }

    @Test
    @DisplayName("test_qp_ex_rc_rdma_write")
    void shouldWrite() {
        link.client()
                .sends()
                .write(
                        2,
                        link.client().memory(),
                        0,
                        LENGTH,
                        link.server().memory().remote(),
                        64)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.WRITE);
        link.server().verify(64, LENGTH, 7);
    }

    @Test
    @DisplayName("test_qp_ex_rc_rdma_write_imm")
    void shouldWriteWithImmediate() {
        link.server().receive(1, 0, 0);
        link.client()
                .sends()
                .writeImmediate(
                        2,
                        link.client().memory(),
                        0,
                        LENGTH,
                        link.server().memory().remote(),
                        64,
                        0x87654321)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.WRITE);
        Done received = link.server().await();
        received.requireSuccess(1, WorkOpcode.RECEIVE_WRITE_IMMEDIATE);
        assertEquals(0x87654321, received.immediate().orElseThrow());
        link.server().verify(64, LENGTH, 7);
    }

    @Test
    @DisplayName("test_qp_ex_rc_rdma_write_zero_size")
    void shouldWriteNothing() {
        link.client()
                .sends()
                .write(2, link.client().memory(), 0, 0, link.server().memory().remote(), 0)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.WRITE);
        link.server().verifyUntouched(0, LENGTH);
    }

    @Test
    @DisplayName("test_qp_ex_rc_rdma_read")
    void shouldRead() {
        link.server().fill(0, LENGTH, 9);
        link.client()
                .sends()
                .read(
                        2,
                        link.client().memory(),
                        2048,
                        LENGTH,
                        link.server().memory().remote(),
                        0)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.READ);
        link.client().verify(2048, LENGTH, 9);
    }

    @Test
    @DisplayName("test_qp_ex_rc_rdma_read_zero_size")
    void shouldReadNothing() {
        link.client()
                .sends()
                .read(2, link.client().memory(), 2048, 0, link.server().memory().remote(), 0)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.READ);
        link.client().verifyUntouched(2048, LENGTH);
    }

    @Test
    @DisplayName("test_qp_ex_rc_atomic_cmp_swp")
    void shouldCompareAndSwap() {
        try (MemoryRegion target = atomicTarget(5)) {
            link.client()
                    .sends()
                    .compareAndSwap(2, link.client().memory(), 2048, target.remote(), 8, 5, 6)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.COMPARE_AND_SWAP);
            assertEquals(6, target.segment().get(ValueLayout.JAVA_LONG, 8));
            assertEquals(5, link.client().memory().segment().get(ValueLayout.JAVA_LONG, 2048));
        }
    }

    @Test
    @DisplayName("test_qp_ex_rc_atomic_fetch_add")
    void shouldFetchAndAdd() {
        try (MemoryRegion target = atomicTarget(5)) {
            link.client()
                    .sends()
                    .fetchAndAdd(2, link.client().memory(), 2048, target.remote(), 8, -7)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.FETCH_AND_ADD);
            assertEquals(-2, target.segment().get(ValueLayout.JAVA_LONG, 8));
            assertEquals(5, link.client().memory().segment().get(ValueLayout.JAVA_LONG, 2048));
        }
    }

    private MemoryRegion atomicTarget(long value) {
        MemoryRegion target = link.server().domain().allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
        target.segment().set(ValueLayout.JAVA_LONG, 8, value);
        return target;
    }

    /** Opened, used, shut by the peer. */
    @Test
    @DisplayName("test_qp_ex_rc_bind_mw")
    void shouldBindAWindow() {
        try (MemoryRegion region =
                        link.server().domain().allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND);
                MemoryWindow window = link.server().domain().allocateMemoryWindow(MemoryWindowType.TYPE_2)) {
            link.server()
                    .sends()
                    .bind(1, window, region, 1024, 2048, Set.of(AccessFlag.REMOTE_WRITE))
                    .signaled();
            link.server().post();
            link.server().await().requireSuccess(1, WorkOpcode.BIND_MEMORY_WINDOW);

            RemoteKey key = window.remote().key();
            link.server().receive(2, 0, 64);
            link.client().sends().write(3, link.client().memory(), 0, LENGTH, window.remote(), 8);
            link.client()
                    .sends()
                    .sendInvalidate(4, link.client().memory(), 0, 64, key)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(4, WorkOpcode.SEND);
            link.server().await().requireSuccess(2, WorkOpcode.RECEIVE);
            Bytes.verify(region.segment(), 1024 + 8, LENGTH, 7);
        }
    }

    @Test
    @DisplayName("test_post_send_qp_state_bad_flow")
    void shouldRefuseToBuildOutsideOfReadyToSend() {
        link.client().queuePair().reset();
        link.client().sends().send(1, link.client().memory(), 0, 8);

        String message = assertThrows(
                        IllegalStateException.class, () -> link.client().sends().post())
                .getMessage();

        assertTrue(message.contains("sends need RTS"), message);
        link.client().sends().discard();
    }

    /** Soft-RoCE of rdma-core 44 sends the wrong length if a builder is given several pieces of different lengths. */
    @Test
    void shouldGatherPiecesOfDifferentLengths() {
        link.server().receive(1, 0, LENGTH);
        link.client()
                .sends()
                .send(2, link.client().memory(), 0, 10)
                .and(link.client().memory(), 10, 500)
                .and(link.client().memory(), 510, LENGTH - 510)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.SEND);
        Done received = link.server().await();
        received.requireSuccess(1, WorkOpcode.RECEIVE);
        assertEquals(LENGTH, received.byteLength());
        link.server().verify(0, LENGTH, 7);
    }

    /** Soft-RoCE of rdma-core 44 sends nothing if a builder is given several inline pieces. */
    @Test
    void shouldGatherInlinePieces() {
        link.server().receive(1, 0, LENGTH);
        link.client()
                .sends()
                .send(2, link.client().memory(), 0, 10)
                .inline()
                .and(link.client().memory(), 10, 100)
                .and(link.client().memory(), 110, 90)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.SEND);
        Done received = link.server().await();
        received.requireSuccess(1, WorkOpcode.RECEIVE);
        assertEquals(200, received.byteLength());
        link.server().verify(0, 200, 7);
    }

    /** More batches than the ring has room for, each in a section of its own. */
    @Test
    void shouldBuildBatchesAroundTheRing() {
        for (int round = 0; round < 100; round++) {
            link.client().fill(0, LENGTH, round);
            for (int part = 0; part < 4; part++) {
                link.client()
                        .sends()
                        .write(
                                part,
                                link.client().memory(),
                                part * 256L,
                                256,
                                link.server().memory().remote(),
                                part * 256L);
            }
            link.client().sends().signaled();
            link.client().post();
            link.client().await().requireSuccess(3, WorkOpcode.WRITE);
            link.server().verify(0, LENGTH, round);
        }
    }

    @Test
    void shouldReportAFailedRequest() {
        link.client().sends().write(2, link.client().memory(), 0, 8, new RemoteRegion(0, 8, new RemoteKey(1)), 0);
        link.client().post();
        link.client().await().requireFailure(2, WorkStatus.REM_ACCESS_ERR);
    }
}
