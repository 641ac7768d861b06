package io.github.verbs4j.it.builders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.ExtendedSendQueue;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.FlushPlacement;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What rdma-core's own {@code test_qpex.py} tests of operations that Soft-RoCE got with Linux 6.2 and rdma-core 45. */
class NewerQpExIT {
    @Test
    @DisplayName("test_qp_ex_rc_atomic_write")
    void shouldWriteAtomically() {
        assumeTrue(isKernel(6, 2), "atomic writes need Linux 6.2");
        try (Link link = link(SendOperation.ATOMIC_WRITE);
                ExtendedSendQueue sends = connected(link, Set.of(AccessFlag.REMOTE_WRITE))) {
            sends.atomicWrite(2, 0x123456789abcdef0L, link.server().memory().remote(), 8)
                    .signaled();
            assertEquals(1, sends.post());
            link.client().await().requireSuccess(2, WorkOpcode.ATOMIC_WRITE);
            assertEquals(0x123456789abcdef0L, link.server().memory().segment().get(ValueLayout.JAVA_LONG, 8));
        }
    }

    /** The library has it, the kernel does not: the request fails, and nothing else does. */
    @Test
    void shouldTellThatAnOldKernelDoesNotWriteAtomically() {
        assumeTrue(!isKernel(6, 2), "this kernel writes atomically");
        try (Link link = link(SendOperation.ATOMIC_WRITE);
                ExtendedSendQueue sends = connected(link, Set.of(AccessFlag.REMOTE_WRITE))) {
            sends.atomicWrite(2, 1, link.server().memory().remote(), 8).signaled();
            assertEquals(1, sends.post());
            link.client().await().requireFailure(2, WorkStatus.LOC_QP_OP_ERR);
        }
    }

    @Test
    @DisplayName("test_qp_ex_rc_flush")
    void shouldFlushWhatWasWritten() {
        try (Link link = flushing();
                MemoryRegion target = target(link, AccessFlag.FLUSH_GLOBAL);
                ExtendedSendQueue sends = connected(link, flushes())) {
            link.client().fill(0, 64, 7);
            sends.write(1, link.client().memory(), 0, 64, target.remote(), 0);
            sends.flush(2, FlushPlacement.GLOBAL, target.remote(), 0, 64).signaled();
            assertEquals(2, sends.post());
            link.client().await().requireSuccess(2, WorkOpcode.FLUSH);
            Bytes.verify(target.segment(), 0, 64, 7);
        }
    }

    @Test
    @DisplayName("test_qp_ex_rc_flush_type_violate")
    void shouldRefuseAFlushThatTheRegionDoesNotAllow() {
        try (Link link = flushing();
                MemoryRegion target = target(link, AccessFlag.FLUSH_GLOBAL);
                ExtendedSendQueue sends = connected(link, flushes())) {
            sends.flush(2, FlushPlacement.PERSISTENT, target.remote(), 0, 64).signaled();
            assertEquals(1, sends.post());
            link.client().await().requireFailure(2, WorkStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void shouldNameWhatAnOldLibraryCannotBuild() {
        assumeTrue(!canFlush(), "this library builds flushes");

        UnsupportedCapabilityException refused =
                assertThrows(UnsupportedCapabilityException.class, () -> link(SendOperation.FLUSH));

        assertEquals("building one of [WRITE, FLUSH] in a queue pair of type RC", refused.capability());
        assertEquals("rxe", refused.provider());
    }

    private static Link flushing() {
        assumeTrue(canFlush(), "flushes need rdma-core 45");
        assumeTrue(isKernel(6, 2), "flushes need Linux 6.2");
        return link(SendOperation.FLUSH);
    }

    private static boolean canFlush() {
        try (Link made = link(SendOperation.FLUSH)) {
            return made != null;
        } catch (UnsupportedCapabilityException e) {
            return false;
        }
    }

    private static Link link(SendOperation operation) {
        return Link.builder()
                .options(options -> options.extended(operation, SendOperation.WRITE))
                .unconnected();
    }

    private static Set<AccessFlag> flushes() {
        return Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT);
    }

    private static MemoryRegion target(Link link, AccessFlag flush) {
        return link.server().domain().allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, flush);
    }

    private static ExtendedSendQueue connected(Link link, Set<AccessFlag> allowed) {
        QueuePairAddress client = link.client().initialize();
        QueuePairAddress server =
                link.server().queuePair().initialize(Rdma.gid(link.server().context()), allowed);
        link.client().connect(server, RcPath.defaults());
        link.server().connect(client, RcPath.defaults());
        link.client().sends().close();
        return ExtendedSendQueue.over(link.client().queuePair());
    }

    private static boolean isKernel(int major, int minor) {
        String[] release = Host.local().kernelRelease().orElse("0.0").split("[^0-9]+", 3);
        int ours = Integer.parseInt(release[0]);
        return ours > major || ours == major && Integer.parseInt(release[1]) >= minor;
    }
}
