package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendImmediateIT {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, 0x0102_0304, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldCarryImmediateDataBesideTheMessage(int immediate) {
        try (Link link = Link.connected()) {
            link.client().fill(0, 300, immediate);
            link.server().receive(1, 0, 1024);
            link.client()
                    .sends()
                    .sendImmediate(2, link.client().memory(), 0, 300, immediate)
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            Done received = link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            assertEquals(OptionalInt.of(immediate), received.immediate());
            assertEquals(300, received.byteLength());
            link.server().verify(0, 300, immediate);
        }
    }
}
