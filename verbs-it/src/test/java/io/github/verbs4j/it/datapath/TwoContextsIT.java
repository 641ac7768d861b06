package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class TwoContextsIT {
    @Test
    void shouldConnectTwoContextsOfOneDevice() {
        try (Link link = Link.builder().separateContexts().connected()) {
            assertNotEquals(
                    link.client().context().handle().address(),
                    link.server().context().handle().address());
            link.client().fill(0, 3000, 1);
            link.server().receive(1, 0, 4096);
            link.client().sends().send(2, link.client().memory(), 0, 3000);
            link.client()
                    .sends()
                    .write(
                            3,
                            link.client().memory(),
                            0,
                            3000,
                            link.server().memory().remote(),
                            8192)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(3, WorkOpcode.WRITE);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            link.server().verify(0, 3000, 1);
            link.server().verify(8192, 3000, 1);
        }
    }
}
