package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendIT {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 1023, 1024, 1025, 4096, 4097, 65_535})
    void shouldDeliverEveryByteAndNoMore(int length) {
        try (Link link = Link.builder().memory(128 << 10).connected()) {
            link.client().fill(7, length, length);
            link.server().receive(11, 3, 65_536);
            link.client().sends().send(22, link.client().memory(), 7, length).signaled();
            link.client().post();

            link.client().await().requireSuccess(22, WorkOpcode.SEND);
            Done received = link.server().await().requireSuccess(11, WorkOpcode.RECEIVE);
            assertEquals(length, received.byteLength());
            assertTrue(received.immediate().isEmpty(), "immediate data");
            link.server().verify(3, length, length);
            link.server().verifyUntouched(0, 3);
            link.server().verifyUntouched(3 + length, 1000);
        }
    }

    @Test
    void shouldTakeReceivesInOrderOfPosting() {
        try (Link link = Link.connected()) {
            for (int i = 0; i < 10; i++) {
                link.client().fill(i * 100, 100, i);
                link.server().receive(i, i * 200, 200);
            }
            for (int i = 0; i < 10; i++) {
                link.client()
                        .sends()
                        .send(100 + i, link.client().memory(), i * 100, 100)
                        .signaled();
                link.client().post();
            }
            for (int i = 0; i < 10; i++) {
                link.client().await().requireSuccess(100 + i, WorkOpcode.SEND);
                link.server().await().requireSuccess(i, WorkOpcode.RECEIVE);
                link.server().verify(i * 200, 100, i);
            }
        }
    }

    @Test
    void shouldGiveBackAll64BitsOfTheId() {
        try (Link link = Link.connected()) {
            long[] ids = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x0123_4567_89ab_cdefL, 1L << 32};
            for (long id : ids) {
                link.server().receive(~id, 0, 8);
                link.client().sends().send(id, link.client().memory(), 0, 8).signaled();
            }
            link.client().post();
            for (long id : ids) {
                link.client().await().requireSuccess(id, WorkOpcode.SEND);
                link.server().await().requireSuccess(~id, WorkOpcode.RECEIVE);
            }
        }
    }

    @Test
    void shouldCarryBothDirectionsAtOnce() {
        try (Link link = Link.connected()) {
            link.client().fill(0, 5000, 1);
            link.server().fill(0, 6000, 2);
            link.client().receive(1, 8192, 8192);
            link.server().receive(2, 8192, 8192);
            link.client().sends().send(3, link.client().memory(), 0, 5000);
            link.server().sends().send(4, link.server().memory(), 0, 6000);
            link.client().post();
            link.server().post();

            assertEquals(
                    6000,
                    link.client().await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            assertEquals(
                    5000,
                    link.server().await().requireSuccess(2, WorkOpcode.RECEIVE).byteLength());
            link.client().verify(8192, 6000, 2);
            link.server().verify(8192, 5000, 1);
        }
    }
}
