package io.github.verbs4j.it.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Completions;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.it.rdma.Done;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** One queue pair's trouble is not the others'. */
class SharedFailureIT {
    private static final int DEPTH = 15;

    @Test
    void shouldFailTheSenderWhenNoReceiveIsLeft() {
        try (Crowd crowd = new Crowd(2, 1, DEPTH, RcPath.defaults().withRnr(1, 1))) {
            crowd.post(1);
            crowd.send(0, 8);
            crowd.sent().requireSuccess(0, WorkOpcode.SEND);
            crowd.send(1, 8);
            WorkFailedException failure = crowd.sent().requireFailure(1, WorkStatus.RNR_RETRY_EXC_ERR);
            assertTrue(failure.getMessage().contains("post receives before the peer sends"), failure::getMessage);
        }
    }

    @Test
    void shouldLetTheSenderWaitForALateReceive() throws InterruptedException {
        try (Crowd crowd = new Crowd(2, 1, DEPTH)) {
            crowd.send(1, 8);
            Thread.sleep(50);
            crowd.post(7);
            crowd.sent().requireSuccess(1, WorkOpcode.SEND);
            Done.next(crowd.reader(0)).requireSuccess(7, WorkOpcode.RECEIVE);
        }
    }

    @Test
    void shouldFreeTheReceiveThatFails() {
        try (Crowd crowd = new Crowd(2, 1, DEPTH)) {
            Completions reader = crowd.reader(0);
            int depth = crowd.shared().depth();
            crowd.post(LongStream.range(0, depth).toArray());
            crowd.send(0, Crowd.PIECE + 1);
            assertTrue(crowd.sent().failure().isPresent());
            Done failed = Done.next(reader);
            failed.requireFailure(0, WorkStatus.LOC_LEN_ERR, WorkStatus.LOC_QP_OP_ERR);
            assertEquals(QueuePairState.ERR, crowd.server(0).state());
            assertEquals(1, crowd.receives().available());

            assertEquals(1, crowd.post(0));
            for (int i = 0; i < depth; i++) {
                crowd.send(1, 8);
                crowd.sent().requireSuccess(1, WorkOpcode.SEND);
                Done.next(reader).requireSuccess(i < depth - 1 ? i + 1 : 0, WorkOpcode.RECEIVE);
            }
            assertEquals(depth, crowd.receives().available());
        }
    }

    @Test
    void shouldKeepTheReceivesOfAQueuePairThatIsLedToErr() {
        try (Crowd crowd = new Crowd(2, 1, DEPTH)) {
            Completions reader = crowd.reader(0);
            crowd.post(1, 2, 3);
            crowd.server(0).toError();
            assertEquals(0, reader.poll(), "nothing is flushed");
            assertEquals(crowd.shared().depth() - 3, crowd.receives().available());
            assertEquals(1, crowd.post(4), "posting goes on");
            crowd.server(0).reset();

            crowd.send(1, 8);
            Done.next(reader).requireSuccess(1, WorkOpcode.RECEIVE);
        }
    }
}
