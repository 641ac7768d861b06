package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessFlagsIT {
    @Test
    void shouldEndAWriteToMemoryWithoutRemoteWriteWithRemoteAccessError() {
        try (Link link = Link.connected();
                MemoryRegion closed =
                        link.server().domain().allocate(100, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ)) {
            link.client()
                    .sends()
                    .write(1, link.client().memory(), 0, 8, closed.remote(), 0)
                    .signaled();
            link.client().post();
            String message = link.client()
                    .await()
                    .requireFailure(1, WorkStatus.REM_ACCESS_ERR)
                    .getMessage();
            assertTrue(message.contains("access flags"), message);
        }
    }

    @Test
    void shouldEndAReadOfMemoryWithoutRemoteReadWithRemoteAccessError() {
        try (Link link = Link.connected();
                MemoryRegion closed =
                        link.server().domain().allocate(100, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)) {
            link.client()
                    .sends()
                    .read(1, link.client().memory(), 0, 8, closed.remote(), 0)
                    .signaled();
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void shouldEndAWriteToAQueuePairThatForbidsItWithAnError() {
        try (Link link = Link.builder().unconnected()) {
            QueuePairAddress client = link.client().initialize();
            QueuePairAddress server = link.server()
                    .queuePair()
                    .initialize(Rdma.gid(link.server().context()), Set.of(AccessFlag.REMOTE_READ));
            link.client().connect(server, RcPath.defaults());
            link.server().connect(client, RcPath.defaults());
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            WorkStatus status = link.client().await().status();
            assertTrue(status == WorkStatus.REM_INV_REQ_ERR || status == WorkStatus.REM_ACCESS_ERR, status::toString);
            link.server().verifyUntouched(0, 8);
        }
    }

    @Test
    void shouldRefuseReceivesAndReadsIntoMemoryWithoutLocalWrite() {
        try (Link link = Link.connected();
                MemoryRegion readOnly = link.client().domain().allocate(100, AccessFlag.REMOTE_READ)) {
            var receive = assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client().receives().receive(1, readOnly, 0, 8));
            assertTrue(receive.getMessage().contains("LOCAL_WRITE"), receive::getMessage);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client()
                            .sends()
                            .read(1, readOnly, 0, 8, link.server().memory().remote(), 0));
        }
    }
}
