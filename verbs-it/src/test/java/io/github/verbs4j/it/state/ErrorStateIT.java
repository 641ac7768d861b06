package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class ErrorStateIT {
    @Test
    void shouldFlushPostedReceivesInOrder() {
        try (Link link = Link.connected()) {
            for (int i = 0; i < 10; i++) {
                link.server().receive(i, 0, 64);
            }
            link.server().queuePair().toError();
            for (int i = 0; i < 10; i++) {
                link.server().await().requireFailure(i, WorkStatus.WR_FLUSH_ERR);
            }
            assertEquals(QueuePairState.ERR, link.server().queuePair().query().state());
            assertTrue(link.server().queuePair().firstFailure().isEmpty(), "a flush alone is no failure");
        }
    }

    @Test
    void shouldFlushSendsUnderWay() {
        try (Link link = Link.connected()) {
            for (int i = 0; i < 5; i++) {
                link.client().sends().send(i, link.client().memory(), 0, 64).signaled(); // no receive: they wait
            }
            link.client().post();
            link.client().queuePair().toError();
            for (int i = 0; i < 5; i++) {
                link.client().await().requireFailure(i, WorkStatus.WR_FLUSH_ERR);
            }
        }
    }
}
