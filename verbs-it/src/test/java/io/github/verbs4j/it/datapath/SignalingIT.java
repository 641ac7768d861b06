package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class SignalingIT {
    @Test
    void shouldCompleteTheSignalledRequestsOnly() {
        try (Link link = Link.connected()) {
            for (int i = 0; i < 9; i++) {
                link.client()
                        .sends()
                        .write(
                                i,
                                link.client().memory(),
                                0,
                                8,
                                link.server().memory().remote(),
                                8 * i);
                if (i % 4 == 0) {
                    link.client().sends().signaled();
                }
            }
            link.client().post();
            for (int id : new int[] {0, 4, 8}) {
                link.client().await().requireSuccess(id, WorkOpcode.WRITE);
            }
            link.client().requireNothingCompleted();
        }
    }

    @Test
    void shouldFreeTheSlotsOfUnsignalledRequestsBehindASignalledOne() {
        try (Link link = Link.connected()) {
            int all = link.client().sends().available();
            for (int i = 0; i < 5; i++) {
                link.client()
                        .sends()
                        .write(
                                i,
                                link.client().memory(),
                                0,
                                8,
                                link.server().memory().remote(),
                                0);
            }
            link.client().post();
            assertEquals(all - 5, link.client().sends().available());
            link.client()
                    .sends()
                    .write(
                            5,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(5, WorkOpcode.WRITE);
            assertEquals(all, link.client().sends().available());
        }
    }
}
