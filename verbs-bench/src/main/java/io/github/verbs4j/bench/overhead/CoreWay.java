package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.RemoteRegion;

/** The library as its users use it. */
final class CoreWay implements Way {
    private final SendQueue[] sends;
    private final ReceiveQueue[] receives;
    private final int mask;
    private final Completions completions;
    private final MemoryRegion memory;
    private final RemoteRegion remote;

    CoreWay(Ends ends) {
        this.sends = ends.pairs().stream().map(SendQueue::over).toArray(SendQueue[]::new);
        this.receives = ends.pairs().stream().map(ReceiveQueue::over).toArray(ReceiveQueue[]::new);
        this.mask = sends.length - 1;
        this.completions = Completions.over(ends.queue(), POLL_CAPACITY);
        this.memory = ends.memory();
        this.remote = ends.target().remote();
    }

    @Override
    public long run(Work work, int batch, int batches) {
        return switch (work) {
            case WRITE -> write(batch, batches);
            case WRITE_SIGNALED -> writeSignaled(batch, batches);
            case INLINE -> inline(batch, batches);
            case REFILL -> refill(batch, batches);
            case EMPTY_POLL -> emptyPoll(batches);
        };
    }

    private long write(int batch, int batches) {
        long sum = 0;
        long id = 0;
        for (int n = 0; n < batches; n++) {
            SendQueue queue = sends[n & mask];
            for (int i = 0; i < batch; i++, id++) {
                queue.write(id, memory, Way.offset(id), BYTES, remote, Way.offset(id));
            }
            queue.signaled();
            queue.post();
            sum += take();
        }
        return sum;
    }

    private long writeSignaled(int batch, int batches) {
        long sum = 0;
        long id = 0;
        for (int n = 0; n < batches; n++) {
            SendQueue queue = sends[n & mask];
            for (int i = 0; i < batch; i++, id++) {
                queue.write(id, memory, Way.offset(id), BYTES, remote, Way.offset(id))
                        .signaled();
            }
            queue.post();
            sum += take();
        }
        return sum;
    }

    private long inline(int batch, int batches) {
        long sum = 0;
        long id = 0;
        for (int n = 0; n < batches; n++) {
            SendQueue queue = sends[n & mask];
            for (int i = 0; i < batch; i++, id++) {
                queue.send(id, memory, Way.offset(id), BYTES).inline();
            }
            queue.signaled();
            queue.post();
            sum += take();
        }
        return sum;
    }

    private long refill(int batch, int batches) {
        long sum = 0;
        long id = 0;
        for (int n = 0; n < batches; n++) {
            ReceiveQueue queue = receives[n & mask];
            for (int i = 0; i < batch; i++, id++) {
                queue.receive(id, memory, Way.offset(id), ROOM);
            }
            queue.post();
            sum += take();
        }
        return sum;
    }

    private long emptyPoll(int batches) {
        long sum = 0;
        for (int n = 0; n < batches; n++) {
            sum += completions.poll();
        }
        return sum;
    }

    private long take() {
        long sum = 0;
        completions.poll();
        while (completions.next()) {
            completions.requireSuccess();
            sum += completions.id();
        }
        return sum;
    }
}
