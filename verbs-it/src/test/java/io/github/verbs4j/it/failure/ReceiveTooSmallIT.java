package io.github.verbs4j.it.failure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveTooSmallIT {
    @ParameterizedTest
    @ValueSource(ints = {101, 5000})
    void shouldFailBothEndsAndSayWhy(int length) {
        try (Link link = Link.connected()) {
            link.server().receive(1, 0, 100);
            link.client().sends().send(2, link.client().memory(), 0, length).signaled();
            link.client().post();

            WorkFailedException receiver =
                    link.server().await().requireFailure(1, WorkStatus.LOC_LEN_ERR, WorkStatus.LOC_QP_OP_ERR);
            assertTrue(
                    receiver.getMessage().replaceAll("\\s+", " ").contains("larger than the posted receive"),
                    receiver::getMessage);
            link.client().await().requireFailure(2, WorkStatus.REM_INV_REQ_ERR, WorkStatus.REM_OP_ERR);
            link.server().verifyUntouched(100, 1000);
        }
    }
}
