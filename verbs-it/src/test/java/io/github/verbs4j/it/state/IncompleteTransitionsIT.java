package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

class IncompleteTransitionsIT {
    private static String requireRefused(RcQueuePair queuePair, Transition step, String... named) {
        QueuePairState before = queuePair.state();
        var thrown = assertThrows(IllegalArgumentException.class, () -> queuePair.modify(step));
        for (String name : named) {
            assertTrue(thrown.getMessage().contains(name), thrown::getMessage);
        }
        assertEquals(before, queuePair.query().state());
        return thrown.getMessage();
    }

    @Test
    void shouldNameWhatIsMissing() {
        try (Link link = Link.builder().unconnected()) {
            RcQueuePair queuePair = link.client().queuePair();
            requireRefused(queuePair, Transition.to(QueuePairState.INIT), "pkey_index", "port_num", "qp_access_flags");
            Troubleshooting.line("A4")
                    .when("incomplete")
                    .mustBeIn(requireRefused(
                            queuePair,
                            Transition.to(QueuePairState.INIT).port(Rdma.port()).access(AccessFlag.REMOTE_READ)));

            queuePair.modify(Steps.initialize());
            requireRefused(
                    queuePair,
                    Transition.to(QueuePairState.RTR).path(Steps.path(link.server())),
                    "path_mtu",
                    "dest_qp_num",
                    "rq_psn",
                    "max_dest_rd_atomic",
                    "min_rnr_timer");

            queuePair.modify(Steps.readyToReceive(link.server()));
            requireRefused(
                    queuePair,
                    Transition.to(QueuePairState.RTS).ackTimeout(14),
                    "retry_cnt",
                    "rnr_retry",
                    "sq_psn",
                    "max_rd_atomic");
        }
    }

    @Test
    void shouldNameWhatIsOneTooMany() {
        try (Link link = Link.builder().unconnected()) {
            RcQueuePair queuePair = link.client().queuePair();
            Troubleshooting.line("A4")
                    .when("too much")
                    .mustBeIn(requireRefused(queuePair, Steps.initialize().queueKey(5)));
            queuePair.modify(Steps.initialize());
            requireRefused(queuePair, Steps.readyToReceive(link.server()).retryCount(3), "must not set retryCount");
        }
    }
}
