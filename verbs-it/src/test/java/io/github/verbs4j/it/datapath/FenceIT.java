package io.github.verbs4j.it.datapath;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.RepeatedTest;

class FenceIT {
    /**
     * Without the fence the send may leave with what was there before the read. (Soft-RoCE happens to keep the order
     * anyway; that the flag is passed on is a unit test's business.)
     */
    @RepeatedTest(5)
    void shouldSendWhatAnEarlierReadBrought() {
        int length = 16 << 10;
        try (Link link = Link.connected()) {
            link.server().fill(0, length, 12);
            link.server().receive(1, length, length);
            link.client()
                    .sends()
                    .read(
                            2,
                            link.client().memory(),
                            0,
                            length,
                            link.server().memory().remote(),
                            0);
            link.client()
                    .sends()
                    .send(3, link.client().memory(), 0, length)
                    .fence()
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(3, WorkOpcode.SEND);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            link.server().verify(length, length, 12);
        }
    }
}
