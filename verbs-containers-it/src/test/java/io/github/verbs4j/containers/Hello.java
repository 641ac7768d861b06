package io.github.verbs4j.containers;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RcPath;

/** A program of a user: sends its argument over RDMA to itself, and prints what arrives. */
final class Hello {
    private Hello() {}

    public static void main(String[] arguments) {
        try (DeviceContext context = Device.first().open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = context.createCompletionQueue(4);
                RcQueuePair pair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(1, 1));
                ReceiveQueue receives = ReceiveQueue.over(pair);
                SendQueue sends = SendQueue.over(pair);
                Completions completions = Completions.over(queue, 4)) {
            pair.connect(pair.initialize(context.gids(1).preferred()), RcPath.defaults());
            receives.receive(1, memory, 0, 2048).post();
            memory.segment().setString(2048, arguments[0]);
            sends.send(2, memory, 2048, 64).signaled().post();
            for (int pending = 2; pending > 0; ) {
                pending -= completions.poll();
                while (completions.next()) {
                    completions.requireSuccess();
                }
            }
            System.out.println("received: " + memory.segment().getString(0));
        }
    }
}
