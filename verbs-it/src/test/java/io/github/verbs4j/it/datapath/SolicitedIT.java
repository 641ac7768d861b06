package io.github.verbs4j.it.datapath;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class SolicitedIT {
    @Test
    void shouldDeliverSolicitedMessagesLikeOthers() {
        try (Link link = Link.connected()) {
            link.client().fill(0, 100, 1);
            link.server().receive(1, 0, 100);
            link.server().receive(2, 200, 100);
            link.client().sends().send(3, link.client().memory(), 0, 100).solicited();
            link.client()
                    .sends()
                    .writeImmediate(
                            4,
                            link.client().memory(),
                            0,
                            100,
                            link.server().memory().remote(),
                            400,
                            9)
                    .solicited()
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(4, WorkOpcode.WRITE);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            link.server().await().requireSuccess(2, WorkOpcode.RECEIVE_WRITE_IMMEDIATE);
            link.server().verify(0, 100, 1);
            link.server().verify(400, 100, 1);
        }
    }
}
