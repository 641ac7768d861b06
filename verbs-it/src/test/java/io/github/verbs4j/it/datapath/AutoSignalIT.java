package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class AutoSignalIT {
    @Test
    void shouldSignalTheRequestThatTakesTheLastSlot() {
        try (Link link = Link.builder().options(options -> options.depth(8, 8)).connected()) {
            SendQueue sends = link.client().sends();
            int depth = sends.available();
            for (int i = 0; i < depth; i++) {
                sends.write(
                        i, link.client().memory(), 0, 8, link.server().memory().remote(), 0);
            }
            assertEquals(depth, sends.post());
            link.client().await().requireSuccess(depth - 1, WorkOpcode.WRITE);
            link.client().requireNothingCompleted();
            assertEquals(depth, sends.available());
        }
    }

    @Test
    void shouldGoRoundManyTimesWithoutTheCallersSignalling() {
        try (Link link = Link.builder().options(options -> options.depth(4, 4)).connected()) {
            SendQueue sends = link.client().sends();
            int depth = sends.available();
            int posted = 0;
            int polled = 0;
            while (posted < 100 * depth) {
                link.client().fill(0, 8, posted);
                sends.write(
                        posted,
                        link.client().memory(),
                        0,
                        8,
                        link.server().memory().remote(),
                        8 * (posted % 100));
                if (sends.post() == 0) {
                    assertTrue(link.client().await().id() >= polled * depth, "id of the completion");
                    polled++;
                    assertEquals(1, sends.post(), "room after the completion");
                }
                posted++;
            }
            assertTrue(polled >= 98, "polled " + polled);
        }
    }
}
