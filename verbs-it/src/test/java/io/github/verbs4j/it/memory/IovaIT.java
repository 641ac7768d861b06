package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that work names by an address of the user's choice, at both ends. */
class IovaIT {
    @ParameterizedTest
    @ValueSource(longs = {0, 0x1000, 0x7654_3210_0000L})
    void shouldWriteReadAndReceiveByTheAddressChosen(long iova) {
        MemorySegment here = Arena.ofAuto().allocate(16384, 4096);
        MemorySegment there = Arena.ofAuto().allocate(16384, 4096);
        AccessFlag[] all = {AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ};
        try (Link link = Link.connected();
                MemoryRegion client = link.client().domain().registerAt(iova, here, all);
                MemoryRegion server = link.server().domain().registerAt(iova, there, all)) {
            assertEquals(iova, server.remote().address());
            Bytes.fill(here, 0, 5000, 3);
            link.client()
                    .sends()
                    .write(1, client, 0, 5000, server.remote(), 4000)
                    .signaled();
            link.client()
                    .sends()
                    .read(2, client, 8000, 5000, server.remote(), 4000)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.client().await().requireSuccess(2, WorkOpcode.READ);
            Bytes.verify(there, 4000, 5000, 3);
            Bytes.verify(here, 8000, 5000, 3);
            link.server().receives().receive(3, server, 10000, 16);
            link.server().receives().post();
            link.client().sends().send(4, client, 0, 16).inline().signaled();
            link.client().post();
            link.client().await().requireSuccess(4, WorkOpcode.SEND);
            link.server().await().requireSuccess(3, WorkOpcode.RECEIVE);
            assertEquals(-1, MemorySegment.mismatch(here, 0, 16, there, 10000, 10016));
        }
    }
}
