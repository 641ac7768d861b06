package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class BatchIT {
    @Test
    void shouldPost64SendsAnd64ReceivesInOneCallEach() {
        try (Link link = Link.connected()) {
            for (int i = 0; i < 64; i++) {
                link.client().fill(i * 512, 512, i);
                link.client()
                        .sends()
                        .send(i, link.client().memory(), i * 512, 512)
                        .signaled();
                link.server().receives().receive(1000 + i, link.server().memory(), i * 1024, 1024);
            }
            assertEquals(64, link.server().receives().post());
            assertEquals(64, link.client().sends().post());
            for (int i = 0; i < 64; i++) {
                link.client().await().requireSuccess(i, WorkOpcode.SEND);
                link.server().await().requireSuccess(1000 + i, WorkOpcode.RECEIVE);
                link.server().verify(i * 1024, 512, i);
            }
        }
    }

    @Test
    void shouldMixOperationsInOneBatch() {
        try (Link link = Link.connected()) {
            var memory = link.client().memory();
            var remote = link.server().memory().remote();
            link.client().fill(0, 3000, 1);
            link.server().fill(50_000, 1000, 2);
            link.server().receive(1, 10_000, 1000);
            link.server().receive(2, 0, 0);
            link.client()
                    .sends()
                    .send(11, memory, 0, 1000)
                    .signaled()
                    .write(12, memory, 1000, 1000, remote, 20_000)
                    .read(13, memory, 40_000, 1000, remote, 50_000)
                    .signaled()
                    .writeImmediate(14, memory, 0, 3000, remote, 30_000, 5)
                    .signaled();
            assertEquals(4, link.client().sends().post());

            link.client().await().requireSuccess(11, WorkOpcode.SEND);
            link.client().await().requireSuccess(13, WorkOpcode.READ);
            link.client().await().requireSuccess(14, WorkOpcode.WRITE);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            link.server().await().requireSuccess(2, WorkOpcode.RECEIVE_WRITE_IMMEDIATE);
            link.server().verify(30_000, 3000, 1);
            link.client().verify(40_000, 1000, 2);
            assertEquals(
                    -1,
                    memory.segment()
                            .asSlice(1000, 1000)
                            .mismatch(link.server().memory().segment().asSlice(20_000, 1000)));
        }
    }

    @Test
    void shouldForgetWhatIsDiscarded() {
        try (Link link = Link.connected()) {
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0);
            link.client().sends().discard();
            assertEquals(0, link.client().sends().post());
            assertEquals(0, link.client().sends().staged());
            link.client()
                    .sends()
                    .write(
                            2,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.WRITE);
        }
    }
}
