package io.github.verbs4j.it.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AsyncEvent;
import io.github.verbs4j.AsyncEvents;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.attr.SharedReceiveQueueAttributes;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.Limit;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a shared receive queue is, apart from the messages. */
class SharedReceiveQueueIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void shouldHoldAtLeastWhatWasAskedFor() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                SharedReceiveQueue shared = domain.createSharedReceiveQueue(100, 2)) {
            assertTrue(shared.depth() >= 100, () -> "granted " + shared.depth());
            assertTrue(shared.segments() >= 2, () -> "granted " + shared.segments());
            SharedReceiveQueueAttributes told = shared.query();
            assertTrue(told.depth() >= shared.depth(), told::toString);
            assertEquals(shared.segments(), told.segments());
            assertEquals(0, told.limit());
        }
    }

    @Test
    void shouldTellAskedAndAllowed() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            int depth = context.attributes().maxSharedReceiveRequests();
            int segments = context.attributes().maxSharedReceiveSegments();
            VerbsException thrown =
                    assertThrows(VerbsException.class, () -> domain.createSharedReceiveQueue(depth + 1, segments + 1));

            assertEquals("ibv_create_srq", thrown.operation());
            assertEquals(
                    List.of(
                            new Limit("max_wr", depth + 1, depth, "max_srq_wr"),
                            new Limit("max_sge", segments + 1, segments, "max_srq_sge")),
                    thrown.exceededLimits());
            assertTrue(
                    thrown.getMessage()
                            .contains("max_srq of the device="
                                    + context.attributes().maxSharedReceiveQueues()),
                    thrown::getMessage);
        }
    }

    /** As test_modify_srq_limit of pyverbs. */
    @Test
    void shouldTellOnceThatTheLimitIsReached() throws InterruptedException {
        try (Crowd crowd = new Crowd(2, 1, 15);
                AsyncEvents events = crowd.context().openAsyncEvents()) {
            crowd.post(LongStream.range(0, 10).toArray());
            crowd.shared().armLimit(7);
            assertEquals(7, crowd.shared().query().limit());
            for (int i = 0; i < 3; i++) {
                crowd.send(i % 2, 8);
                crowd.sent().requireSuccess(i % 2, WorkOpcode.SEND);
            }
            assertEquals(Optional.empty(), events.await(Duration.ofMillis(200)), "7 are left");
            crowd.send(1, 8);
            crowd.sent().requireSuccess(1, WorkOpcode.SEND);

            AsyncEvent event = events.await(LONG).orElseThrow();
            assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
            assertSame(crowd.shared(), event.source());
            crowd.send(0, 8);
            crowd.sent().requireSuccess(0, WorkOpcode.SEND);
            assertEquals(Optional.empty(), events.await(Duration.ofMillis(200)), "told once");
        }
    }

    /** As test_resize_srq of pyverbs. */
    @Test
    void shouldHoldMoreOnceItIsLarger() {
        try (Crowd crowd = new Crowd(2, 2, 15)) {
            int before = crowd.shared().depth();
            crowd.post(LongStream.range(0, before).toArray());
            assertEquals(0, crowd.receives().available());

            crowd.shared().resize(2 * before);
            int after = crowd.shared().depth();
            assertEquals(2 * before, after);
            assertTrue(crowd.shared().query().depth() >= after, "so says the device");
            assertEquals(after - before, crowd.receives().available());
            assertEquals(10, crowd.post(LongStream.range(0, 10).toArray()));
            Completions reader = crowd.reader(0);
            for (int i = 0; i < before + 10; i++) {
                crowd.send(0, 8);
                crowd.sent().requireSuccess(0, WorkOpcode.SEND);
                Done.next(reader).requireSuccess(i < before ? i : i - before, WorkOpcode.RECEIVE);
            }
            assertEquals(after, crowd.receives().available());
            crowd.shared().resize(before);
            assertEquals(crowd.shared().depth(), crowd.receives().available());
        }
    }

    @Test
    void shouldTellThatAResizeIsOverTheLimit() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                SharedReceiveQueue shared = domain.createSharedReceiveQueue(15, 1)) {
            int limit = context.attributes().maxSharedReceiveRequests();
            VerbsException thrown = assertThrows(VerbsException.class, () -> shared.resize(limit + 1));
            assertEquals(List.of(new Limit("max_wr", limit + 1, limit, "max_srq_wr")), thrown.exceededLimits());
            assertEquals(15, shared.depth());
        }
    }

    @Test
    void shouldRefuseAResizeAndStayAsItIs() {
        try (Crowd crowd = new Crowd(1, 1, 15)) {
            int before = crowd.shared().depth();
            crowd.post(LongStream.range(0, before).toArray());
            assertThrows(IllegalArgumentException.class, () -> crowd.shared().resize(1), "all are outstanding");
            String overrun = assertThrows(
                            IllegalArgumentException.class, () -> crowd.shared().resize(5000))
                    .getMessage();
            assertTrue(overrun.contains(crowd.queues().getFirst().toString()), overrun);

            assertEquals(before, crowd.shared().depth());
            crowd.send(0, 8);
            Done.next(crowd.reader(0)).requireSuccess(0, WorkOpcode.RECEIVE);
            assertEquals(1, crowd.post(1));
        }
    }

    @Test
    void shouldBeClosedAfterAllThatIsBuiltOnIt() {
        try (Crowd crowd = new Crowd(1, 1, 15)) {
            String message = assertThrows(
                            IllegalStateException.class, () -> crowd.shared().close())
                    .getMessage();
            assertTrue(message.contains(crowd.receives().toString()), message);
            assertTrue(message.contains(crowd.server(0).toString()), message);
            crowd.receives().close();
            crowd.server(0).close();
            crowd.shared().close();
            crowd.shared().close();
            assertTrue(crowd.client(0).isOpen());
        }
    }
}
