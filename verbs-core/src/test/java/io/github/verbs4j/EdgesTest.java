package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.internal.QueuePairAccount;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Cases at the edge of the allowed, each with the message that helps. */
class EdgesTest extends FakeDevice {
    @Test
    void shouldRefuseDataWhereNoPieceWasAskedFor() {
        RcQueuePair queuePair = connected(queuePair(options().segments(0, 0)));
        SendQueue sends = keep(SendQueue.over(queuePair));
        ReceiveQueue receives = keep(ReceiveQueue.over(queuePair));

        assertTrue(message(() -> sends.send(1, memory, 0, 1)).contains("0 pieces"));
        assertTrue(message(() -> receives.receive(1, memory, 0, 1)).contains("0 pieces"));
        sends.send(1, memory, 0, 0).post();
        assertEquals(1, receives.receive(1, memory, 0, 0).post());
        assertEquals(0, FakeVerbs.postedSends().getFirst().elements().size());
    }

    private static String message(Executable refused) {
        return assertThrows(IllegalArgumentException.class, refused).getMessage();
    }

    @Test
    void shouldSayThatAResetIsNeededAfterToError() {
        RcQueuePair queuePair = connected();
        SendQueue sends = keep(SendQueue.over(queuePair));
        queuePair.toError();
        sends.send(1, memory, 0, 1);

        String message = assertThrows(IllegalStateException.class, sends::post).getMessage();
        assertTrue(message.contains("is in ERR") && message.contains("reset() it"), message);
    }

    /** Another thread resets meanwhile, again and again; long words take long to say. */
    @Test
    void shouldPointToTheCauseOnlyWhereThereIsOne() throws Exception {
        RcQueuePair queuePair = queuePair();
        PostingTarget target = PostingTarget.of(queuePair);
        QueuePairAccount account = queuePair.account();
        String need = "sends need RTS".repeat(1 << 16);
        AtomicBoolean enough = new AtomicBoolean();
        FutureTask<Void> failing = new FutureTask<>(() -> {
            for (int life = 0; !enough.get(); life++) {
                account.allow(true, true);
                account.fail(life, WorkStatus.REM_ACCESS_ERR.code(), 0);
                account.reset();
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(failing);

        try {
            for (int i = 0; i < 500; i++) {
                IllegalStateException closed = target.closed(need);
                assertEquals(closed.getMessage().contains("see the cause"), closed.getCause() != null);
            }
        } finally {
            enough.set(true);
        }
        failing.get();
    }

    @Test
    void shouldNotConnectWithWhatWasInitializedBeforeAReset() {
        RcQueuePair queuePair = queuePair();
        var peer = queuePair.initialize(gid());
        queuePair.reset();
        queuePair.modify(
                Transition.to(QueuePairState.INIT).port(1).partitionKeyIndex(0).access());

        String message = assertThrows(IllegalStateException.class, () -> queuePair.connect(peer, RcPath.defaults()))
                .getMessage();
        assertEquals(
                "RcQueuePair 17 of fake0 is in INIT; connect needs initialize(gid) before, which leads it to INIT",
                message);
    }

    @Test
    void shouldTakeAPortThatDoesNotSayItsMtu() {
        FakeVerbs.deviceNumber(0, "port.active_mtu", 0);

        assertEquals(Mtu.MTU_256, context.port(1).activeMtu());
    }
}
