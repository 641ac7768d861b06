package io.github.verbs4j.it.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.End;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class RecoveryIT {
    private static void fail(Link link) {
        RemoteRegion nowhere = new RemoteRegion(0, 4096, new RemoteKey(0));
        link.client().sends().write(1, link.client().memory(), 0, 8, nowhere, 0).signaled();
        link.client().post();
        link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
    }

    private static void drain(End end) {
        while (end.completions().poll() > 0) {
            end.completions().next();
        }
    }

    @Test
    void shouldRefuseToPostAfterAFailureAndSayWhichItWas() {
        try (Link link = Link.connected()) {
            fail(link);
            link.client()
                    .sends()
                    .write(
                            2,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0);
            var send = assertThrows(
                    IllegalStateException.class, () -> link.client().sends().post());
            assertTrue(send.getMessage().contains("ERR"), send::getMessage);
            assertSame(link.client().queuePair().firstFailure().orElseThrow(), send.getCause());

            link.client().receives().receive(3, link.client().memory(), 0, 8);
            var receive = assertThrows(
                    IllegalStateException.class, () -> link.client().receives().post());
            assertSame(send.getCause(), receive.getCause());
        }
    }

    @Test
    void shouldWorkAgainAfterResetAndReconnect() {
        try (Link link = Link.builder().options(options -> options.depth(8, 8)).connected()) {
            int depth = link.client().sends().available();
            for (int round = 0; round < 5; round++) {
                link.server().receive(1, 0, 8);
                fail(link);
                link.client().queuePair().reset();
                link.server().queuePair().reset();
                drain(link.client());
                drain(link.server());
                assertEquals(QueuePairState.RESET, link.client().queuePair().state());
                assertTrue(link.client().queuePair().firstFailure().isEmpty());

                link.connect();
                assertEquals(depth, link.client().sends().available(), "free slots");
                for (int i = 0; i < 20; i++) {
                    link.client().fill(0, 100, i);
                    link.server().receive(i, 1000, 100);
                    link.client()
                            .sends()
                            .send(i, link.client().memory(), 0, 100)
                            .signaled();
                    link.client().post();
                    link.client().await().requireSuccess(i, WorkOpcode.SEND);
                    link.server().await().requireSuccess(i, WorkOpcode.RECEIVE);
                    link.server().verify(1000, 100, i);
                }
            }
        }
    }
}
