package io.github.verbs4j.bench.suite;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteRegion;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * RDMA writes from a queue pair to itself, posted in batches and polled until all have completed: what a batch costs on the
 * device of this machine.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class PostPollBenchmark {
    private static final int DEPTH = 64;
    private static final int BYTES = 32;

    /** Work requests in one post. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private DeviceContext context;
    private ProtectionDomain domain;
    private MemoryRegion memory;
    private CompletionQueue queue;
    private RcQueuePair pair;
    private SendQueue sends;
    private Completions completions;
    private RemoteRegion remote;

    /** Opens the first device and connects a queue pair to itself. */
    @Setup(Level.Trial)
    public void open() {
        context = Device.first().open();
        domain = context.allocateProtectionDomain();
        memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        queue = context.createCompletionQueue(2 * DEPTH);
        pair = domain.createRc(QueuePairOptions.sharing(queue).depth(DEPTH, 1));
        sends = SendQueue.over(pair);
        completions = Completions.over(queue, DEPTH);
        pair.connect(pair.initialize(context.gids(1).preferred()), RcPath.defaults());
        remote = memory.remote();
    }

    /** Closes everything. */
    @TearDown(Level.Trial)
    public void close() {
        completions.close();
        sends.close();
        pair.close();
        queue.close();
        memory.close();
        domain.close();
        context.close();
    }

    /**
     * One batch, of which only the last request is signalled.
     *
     * @return the id of its completion
     */
    @Benchmark
    public long writeBatch() {
        for (int i = 1; i < batch; i++) {
            sends.write(i, memory, 0, BYTES, remote, 2048);
        }
        sends.write(batch, memory, 0, BYTES, remote, 2048).signaled();
        sends.post();
        while (completions.poll() == 0) {
            Thread.onSpinWait();
        }
        completions.next();
        completions.requireSuccess();
        return completions.id();
    }

    /**
     * A poll that finds nothing.
     *
     * @return 0
     */
    @Benchmark
    public int emptyPoll() {
        return completions.poll();
    }
}
