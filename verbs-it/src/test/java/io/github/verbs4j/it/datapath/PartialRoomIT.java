package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class PartialRoomIT {
    @Test
    void shouldPostWhatFitsAndTheRestLaterInOrder() {
        try (Link link = Link.builder()
                .options(options -> options.depth(8, 64).inline(16))
                .connected()) {
            SendQueue sends = link.client().sends();
            int depth = sends.available();
            int all = 2 * depth;
            for (int i = 0; i < all; i++) {
                link.server().receive(i, i * 16, 16);
            }
            int before = depth / 2;
            int fitting = depth - before;
            stage(link, 0, before);
            assertEquals(before, sends.post());
            stage(link, before, before + depth);
            Troubleshooting.line("C4")
                    .when("full queue")
                    .mustBeIn(assertThrows(IllegalStateException.class, () -> stage(link, 0, 1))
                            .getMessage());
            assertEquals(fitting, sends.post(), "only what fits goes");
            assertEquals(before, sends.staged(), "the rest stays");
            assertEquals(0, sends.post(), "no room without polling");
            stage(link, before + depth, all); // behind the rest, whose data must not suffer

            for (int next = 0; next < all; next++) {
                link.client().await().requireSuccess(next, WorkOpcode.SEND);
                sends.post();
            }
            assertEquals(0, sends.staged());
            for (int i = 0; i < all; i++) {
                Done received = link.server().await().requireSuccess(i, WorkOpcode.RECEIVE);
                assertEquals(16, received.byteLength());
                link.server().verify(i * 16, 16, i);
            }
        }
    }

    /** Inline, so that the data must move with the request. */
    private static void stage(Link link, int from, int to) {
        for (int id = from; id < to; id++) {
            link.client().fill(0, 16, id);
            link.client()
                    .sends()
                    .send(id, link.client().memory(), 0, 16)
                    .inline()
                    .signaled();
        }
    }

    @Test
    void shouldPostReceivesThatFitAndTheRestLater() {
        try (Link link = Link.builder().options(options -> options.depth(64, 4)).connected()) {
            int depth = link.server().receives().available();
            for (int i = 0; i < depth; i++) {
                link.server().receives().receive(i, link.server().memory(), i * 8, 8);
            }
            assertEquals(depth, link.server().receives().post());
            link.server().receives().receive(depth, link.server().memory(), depth * 8, 8);
            assertEquals(0, link.server().receives().post());
            assertEquals(1, link.server().receives().staged());

            link.client().sends().send(7, link.client().memory(), 0, 8);
            link.client().post();
            link.server().await().requireSuccess(0, WorkOpcode.RECEIVE);
            assertEquals(1, link.server().receives().available());
            assertEquals(1, link.server().receives().post());
            assertEquals(0, link.server().receives().available());
        }
    }
}
