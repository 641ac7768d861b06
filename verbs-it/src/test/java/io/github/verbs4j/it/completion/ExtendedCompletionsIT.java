package io.github.verbs4j.it.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.CompletionQueueOptions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ExtendedCompletions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Extended completion queues on Soft-RoCE: the cases of pyverbs' {@code test_cqex.py}. */
class ExtendedCompletionsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 100;

    /** What Soft-RoCE can tell: the fields of {@code IBV_WC_STANDARD_FLAGS}. */
    private static final Set<CompletionField> STANDARD =
            EnumSet.range(CompletionField.BYTE_LENGTH, CompletionField.PATH_BITS);

    private static CompletionQueue create(DeviceContext context, CompletionField... fields) {
        return context.createCompletionQueue(CompletionQueueOptions.entries(64).extended(fields));
    }

    /** {@code test_create_cq_ex}. */
    @ParameterizedTest
    @EnumSource
    void shouldBeCreatedWithWhatTheDeviceCanTell(CompletionField field) {
        try (DeviceContext context = Rdma.open()) {
            if (STANDARD.contains(field)) {
                create(context, field).close();
            } else {
                UnsupportedCapabilityException thrown =
                        assertThrows(UnsupportedCapabilityException.class, () -> create(context, field));
                assertTrue(thrown.capability().contains(field.name()), thrown::getMessage);
                assertEquals("rxe", thrown.provider());
            }
        }
    }

    /** {@code test_create_cq_ex}, the flags. */
    @Test
    void shouldTellThatSoftRoceCannotIgnoreAnOverrun() {
        try (DeviceContext context = Rdma.open()) {
            assertThrows(
                    UnsupportedCapabilityException.class,
                    () -> context.createCompletionQueue(
                            CompletionQueueOptions.entries(16).ignoreOverrun()));
        }
    }

    /** {@code test_create_cq_ex_bad_flow}. */
    @Test
    void shouldNotBeCreatedBeyondTheLimits() {
        try (DeviceContext context = Rdma.open()) {
            int most = context.attributes().maxCompletions();
            VerbsException thrown = assertThrows(
                    VerbsException.class,
                    () -> context.createCompletionQueue(
                            CompletionQueueOptions.entries(most + 1).extended()));
            assertEquals(1, thrown.exceededLimits().size());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> context.createCompletionQueue(
                            CompletionQueueOptions.entries(10).extended().vector(context.completionVectors())));
        }
    }

    /** {@code test_rc_traffic_cq_ex}; the queue is found empty between any two messages, and is not the worse for it. */
    @ParameterizedTest
    @EnumSource
    void shouldTellOfMessages(WaitStrategy strategy) throws Exception {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = create(context, STANDARD.toArray(CompletionField[]::new));
                RcQueuePair pair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(16, 16));
                SendQueue sends = SendQueue.over(pair);
                ReceiveQueue receives = ReceiveQueue.over(pair);
                ExtendedCompletions completions = ExtendedCompletions.over(queue, 16)) {
            pair.connect(pair.initialize(Rdma.gid(context)), RcPath.defaults());
            int received = 0;
            int sent = 0;
            for (int message = 1; message <= MESSAGES; message++) {
                receives.receive(message, memory, 0, 1024);
                receives.post();
                sends.sendImmediate(message, memory, 2048, message, -message).signaled();
                sends.post();
                while (received < message || sent < message) {
                    assertTrue(completions.await(strategy, PATIENCE) > 0, "nothing came");
                    while (completions.next()) {
                        completions.requireSuccess();
                        assertEquals(message, completions.id());
                        assertEquals(pair.number(), completions.queuePairNumber());
                        if (completions.isReceive()) {
                            received++;
                            assertEquals(message, completions.byteLength());
                            assertEquals(-message, completions.immediate());
                        } else {
                            sent++;
                        }
                    }
                }
                assertEquals(0, completions.poll());
            }
            assertEquals(pair.capacity().sendDepth(), sends.available());
        }
    }

    @Test
    void shouldTakeManyInOnePoll() throws Exception {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                CompletionQueue queue = create(context, CompletionField.BYTE_LENGTH);
                RcQueuePair pair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(16, 16));
                SendQueue sends = SendQueue.over(pair);
                ExtendedCompletions completions = ExtendedCompletions.over(queue, 5)) {
            pair.connect(pair.initialize(Rdma.gid(context)), RcPath.defaults());
            for (int id = 0; id < 16; id++) {
                sends.write(id, memory, 0, 8, memory.remote(), 64).signaled();
            }
            assertEquals(16, sends.post());
            for (int id = 0; id < 16; ) {
                int took = completions.await(WaitStrategy.ADAPTIVE, PATIENCE);
                assertTrue(took > 0 && took <= 5, () -> took + " completions");
                while (completions.next()) {
                    completions.requireSuccess();
                    assertEquals(id++, completions.id());
                }
            }
            assertEquals(0, completions.poll());
        }
    }
}
