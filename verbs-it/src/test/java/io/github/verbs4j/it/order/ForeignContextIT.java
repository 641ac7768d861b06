package io.github.verbs4j.it.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class ForeignContextIT {
    @Test
    void shouldRefuseACompletionQueueOfAnotherContext() {
        try (Link link = Link.builder().separateContexts().unconnected()) {
            long reserved = link.server().sendQueue().reserved();
            var thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client()
                            .domain()
                            .createRc(QueuePairOptions.sharing(link.server().sendQueue())));
            Troubleshooting.line("A5").when("two contexts").mustBeIn(thrown.getMessage());
            assertTrue(thrown.getMessage().contains(link.client().domain().toString()), thrown::getMessage);
            assertTrue(thrown.getMessage().contains(link.server().sendQueue().toString()), thrown::getMessage);
            assertEquals(reserved, link.server().sendQueue().reserved());
        }
    }

    @Test
    void shouldRefuseAReceiveQueueOfAnotherContext() {
        try (Link link = Link.builder().separateContexts().unconnected()) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client()
                            .domain()
                            .createRc(QueuePairOptions.separate(
                                    link.client().sendQueue(), link.server().sendQueue())));
        }
    }

    @Test
    void shouldRefuseMemoryOfAnotherDomain() {
        try (Link link = Link.connected()) {
            var thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client().sends().send(1, link.server().memory(), 0, 8));
            assertTrue(thrown.getMessage().contains("register the memory there"), thrown::getMessage);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> link.client().receives().receive(1, link.server().memory(), 0, 8));
        }
    }
}
