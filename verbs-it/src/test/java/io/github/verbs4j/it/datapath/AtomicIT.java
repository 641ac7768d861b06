package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AtomicCapability;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What rdma-core's own {@code test_atomic.py} tests, and what only Java refuses. */
class AtomicIT {
    private Link link;
    private MemoryRegion shared;
    private MemoryRegion results;

    @BeforeEach
    void connect() {
        link = Link.builder().unconnected();
        connect(Set.of(AccessFlag.REMOTE_ATOMIC));
        shared = link.server().domain().allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
        results = link.client().domain().allocate(64, AccessFlag.LOCAL_WRITE);
    }

    private void connect(Set<AccessFlag> allowedByServer) {
        QueuePairAddress client = link.client().initialize();
        QueuePairAddress server =
                link.server().queuePair().initialize(Rdma.gid(link.server().context()), allowedByServer);
        link.client().connect(server, RcPath.defaults());
        link.server().connect(client, RcPath.defaults());
    }

    @AfterEach
    void close() {
        results.close();
        shared.close();
        link.close();
    }

    private static long read(MemoryRegion region, long offset) {
        return region.segment().get(ValueLayout.JAVA_LONG, offset);
    }

    private void set(long value) {
        shared.segment().set(ValueLayout.JAVA_LONG, 16, value);
    }

    private void swap(long id, RemoteRegion remote, long expected, long replacement) {
        link.client()
                .sends()
                .compareAndSwap(id, results, 8, remote, 16, expected, replacement)
                .signaled();
        link.client().post();
    }

    private void requireFailure(WorkStatus... expected) {
        link.client().await().requireFailure(1, expected);
        assertEquals(42, read(shared, 16), "untouched");
    }

    @Test
    void shouldHaveAtomics() {
        assertEquals(
                AtomicCapability.DEVICE, link.client().context().attributes().atomicCapability());
    }

    @Test
    void shouldSwapWhatIsAsExpected() {
        set(0x0102_0304_0506_0708L);
        swap(1, shared.remote(), 0x0102_0304_0506_0708L, -1);
        link.client().await().requireSuccess(1, WorkOpcode.COMPARE_AND_SWAP);
        assertEquals(-1, read(shared, 16));
        assertEquals(0x0102_0304_0506_0708L, read(results, 8));
    }

    @Test
    void shouldLeaveWhatIsNotAsExpected() {
        set(7);
        swap(1, shared.remote(), 8, 9);
        link.client().await().requireSuccess(1, WorkOpcode.COMPARE_AND_SWAP);
        assertEquals(7, read(shared, 16));
        assertEquals(7, read(results, 8));
    }

    @Test
    void shouldFetchAndAddInOrder() {
        set(100);
        for (int i = 1; i <= 5; i++) {
            link.client()
                    .sends()
                    .fetchAndAdd(i, results, 8 * i, shared.remote(), 16, i)
                    .signaled();
        }
        link.client().post();
        long sum = 100;
        for (int i = 1; i <= 5; i++) {
            link.client().await().requireSuccess(i, WorkOpcode.FETCH_AND_ADD);
            assertEquals(sum, read(results, 8L * i));
            sum += i;
        }
        assertEquals(sum, read(shared, 16));
    }

    @Test
    void shouldWrapAround() {
        set(Long.MAX_VALUE);
        link.client().sends().fetchAndAdd(1, results, 0, shared.remote(), 16, 2).signaled();
        link.client().post();
        link.client().await().requireSuccess(1, WorkOpcode.FETCH_AND_ADD);
        assertEquals(Long.MIN_VALUE + 1, read(shared, 16));
    }

    @Test
    void shouldEndAnAtomicOnAQueuePairThatForbidsItWithAnError() {
        set(42);
        link.client().queuePair().reset();
        link.server().queuePair().reset();
        connect(Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE));
        swap(1, shared.remote(), 42, 43);
        requireFailure(WorkStatus.REM_INV_REQ_ERR, WorkStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldEndAnAtomicOnMemoryThatForbidsItWithRemoteAccessError() {
        try (MemoryRegion closed =
                link.server().domain().allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)) {
            swap(1, closed.remote(), 0, 43);
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            assertEquals(0, read(closed, 16));
        }
    }

    @Test
    void shouldEndAnAtomicWithAWrongRemoteKeyWithRemoteAccessError() {
        set(42);
        RemoteKey wrong = new RemoteKey(shared.remoteKey().value() ^ 0x55_5500);
        swap(1, new RemoteRegion(shared.address(), 64, wrong), 42, 43);
        requireFailure(WorkStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldEndAnAtomicIntoAClosedRegionWithALocalError() {
        set(42);
        link.client().sends().compareAndSwap(1, results, 8, shared.remote(), 16, 42, 43);
        results.close();
        link.client().post();
        link.client().await().requireFailure(1, WorkStatus.LOC_PROT_ERR, WorkStatus.LOC_QP_OP_ERR);
    }

    /** C gets EINVAL for it from {@code ibv_post_send}, or the queue pair breaks. */
    @Test
    void shouldRefuseAnAddressThatIsNotAMultipleOfEightBeforeItIsStaged() {
        for (long offset : new long[] {1, 4, 12}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client().sends().fetchAndAdd(1, results, 0, shared.remote(), offset, 1));
        }
        assertEquals(0, link.client().sends().staged());
    }
}
