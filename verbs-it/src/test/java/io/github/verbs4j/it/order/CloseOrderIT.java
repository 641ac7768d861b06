package io.github.verbs4j.it.order;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

class CloseOrderIT {
    private static String requireNotClosable(AutoCloseable parent, Object... children) {
        var thrown = assertThrows(IllegalStateException.class, parent::close);
        for (Object child : children) {
            assertTrue(thrown.getMessage().contains(child.toString()), thrown::getMessage);
        }
        return thrown.getMessage();
    }

    private static void closeTwice(AutoCloseable resource) {
        assertDoesNotThrow(resource::close);
        assertDoesNotThrow(resource::close);
    }

    @Test
    void shouldRefuseToCloseAParentBeforeItsChildrenNamingEach() {
        DeviceContext context = Rdma.open();
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(256);
        MemoryRegion memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE);
        RcQueuePair queuePair = domain.createRc(QueuePairOptions.sharing(queue));
        SendQueue sends = SendQueue.over(queuePair);
        ReceiveQueue receives = ReceiveQueue.over(queuePair);
        Completions completions = Completions.over(queue, 16);

        requireNotClosable(context, domain, queue);
        requireNotClosable(domain, memory, queuePair);
        Troubleshooting.line("A5").when("order").mustBeIn(requireNotClosable(queue, queuePair, completions));
        requireNotClosable(queuePair, sends, receives);
        assertTrue(queuePair.isOpen());

        closeTwice(completions);
        closeTwice(receives);
        closeTwice(sends);
        requireNotClosable(queue, queuePair);
        closeTwice(queuePair);
        closeTwice(queue);
        requireNotClosable(domain, memory);
        closeTwice(memory);
        closeTwice(domain);
        closeTwice(context);
        assertFalse(context.isOpen());
    }

    @Test
    void shouldDeliverCompletionsOfAQueuePairThatIsGone() {
        try (Link link = Link.connected()) {
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client()
                    .sends()
                    .write(
                            2,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.client().queuePair().toError(); // the second has completed by now, or is flushed
            link.client().sends().close();
            link.client().receives().close();
            link.client().queuePair().close();
            assertTrue(link.client().await().id() == 2);
        }
    }
}
