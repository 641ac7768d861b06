package io.github.verbs4j.bench.start;

import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;

/** A program that says "completed" once its first work request, a write to itself, has completed. */
final class FirstCompletion {
    private static final int BYTES = 4096;

    private FirstCompletion() {}

    public static void main(String[] arguments) {
        try (Connection connection = Connection.open(Target.of(arguments));
                MemoryRegion memory =
                        connection.domain().allocate(BYTES, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
                SendQueue sends = SendQueue.over(connection.pair());
                Completions completions = Completions.over(connection.queue(), 1)) {
            sends.write(1, memory, 0, 64, memory.remote(), 64).signaled().post();
            while (completions.poll() == 0) {
                Thread.onSpinWait();
            }
            completions.next();
            completions.requireSuccess();
            System.out.println("completed");
            System.out.flush();
        }
    }
}
