package io.github.verbs4j.it.datapath;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class SeparateQueuesIT {
    @Test
    void shouldReportSendsAndReceivesWhereTold() {
        try (Link link = Link.builder().separateQueues().connected()) {
            link.client().fill(0, 500, 1);
            link.client().receive(1, 1000, 500);
            link.server().receive(2, 1000, 500);
            link.server().fill(0, 500, 2);
            link.client().sends().send(3, link.client().memory(), 0, 500).signaled();
            link.client().post();
            Done.next(link.server().receiveCompletions()).requireSuccess(2, WorkOpcode.RECEIVE);
            link.server().sends().send(4, link.server().memory(), 0, 500).signaled();
            link.server().post();
            Done.next(link.client().receiveCompletions()).requireSuccess(1, WorkOpcode.RECEIVE);
            link.client().await().requireSuccess(3, WorkOpcode.SEND);
            link.server().await().requireSuccess(4, WorkOpcode.SEND);

            link.client().requireNothingCompleted();
            link.server().requireNothingCompleted();
            link.client().verify(1000, 500, 2);
            link.server().verify(1000, 500, 1);
        }
    }
}
