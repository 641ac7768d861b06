package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Queue pairs that all report to one completion queue. */
class ManyQueuePairsIT {
    private static final int PAIRS = 16;
    private static final int ROUNDS = 20;

    private final Resources resources = new Resources();

    private RcQueuePair create(ProtectionDomain domain, CompletionQueue queue) {
        return resources.add(domain.createRc(QueuePairOptions.sharing(queue).depth(8, 8)));
    }

    private static void connect(RcQueuePair one, RcQueuePair other) {
        QueuePairAddress ofOne = one.initialize(Rdma.gid(one.domain().context()));
        QueuePairAddress ofOther = other.initialize(Rdma.gid(other.domain().context()));
        one.connect(ofOther, RcPath.defaults());
        other.connect(ofOne, RcPath.defaults());
    }

    @Test
    void shouldTellWhichQueuePairEachCompletionBelongsTo() {
        try (resources) {
            DeviceContext context = resources.add(Rdma.open());
            ProtectionDomain domain = resources.add(context.allocateProtectionDomain());
            CompletionQueue queue = resources.add(context.createCompletionQueue(1024));
            MemoryRegion memory = resources.add(domain.allocate(PAIRS * 200, AccessFlag.LOCAL_WRITE));
            Completions completions = resources.add(Completions.over(queue, 8));
            SendQueue[] sends = new SendQueue[PAIRS];
            ReceiveQueue[] receives = new ReceiveQueue[PAIRS];
            Map<Integer, Integer> expected = new HashMap<>();
            for (int i = 0; i < PAIRS; i++) {
                RcQueuePair from = create(domain, queue);
                RcQueuePair to = create(domain, queue);
                connect(from, to);
                sends[i] = resources.add(SendQueue.over(from));
                receives[i] = resources.add(ReceiveQueue.over(to));
                expected.put(from.number(), i);
                expected.put(to.number(), 1000 + i);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < PAIRS; i++) {
                    Bytes.fill(memory.segment(), i * 200, 100, round * 100 + i);
                    assertEquals(
                            1,
                            receives[i]
                                    .receive(1000 + i, memory, i * 200 + 100, 100)
                                    .post());
                    assertEquals(
                            1, sends[i].send(i, memory, i * 200, 100).signaled().post());
                }
                for (Done done : Done.next(completions, 2 * PAIRS)) {
                    done.failure().ifPresent(failure -> {
                        throw failure;
                    });
                    assertEquals(Integer.valueOf((int) done.id()), expected.get(done.number()));
                }
                for (int i = 0; i < PAIRS; i++) {
                    Bytes.verify(memory.segment(), i * 200 + 100, 100, round * 100 + i);
                }
            }
        }
    }
}
