package io.github.verbs4j.it.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.CompletionQueueOptions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ExtendedCompletions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.MemoryWindow;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an extended completion queue tells of a failure and of a key that was taken back. */
class ExtendedReadersIT {
    private final Resources resources = new Resources();
    private ProtectionDomain domain;
    private MemoryRegion memory;
    private SendQueue sends;
    private ReceiveQueue receives;
    private ExtendedCompletions completions;

    @BeforeEach
    void connect() {
        DeviceContext context = resources.add(Rdma.open());
        domain = resources.add(context.allocateProtectionDomain());
        memory = resources.add(domain.allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
        CompletionQueue queue = resources.add(context.createCompletionQueue(
                CompletionQueueOptions.entries(64).extended(CompletionField.BYTE_LENGTH, CompletionField.IMMEDIATE)));
        RcQueuePair pair =
                resources.add(domain.createRc(QueuePairOptions.sharing(queue).depth(16, 16)));
        sends = resources.add(SendQueue.over(pair));
        receives = resources.add(ReceiveQueue.over(pair));
        completions = resources.add(ExtendedCompletions.over(queue, 16));
        pair.connect(pair.initialize(Rdma.gid(context)), RcPath.defaults());
    }

    @AfterEach
    void close() {
        resources.close();
    }

    private void next() {
        if (!completions.next()) {
            Watchdog.await("a completion", () -> completions.poll() > 0);
            assertTrue(completions.next());
        }
    }

    /** Its own peer may be in ERR before the answer comes. */
    @Test
    void shouldTellOfAFailure() {
        sends.write(1, memory, 0, 8, new RemoteRegion(0, 8, new RemoteKey(1)), 0)
                .signaled();
        assertEquals(1, sends.post());

        next();

        assertFalse(completions.isSuccess());
        assertTrue(
                Set.of(WorkStatus.REM_ACCESS_ERR, WorkStatus.WR_FLUSH_ERR).contains(completions.status()),
                completions.status()::name);
        assertEquals(completions.failure().vendorError(), completions.vendorError());
    }

    @Test
    void shouldTellWhichKeyWasTakenBack() {
        MemoryWindow window = resources.add(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        receives.receive(1, memory, 0, 64);
        assertEquals(1, receives.post());
        sends.bind(2, window, memory, 1024, 64, Set.of(AccessFlag.REMOTE_READ)).signaled();
        assertEquals(1, sends.post());
        next();
        completions.requireSuccess();
        RemoteKey key = window.remote().key();
        sends.sendInvalidate(3, memory, 64, 8, key);
        assertEquals(1, sends.post());

        do {
            next();
            completions.requireSuccess();
        } while (!completions.isReceive());

        assertTrue(completions.hasInvalidatedKey());
        assertEquals(key.value(), completions.invalidatedKey());
        assertEquals(8, completions.byteLength());
    }
}
