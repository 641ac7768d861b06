package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.LargeRegions;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

class LargeMessageIT {
    private static long longest() {
        try (DeviceContext context = Rdma.open()) {
            return context.port(Rdma.port()).maxMessageLength();
        }
    }

    @Test
    void shouldSendOneMebibyte() {
        send(1 << 20);
    }

    @Test
    void shouldWriteAndReadOneMebibyte() {
        writeAndRead(1 << 20);
    }

    @Test
    void shouldSendThePortsLongestMessage() {
        send(longest());
    }

    @Test
    void shouldWriteAndReadThePortsLongestMessage() {
        writeAndRead(longest());
    }

    @Test
    void shouldRefuseAMessageLongerThanThePorts() {
        long over = longest() + 1;
        try (Link link = LargeRegions.made(() -> Link.builder().memory(over).connected())) {
            var thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client().sends().send(1, link.client().memory(), 0, over));
            assertTrue(thrown.getMessage().contains("max_msg_sz"), thrown::getMessage);
            assertEquals(0, link.client().sends().staged());
        }
    }

    private static void send(long length) {
        try (Link link = LargeRegions.made(() -> Link.builder().memory(length).connected())) {
            link.client().fill(0, length, length);
            link.server().receive(1, 0, length);
            link.client().sends().send(2, link.client().memory(), 0, length).signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            assertEquals(
                    length,
                    link.server().await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            link.server().verify(0, length, length);
        }
    }

    private static void writeAndRead(long length) {
        try (Link link = LargeRegions.made(() -> Link.builder().memory(length).connected())) {
            link.client().fill(0, length, -length);
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            length,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.server().verify(0, length, -length);

            link.client().memory().segment().fill((byte) 0);
            link.client()
                    .sends()
                    .read(
                            2,
                            link.client().memory(),
                            0,
                            length,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.READ);
            link.client().verify(0, length, -length);
        }
    }
}
