package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.Limit;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionQueueLimitsIT {
    @Test
    void shouldTellAskedAndAllowedEntries() {
        try (DeviceContext context = Rdma.open()) {
            int limit = context.attributes().maxCompletions();
            VerbsException thrown = assertThrows(VerbsException.class, () -> context.createCompletionQueue(limit + 1));
            assertEquals(List.of(new Limit("cqe", limit + 1, limit, "max_cqe")), thrown.exceededLimits());
            Troubleshooting.line("B1").when("entries").mustBeIn(thrown.getMessage());
            assertTrue(thrown.getMessage().contains(Rdma.device().name()), thrown::getMessage);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 1000})
    void shouldGrantAtLeastWhatWasAsked(int entries) {
        try (DeviceContext context = Rdma.open();
                CompletionQueue queue = context.createCompletionQueue(entries)) {
            assertTrue(queue.capacity() >= entries, queue::toString);
        }
    }

    @Test
    void shouldGrantTheLimitItself() {
        try (DeviceContext context = Rdma.open();
                CompletionQueue queue =
                        context.createCompletionQueue(context.attributes().maxCompletions())) {
            assertTrue(queue.capacity() >= context.attributes().maxCompletions(), queue::toString);
        }
    }
}
