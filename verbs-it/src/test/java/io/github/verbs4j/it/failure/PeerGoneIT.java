package io.github.verbs4j.it.failure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class PeerGoneIT {
    private static Link impatient() {
        return Link.builder().path(RcPath.defaults().withAckTimeout(12, 2)).connected();
    }

    private static void shouldNotBeAcknowledged(Link link) {
        link.client()
                .sends()
                .write(1, link.client().memory(), 0, 8, link.server().memory().remote(), 0)
                .signaled();
        link.client().post();
        WorkFailedException failure = link.client().await().requireFailure(1, WorkStatus.RETRY_EXC_ERR);
        assertTrue(failure.getMessage().contains("check that the peer is alive"), failure::getMessage);
    }

    @Test
    void shouldFailWhenThePeersQueuePairIsReset() {
        try (Link link = impatient()) {
            link.server().queuePair().reset();
            shouldNotBeAcknowledged(link);
        }
    }

    @Test
    void shouldFailWhenThePeersQueuePairIsDestroyed() {
        try (Link link = impatient()) {
            link.server().sends().close();
            link.server().receives().close();
            link.server().queuePair().close();
            shouldNotBeAcknowledged(link);
        }
    }
}
