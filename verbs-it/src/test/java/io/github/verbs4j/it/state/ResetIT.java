package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class ResetIT {
    @Test
    void shouldForgetOutstandingReceivesWithoutCompletions() {
        try (Link link = Link.builder().options(options -> options.depth(8, 8)).connected()) {
            int depth = link.server().receives().available();
            for (int i = 0; i < depth; i++) {
                link.server().receive(i, 0, 64);
            }
            assertEquals(0, link.server().receives().available());
            link.server().queuePair().reset();
            link.client().queuePair().reset();
            link.server().requireNothingCompleted();
            assertEquals(QueuePairState.RESET, link.server().queuePair().query().state());

            link.connect();
            assertEquals(depth, link.server().receives().available());
            link.server().receive(77, 0, 64);
            link.client().sends().send(1, link.client().memory(), 0, 64).signaled();
            link.client().post();
            link.server().await().requireSuccess(77, WorkOpcode.RECEIVE);
        }
    }

    @Test
    void shouldConnectAgainAndAgain() {
        try (Link link = Link.connected()) {
            for (int i = 0; i < 20; i++) {
                link.server().receive(i, 0, 64);
                link.client().sends().send(i, link.client().memory(), 0, 64).signaled();
                link.client().post();
                link.client().await().requireSuccess(i, WorkOpcode.SEND);
                link.server().await().requireSuccess(i, WorkOpcode.RECEIVE);
                link.client().queuePair().reset();
                link.server().queuePair().reset();
                link.connect();
            }
        }
    }
}
