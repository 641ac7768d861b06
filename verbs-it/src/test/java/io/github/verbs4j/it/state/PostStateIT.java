package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class PostStateIT {
    private static void requireNoSend(Link link, String state) {
        link.client().sends().send(1, link.client().memory(), 0, 8);
        var thrown = assertThrows(
                IllegalStateException.class, () -> link.client().sends().post());
        assertTrue(thrown.getMessage().contains("sends need RTS"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("is in " + state), thrown::getMessage);
        assertEquals(1, link.client().sends().staged(), "what is staged stays");
        link.client().sends().discard();
    }

    private static void requireNoReceive(Link link) {
        link.client().receives().receive(1, link.client().memory(), 0, 8);
        var thrown = assertThrows(
                IllegalStateException.class, () -> link.client().receives().post());
        assertTrue(thrown.getMessage().contains("receives need INIT"), thrown::getMessage);
        link.client().receives().discard();
    }

    @Test
    void shouldRefuseSendsBeforeReadyToSend() {
        try (Link link = Link.builder().unconnected()) {
            requireNoSend(link, "RESET");
            link.client().queuePair().modify(Steps.initialize());
            requireNoSend(link, "INIT");
            link.client().queuePair().modify(Steps.readyToReceive(link.server()));
            requireNoSend(link, "RTR");
            link.client().queuePair().modify(Steps.readyToSend());
            link.client().sends().send(1, link.client().memory(), 0, 8);
            link.client().post();
            link.client().queuePair().toError();
            requireNoSend(link, "ERR");
        }
    }

    @Test
    void shouldRefuseReceivesInResetAndErr() {
        try (Link link = Link.builder().unconnected()) {
            requireNoReceive(link);
            link.client().initialize();
            link.client().queuePair().toError();
            requireNoReceive(link);
        }
    }

    @Test
    void shouldTakeReceivesFromInitOn() {
        try (Link link = Link.builder().unconnected()) {
            QueuePairAddress client = link.client().initialize();
            QueuePairAddress server = link.server().initialize();
            link.server().receive(1, 0, 64);
            link.client().connect(server, RcPath.defaults());
            link.server().connect(client, RcPath.defaults());
            link.client().fill(0, 64, 1);
            link.client().sends().send(2, link.client().memory(), 0, 64).signaled();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
            link.server().verify(0, 64, 1);
        }
    }
}
