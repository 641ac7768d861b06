package io.github.verbs4j.it.memory;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

/** What rdma-core's own {@code test_relaxed_ordering.py} tests of reliable connections. */
class RelaxedOrderingIT {
    @Test
    void shouldCarryMessagesBetweenRegionsThatAllowIt() {
        try (Link link = Link.connected();
                MemoryRegion client =
                        link.client().domain().allocate(8192, AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING);
                MemoryRegion server =
                        link.server().domain().allocate(8192, AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING)) {
            for (int i = 0; i < 100; i++) {
                Bytes.fill(client.segment(), 0, 1024, i);
                link.server().receives().receive(i, server, 1024, 1024);
                link.server().receives().post();
                link.client().sends().send(i, client, 0, 1024).signaled();
                link.client().post();
                link.client().await().requireSuccess(i, WorkOpcode.SEND);
                link.server().await().requireSuccess(i, WorkOpcode.RECEIVE);
                Bytes.verify(server.segment(), 1024, 1024, i);
            }
        }
    }
}
