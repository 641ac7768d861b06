package io.github.verbs4j.it.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class ReceiverNotReadyIT {
    @Test
    void shouldFailWhenNoReceiveComesInTime() {
        try (Link link = Link.builder().path(RcPath.defaults().withRnr(1, 1)).connected()) {
            link.client().sends().send(1, link.client().memory(), 0, 8).signaled();
            link.client().post();
            WorkFailedException failure = link.client().await().requireFailure(1, WorkStatus.RNR_RETRY_EXC_ERR);
            assertTrue(failure.getMessage().contains("post receives before the peer sends"), failure::getMessage);
        }
    }

    @Test
    void shouldWaitForALateReceive() throws InterruptedException {
        try (Link link = Link.connected()) {
            link.client().fill(0, 100, 1);
            link.client().sends().send(1, link.client().memory(), 0, 100).signaled();
            link.client().post();
            Thread.sleep(50);
            link.client().requireNothingCompleted();
            link.server().receive(2, 0, 100);
            link.client().await().requireSuccess(1, WorkOpcode.SEND);
            assertEquals(
                    100,
                    link.server().await().requireSuccess(2, WorkOpcode.RECEIVE).byteLength());
            link.server().verify(0, 100, 1);
        }
    }
}
