package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The fake's device, open, with a domain, a completion queue and a page of memory. All is closed in the end. */
@ExtendWith(FakeVerbs.Reset.class)
abstract class FakeDevice {
    static final AccessFlag[] ALL = {AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ};
    static final int EPERM = 1;
    static final int EIO = 5;
    static final int EACCES = 13;

    DeviceContext context;
    ProtectionDomain domain;
    CompletionQueue queue;
    MemoryRegion memory;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @BeforeEach
    void open() {
        context = keep(Device.first().open());
        domain = keep(context.allocateProtectionDomain());
        queue = keep(context.createCompletionQueue(1024));
        memory = keep(domain.allocate(4096, ALL));
    }

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.removeLast().close();
        }
    }

    /** Closes it when the test is over, the last one first. */
    final <T extends AutoCloseable> T keep(T object) {
        opened.addLast(object);
        return object;
    }

    final QueuePairOptions options() {
        return QueuePairOptions.sharing(queue).depth(8, 8).segments(4, 4).inline(64);
    }

    final RcQueuePair queuePair() {
        return keep(domain.createRc(options()));
    }

    final RcQueuePair queuePair(QueuePairOptions options) {
        return keep(domain.createRc(options));
    }

    /** In RTS, connected to itself. */
    final RcQueuePair connected() {
        return connected(queuePair());
    }

    final RcQueuePair connected(RcQueuePair queuePair) {
        queuePair.connect(queuePair.initialize(gid()), RcPath.defaults());
        return queuePair;
    }

    final void connect(RcQueuePair one, RcQueuePair other) {
        QueuePairAddress first = one.initialize(gid());
        QueuePairAddress second = other.initialize(gid());
        one.connect(second, RcPath.defaults());
        other.connect(first, RcPath.defaults());
    }

    final GidEntry gid() {
        return context.gids(1).preferred();
    }

    final SendQueue sends(RcQueuePair queuePair) {
        return keep(SendQueue.over(queuePair));
    }

    final ReceiveQueue receives(RcQueuePair queuePair) {
        return keep(ReceiveQueue.over(queuePair));
    }

    final Completions completions() {
        return keep(Completions.over(queue, 16));
    }

    /** Runs it in a thread that is over then; the thread's exception comes as it is. */
    static <T> T elsewhere(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = Thread.ofPlatform().name("elsewhere").daemon().start(future);
        try {
            T result = future.get(60, TimeUnit.SECONDS);
            thread.join();
            return result;
        } catch (ExecutionException e) {
            thread.join();
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
