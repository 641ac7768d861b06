package io.github.verbs4j.it.order;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class UseAfterCloseIT {
    private static void requireClosed(Object closed, Executable... uses) {
        for (Executable use : uses) {
            var thrown = assertThrows(IllegalStateException.class, use);
            assertTrue(thrown.getMessage().contains(closed + " is closed"), thrown::getMessage);
        }
    }

    @Test
    void shouldRefuseEveryUseOfAClosedContext() {
        DeviceContext context = Rdma.open();
        context.close();
        requireClosed(
                context,
                () -> context.port(1),
                () -> context.gids(1),
                () -> context.partitionKey(1, 0),
                context::allocateProtectionDomain,
                () -> context.createCompletionQueue(1));
    }

    @Test
    void shouldRefuseEveryUseOfAClosedDomainOrQueue() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain open = context.allocateProtectionDomain()) {
            CompletionQueue queue = context.createCompletionQueue(256);
            ProtectionDomain domain = context.allocateProtectionDomain();
            domain.close();
            requireClosed(
                    domain,
                    () -> domain.allocate(1, AccessFlag.LOCAL_WRITE),
                    () -> domain.createRc(QueuePairOptions.sharing(queue)));
            queue.close();
            requireClosed(
                    queue, () -> open.createRc(QueuePairOptions.sharing(queue)), () -> Completions.over(queue, 1));
        }
    }

    @Test
    void shouldRefuseEveryUseOfAClosedQueuePair() {
        try (Link link = Link.connected()) {
            RcQueuePair queuePair = link.client().queuePair();
            link.client().sends().close();
            link.client().receives().close();
            queuePair.close();
            requireClosed(
                    queuePair,
                    queuePair::query,
                    queuePair::toError,
                    queuePair::reset,
                    link.client()::initialize,
                    () -> SendQueue.over(queuePair),
                    () -> ReceiveQueue.over(queuePair));
        }
    }

    @Test
    void shouldRefuseEveryUseOfClosedWorkObjects() {
        try (Link link = Link.connected()) {
            SendQueue sends = link.client().sends();
            ReceiveQueue receives = link.client().receives();
            Completions completions = link.client().completions();
            sends.close();
            receives.close();
            completions.close();
            requireClosed(
                    sends,
                    () -> sends.send(1, link.client().memory(), 0, 8),
                    sends::post,
                    sends::available,
                    sends::release,
                    sends::acquire);
            requireClosed(receives, () -> receives.receive(1, link.client().memory(), 0, 8), receives::post);
            requireClosed(completions, completions::poll, completions::next);
        }
    }

    @Test
    void shouldMakeNewWorkObjectsAfterTheOldOnesAreClosed() {
        try (Link link = Link.connected()) {
            link.client().sends().close();
            try (SendQueue again = SendQueue.over(link.client().queuePair())) {
                again.write(
                                1,
                                link.client().memory(),
                                0,
                                8,
                                link.server().memory().remote(),
                                0)
                        .signaled()
                        .post();
                assertTrue(link.client().await().id() == 1);
            }
        }
    }
}
