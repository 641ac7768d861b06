package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ZeroLengthIT {
    @Test
    void shouldSendAnEmptyMessage() {
        try (Link link = Link.connected()) {
            link.server().receive(1, 0, 100);
            link.client().sends().send(2, link.client().memory(), 0, 0).signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            assertEquals(
                    0,
                    link.server().await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            link.server().verifyUntouched(0, 100);
        }
    }

    @Test
    void shouldReceiveIntoNoMemory() {
        try (Link link = Link.connected()) {
            link.server().receive(1, 0, 0);
            link.client()
                    .sends()
                    .sendImmediate(2, link.client().memory(), 0, 0, 42)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            Done received = link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            assertEquals(OptionalInt.of(42), received.immediate());
            assertEquals(0, received.byteLength());
        }
    }

    @Test
    void shouldWriteAndReadNothing() {
        try (Link link = Link.connected()) {
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            0,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client()
                    .sends()
                    .read(
                            2,
                            link.client().memory(),
                            0,
                            0,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.client().await().requireSuccess(2, WorkOpcode.READ);
        }
    }
}
