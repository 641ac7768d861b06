package io.github.verbs4j.it.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

class OverrunIT {
    @Test
    void shouldRefuseAQueuePairThatCouldOverrunWithTheSum() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(100)) {
            int capacity = queue.capacity();
            QueuePairOptions options = QueuePairOptions.sharing(queue).depth(capacity - 20, 21);
            var thrown = assertThrows(IllegalArgumentException.class, () -> domain.createRc(options));
            assertTrue(thrown.getMessage().contains((capacity - 20) + " sends + 21 receives"), thrown::getMessage);
            assertTrue(thrown.getMessage().contains((capacity + 1) + " > " + capacity), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("allowOverrun()"), thrown::getMessage);
            assertEquals(0, queue.reserved());

            domain.createRc(options.allowOverrun()).close();
            assertEquals(0, queue.reserved());
        }
    }

    @Test
    void shouldCountTheQueuePairsThatAreThere() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(200)) {
            QueuePairOptions half = QueuePairOptions.sharing(queue).depth(queue.capacity() / 4, queue.capacity() / 4);
            try (RcQueuePair first = domain.createRc(half);
                    RcQueuePair second = domain.createRc(half)) {
                long each = first.capacity().sendDepth() + first.capacity().receiveDepth();
                assertEquals(
                        each + second.capacity().sendDepth() + second.capacity().receiveDepth(), queue.reserved());
                var thrown = assertThrows(IllegalArgumentException.class, () -> domain.createRc(half));
                assertTrue(thrown.getMessage().contains(queue.reserved() + " of " + queue), thrown::getMessage);
            }
            domain.createRc(half).close();
        }
    }
}
