package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Limit;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueuePairLimitsIT {
    /** Over what any device that we know carries in a request; Soft-RoCE's own limit is tested to the byte. */
    private static final int TOO_MUCH_INLINE = 1 << 16;

    private static final int SOFT_ROCE_INLINE = 512;

    private DeviceContext context;
    private ProtectionDomain domain;
    private CompletionQueue queue;

    @BeforeEach
    void open() {
        context = Rdma.open();
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(100);
    }

    @AfterEach
    void close() {
        queue.close();
        domain.close();
        context.close();
    }

    private VerbsException refused(UnaryOperator<QueuePairOptions> change) {
        QueuePairOptions options = change.apply(QueuePairOptions.sharing(queue).allowOverrun());
        VerbsException thrown = assertThrows(VerbsException.class, () -> domain.createRc(options));
        assertEquals("ibv_create_qp", thrown.operation());
        assertEquals(0, queue.reserved(), "room in the completion queue was given back");
        return thrown;
    }

    @Test
    void shouldTellAskedAndAllowedDepthFieldByField() {
        int limit = context.attributes().maxRequests();
        VerbsException thrown = refused(options -> options.depth(limit + 1, limit + 2));
        assertEquals(
                List.of(
                        new Limit("max_send_wr", limit + 1, limit, "max_qp_wr"),
                        new Limit("max_recv_wr", limit + 2, limit, "max_qp_wr")),
                thrown.exceededLimits());
        String message = thrown.getMessage();
        assertTrue(message.contains("max_send_wr " + (limit + 1) + " > " + limit + " (max_qp_wr)   <- over"), message);
        Troubleshooting.line("B1").when("depth").mustBeIn(message);
    }

    @Test
    void shouldTellAskedAndAllowedPieces() {
        int limit = context.attributes().maxSegments();
        VerbsException thrown = refused(options -> options.segments(limit + 1, 1));
        assertEquals(List.of(new Limit("max_send_sge", limit + 1, limit, "max_sge")), thrown.exceededLimits());
        Troubleshooting.line("B1").when("pieces").mustBeIn(thrown.getMessage());
        assertEquals(
                List.of(new Limit("max_recv_sge", limit + 1, limit, "max_sge")),
                refused(options -> options.segments(1, limit + 1)).exceededLimits());
    }

    @Test
    void shouldSayThatInlineDataIsMostLikelyTooMuch() {
        int over = Rdma.driver().equals("rdma_rxe") ? SOFT_ROCE_INLINE + 1 : TOO_MUCH_INLINE;
        VerbsException thrown = refused(options -> options.inline(over));
        assertTrue(thrown.is(Errno.EINVAL), thrown::getMessage);
        assertTrue(thrown.exceededLimits().isEmpty());
        String message = thrown.getMessage();
        assertTrue(message.contains("max_inline_data=" + over), message);
        Troubleshooting.line("B1").when("inline data").mustBeIn(message);
    }

    @Test
    void shouldGrantTheLimitsThemselves() {
        QueuePairCapacity asked = new QueuePairCapacity(
                1000,
                500,
                context.attributes().maxSegments(),
                context.attributes().maxSegments(),
                0);
        try (RcQueuePair queuePair = domain.createRc(QueuePairOptions.sharing(queue)
                .allowOverrun()
                .depth(asked.sendDepth(), asked.receiveDepth())
                .segments(asked.sendSegments(), asked.receiveSegments()))) {
            QueuePairCapacity granted = queuePair.capacity();
            assertTrue(granted.sendDepth() >= asked.sendDepth(), granted::toString);
            assertTrue(granted.receiveDepth() >= asked.receiveDepth(), granted::toString);
            assertTrue(granted.sendSegments() >= asked.sendSegments(), granted::toString);
            assertTrue(granted.receiveSegments() >= asked.receiveSegments(), granted::toString);
        }
    }
}
