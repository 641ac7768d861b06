package io.github.verbs4j.it.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class RemoteKeyIT {
    /** The peer's memory, with a key that the peer never gave. */
    private static RemoteRegion wrongKey(Link link) {
        RemoteRegion right = link.server().memory().remote();
        return new RemoteRegion(
                right.address(), right.length(), new RemoteKey(right.key().value() ^ 0x55_5500));
    }

    private static void writeWithWrongKey(Link link) {
        link.client()
                .sends()
                .write(1, link.client().memory(), 0, 64, wrongKey(link), 0)
                .signaled();
    }

    @Test
    void shouldFailWithRemoteAccessErrorAndSayWhatToCheck() {
        try (Link link = Link.connected()) {
            writeWithWrongKey(link);
            link.client().post();
            WorkFailedException failure = link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            assertEquals("IBV_WC_REM_ACCESS_ERR", failure.statusName());
            assertEquals(link.client().queuePair().number(), failure.queuePairNumber());
            assertTrue(failure.getMessage().contains("remote key"), failure::getMessage);
            assertTrue(failure.firstFailure().isEmpty());
            link.server().verifyUntouched(0, 64);
        }
    }

    @Test
    void shouldFlushWhatFollowsWithTheFirstFailureAttached() {
        try (Link link = Link.connected()) {
            writeWithWrongKey(link);
            for (int i = 2; i < 10; i++) {
                link.client()
                        .sends()
                        .write(
                                i,
                                link.client().memory(),
                                0,
                                64,
                                link.server().memory().remote(),
                                0)
                        .signaled();
            }
            link.client().post();
            WorkFailedException first = link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            for (int i = 2; i < 10; i++) {
                WorkFailedException echo = link.client().await().requireFailure(i, WorkStatus.WR_FLUSH_ERR);
                assertEquals(1, echo.firstFailure().orElseThrow().id());
                assertEquals(
                        first.statusCode(), echo.firstFailure().orElseThrow().statusCode());
                assertSame(echo.firstFailure().orElseThrow(), echo.getCause());
                assertTrue(echo.getMessage().contains("IBV_WC_REM_ACCESS_ERR"), echo::getMessage);
            }
        }
    }

    @Test
    void shouldFlushPostedReceivesWithTheFirstFailureAttached() {
        try (Link link = Link.connected()) {
            link.client().receive(7, 0, 64);
            writeWithWrongKey(link);
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            WorkFailedException echo = link.client().await().requireFailure(7, WorkStatus.WR_FLUSH_ERR);
            assertEquals(1, echo.firstFailure().orElseThrow().id());
        }
    }

    @Test
    void shouldReportAnUnsignalledRequestThatFails() {
        try (Link link = Link.connected()) {
            link.client().sends().write(1, link.client().memory(), 0, 64, wrongKey(link), 0);
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void shouldKnowThatTheQueuePairIsInError() {
        try (Link link = Link.connected()) {
            writeWithWrongKey(link);
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            assertEquals(QueuePairState.ERR, link.client().queuePair().state());
            assertEquals(QueuePairState.ERR, link.client().queuePair().query().state());
            assertEquals(
                    1, link.client().queuePair().firstFailure().orElseThrow().id());
        }
    }
}
