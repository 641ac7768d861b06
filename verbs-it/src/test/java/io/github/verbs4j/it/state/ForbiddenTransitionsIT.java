package io.github.verbs4j.it.state;

import static io.github.verbs4j.attr.QueuePairState.ERR;
import static io.github.verbs4j.attr.QueuePairState.INIT;
import static io.github.verbs4j.attr.QueuePairState.RESET;
import static io.github.verbs4j.attr.QueuePairState.RTR;
import static io.github.verbs4j.attr.QueuePairState.RTS;
import static io.github.verbs4j.attr.QueuePairState.SQD;
import static io.github.verbs4j.attr.QueuePairState.SQE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForbiddenTransitionsIT {
    private static final Map<QueuePairState, List<QueuePairState>> FORBIDDEN = new EnumMap<>(Map.of(
            RESET, List.of(RTR, RTS, SQD, SQE, ERR),
            INIT, List.of(RTS, SQD, SQE),
            RTR, List.of(INIT, RTR, SQD, SQE),
            RTS, List.of(INIT, RTR, SQE),
            ERR, List.of(INIT, RTR, RTS, SQD, SQE)));

    private static void lead(Link link, QueuePairState state) {
        RcQueuePair queuePair = link.client().queuePair();
        if (queuePair.state() == ERR) {
            queuePair.reset();
        }
        switch (state) {
            case RESET -> {}
            case INIT -> queuePair.modify(Steps.initialize());
            case RTR -> queuePair.modify(Steps.readyToReceive(link.server()));
            case RTS -> queuePair.modify(Steps.readyToSend());
            default -> queuePair.toError();
        }
    }

    @Test
    void shouldRefuseAndTellWhichStepsThereAre() {
        try (Link link = Link.builder().unconnected()) {
            RcQueuePair queuePair = link.client().queuePair();
            for (QueuePairState from : List.of(RESET, INIT, RTR, RTS, ERR)) {
                lead(link, from);
                for (QueuePairState to : FORBIDDEN.get(from)) {
                    var thrown = assertThrows(
                            IllegalStateException.class,
                            () -> queuePair.modify(Transition.to(to)),
                            () -> from + " -> " + to);
                    String message = thrown.getMessage();
                    assertTrue(message.contains(from + " -> " + to), message);
                    assertTrue(message.contains("they can go to"), message);
                }
                assertEquals(from, queuePair.query().state());
            }
            queuePair.reset();
            var thrown = assertThrows(IllegalStateException.class, () -> queuePair.modify(Transition.to(RTS)));
            Troubleshooting.line("A4").when("forbidden").mustBeIn(thrown.getMessage());
        }
    }

    @Test
    void shouldRefuseToInitializeTwice() {
        try (Link link = Link.builder().unconnected()) {
            link.client().initialize();
            assertThrows(IllegalStateException.class, () -> {
                link.client().queuePair().reset();
                link.client().initialize();
                link.client().queuePair().modify(Steps.readyToReceive(link.server()));
                link.client().initialize();
            });
        }
    }

    @Test
    void shouldRefuseToConnectBeforeInitializeAndNameIt() {
        try (Link link = Link.builder().unconnected()) {
            var address = link.server().initialize();
            var thrown = assertThrows(
                    IllegalStateException.class, () -> link.client().connect(address, RcPath.defaults()));
            assertTrue(thrown.getMessage().contains("initialize"), thrown::getMessage);
            assertEquals(RESET, link.client().queuePair().query().state());
        }
    }
}
