package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Watchdog;
import org.junit.jupiter.api.Test;

class DrainedStateIT {
    private static void drain(Link link) {
        link.client().queuePair().modify(Transition.to(QueuePairState.SQD));
        Watchdog.await(
                "the send queue to drain",
                () -> !link.client().queuePair().query().isDraining());
    }

    @Test
    void shouldDrainAndGoOn() {
        try (Link link = Link.connected()) {
            drain(link);
            assertEquals(QueuePairState.SQD, link.client().queuePair().state());
            assertEquals(QueuePairState.SQD, link.client().queuePair().query().state());

            link.client().queuePair().modify(Transition.to(QueuePairState.RTS));
            assertEquals(QueuePairState.RTS, link.client().queuePair().query().state());
            link.server().receive(1, 0, 64);
            link.client().sends().send(2, link.client().memory(), 0, 64).signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
        }
    }

    @Test
    void shouldChangeAttributesWhileDrained() {
        try (Link link = Link.connected()) {
            drain(link);
            link.client()
                    .queuePair()
                    .modify(Transition.to(QueuePairState.SQD).ackTimeout(10).retryCount(2));
            assertEquals(10, link.client().queuePair().query().ackTimeout());
            assertEquals(2, link.client().queuePair().query().retryCount());
        }
    }
}
