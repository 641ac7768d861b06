package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Link;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A region may be closed at any time: the work that names it fails with a status, and nothing else happens. */
class ClosedRegionIT {
    private static final int LENGTH = 1 << 20;

    private static MemoryRegion allocate(End end) {
        return end.domain().allocate(LENGTH, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
    }

    @Test
    void shouldRefuseWorkWithAClosedRegion() {
        try (Link link = Link.connected()) {
            MemoryRegion region = allocate(link.client());
            region.close();
            var send = assertThrows(
                    IllegalStateException.class, () -> link.client().sends().send(1, region, 0, 8));
            assertTrue(send.getMessage().contains("is closed"), send::getMessage);
            assertThrows(
                    IllegalStateException.class, () -> link.client().receives().receive(1, region, 0, 8));
            assertEquals(0, link.client().sends().staged());
        }
    }

    /** Soft-RoCE of Linux 6.12 flushes the very request that failed at this end. */
    @Test
    void shouldFailASendOfARegionClosedAfterStaging() {
        try (Link link = Link.connected()) {
            MemoryRegion region = allocate(link.client());
            link.server().receive(9, 0, 4096);
            link.client().sends().send(1, region, 0, 4096).signaled();
            region.close();
            link.client().post();
            link.client()
                    .await()
                    .requireFailure(1, WorkStatus.LOC_PROT_ERR, WorkStatus.LOC_QP_OP_ERR, WorkStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void shouldFailAWriteToARegionThatThePeerClosed() {
        try (Link link = Link.connected()) {
            MemoryRegion region = allocate(link.server());
            RemoteRegion remote = region.remote();
            region.close();
            link.client()
                    .sends()
                    .write(1, link.client().memory(), 0, 4096, remote, 0)
                    .signaled();
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void shouldFailAReceiveIntoAClosedRegion() {
        try (Link link = Link.connected()) {
            MemoryRegion region = allocate(link.server());
            link.server().receives().receive(1, region, 0, 4096);
            link.server().receives().post();
            region.close();
            link.client().sends().send(2, link.client().memory(), 0, 4096).signaled();
            link.client().post();
            link.server().await().requireFailure(1, WorkStatus.LOC_PROT_ERR, WorkStatus.LOC_QP_OP_ERR);
            link.client().await().requireFailure(2, WorkStatus.REM_OP_ERR);
        }
    }

    /** The pages are freed in the middle of the transfer. */
    @RepeatedTest(5)
    void shouldSurviveClosingBothRegionsInTheMiddleOfWrites() {
        try (Link link = Link.connected()) {
            MemoryRegion from = allocate(link.client());
            MemoryRegion to = allocate(link.server());
            for (int i = 0; i < 4; i++) {
                link.client().sends().write(i, from, 0, LENGTH, to.remote(), 0).signaled();
            }
            link.client().post();
            to.close();
            from.close();
            Set<WorkStatus> possible = Set.of(
                    WorkStatus.SUCCESS,
                    WorkStatus.REM_ACCESS_ERR,
                    WorkStatus.LOC_PROT_ERR,
                    WorkStatus.LOC_QP_OP_ERR,
                    WorkStatus.WR_FLUSH_ERR);
            for (Done done : link.client().await(4)) {
                assertTrue(possible.contains(done.status()), done::toString);
            }
        }
    }
}
