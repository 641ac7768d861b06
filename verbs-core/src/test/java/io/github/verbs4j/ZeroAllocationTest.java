package io.github.verbs4j;

import static io.github.verbs4j.Allocation.assertAllocatesNothing;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.fake.FakeVerbs;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Staging, posting, polling and awaiting allocate nothing. The counter is the virtual machine's own, exact to the byte for the
 * present thread; reading it costs nothing, which is measured too.
 *
 * <p>Until the code is compiled, method handles of the interpreter may allocate, so the best of some series counts: what
 * the product allocates it allocates in every one of them.
 */
class ZeroAllocationTest extends FakeDevice {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofNanos(100_000);

    private SendQueue sends;
    private ReceiveQueue receives;
    private Completions completions;
    private RemoteRegion remote;
    private long completed;

    @BeforeEach
    void connect() {
        RcQueuePair queuePair = queuePair(options().depth(16, 16));
        connected(queuePair);
        sends = sends(queuePair);
        receives = receives(queuePair);
        completions = completions();
        remote = memory.remote();
    }

    private void drain() {
        while (completions.poll() > 0) {
            while (completions.next()) {
                completions.requireSuccess();
                completed += completions.id() + completions.queuePairNumber();
            }
        }
    }

    @Test
    void shouldWriteAndReadAMillionTimesWithoutAllocating() {
        assertAllocatesNothing(200_000, () -> {
            sends.write(1, memory, 0, 64, remote, 64).signaled();
            sends.read(2, memory, 0, 64, remote, 64).fence().signaled();
            sends.post();
            drain();
        });
        assertTrue(completed > 0);
    }

    @Test
    void shouldSendAndReceiveWithoutAllocating() {
        assertAllocatesNothing(() -> {
            receives.receive(1, memory, 100, 64).receive(2, memory, 200, 32).and(memory, 300, 32);
            receives.post();
            sends.send(3, memory, 0, 64).solicited();
            sends.sendImmediate(4, memory, 0, 64, 42).signaled();
            sends.post();
            while (completions.poll() > 0) {
                while (completions.next()) {
                    if (completions.isReceive() && completions.hasImmediate()) {
                        completed += completions.immediate();
                    }
                    completed += completions.byteLength() + completions.statusCode() + completions.vendorError();
                    completed += completions.opcode().ordinal()
                            + completions.status().ordinal();
                }
            }
        });
        assertTrue(completed > 0);
    }

    @Test
    void shouldWriteImmediatesWithoutAllocating() {
        assertAllocatesNothing(() -> {
            receives.receive(1, memory, 100, 64);
            receives.post();
            sends.writeImmediate(2, memory, 0, 8, remote, 64, 7).signaled();
            sends.post();
            drain();
        });
    }

    @Test
    void shouldInlineAndGatherWithoutAllocating() {
        assertAllocatesNothing(() -> {
            sends.write(1, memory, 0, 16, remote, 64).inline().and(memory, 32, 16);
            sends.write(2, memory, 0, 16, remote, 64)
                    .and(memory, 32, 16)
                    .and(memory, 64, 16)
                    .signaled();
            sends.post();
            drain();
        });
    }

    @Test
    void shouldPollAnEmptyQueueWithoutAllocating() {
        assertAllocatesNothing(() -> {
            completed += completions.poll();
            completed += completions.next() ? 1 : 0;
            completed += sends.post() + sends.available() + receives.available() + sends.staged();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldAwaitWhatIsThereWithoutAllocating(WaitStrategy strategy) {
        assertAllocatesNothing(() -> {
            sends.write(1, memory, 0, 64, remote, 64).signaled();
            sends.post();
            await(strategy, LONG, 1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldAwaitTheDeadlineWithoutAllocating(WaitStrategy strategy) {
        assertAllocatesNothing(2000, () -> await(strategy, SHORT, 0));
    }

    @Test
    void shouldBeWokenWithoutAllocating() throws Exception {
        FakeVerbs.holdCompletions();
        Thread device = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(SHORT.toNanos());
                FakeVerbs.release(1);
            }
        });
        try {
            assertAllocatesNothing(1000, () -> {
                sends.write(1, memory, 0, 64, remote, 64).signaled();
                sends.post();
                await(WaitStrategy.EVENT, LONG, 1);
            });
        } finally {
            device.interrupt();
            device.join();
        }
    }

    private void await(WaitStrategy strategy, Duration timeout, int expected) {
        try {
            int count = completions.await(strategy, timeout);
            if (count != expected) {
                throw new AssertionError(count);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldPostWithoutSignalsWithoutAllocating() {
        assertAllocatesNothing(() -> {
            sends.write(1, memory, 0, 8, remote, 64);
            sends.write(2, memory, 0, 8, remote, 64).signaled();
            sends.write(3, memory, 0, 8, remote, 64);
            sends.post();
            sends.write(4, memory, 0, 8, remote, 64);
            sends.post();
            drain();
        });
    }

    @Test
    void shouldPostInPartsWithoutAllocating() {
        assertAllocatesNothing(() -> {
            for (int id = 0; id < 12; id++) {
                sends.write(id, memory, 0, 8, remote, 64).inline();
            }
            sends.post();
            for (int id = sends.staged(); id < 12; id++) {
                sends.write(id, memory, 0, 8, remote, 64).and(memory, 8, 8);
            }
            sends.post();
            while (sends.staged() > 0) {
                drain();
                assertTrue(sends.post() > 0);
            }
            sends.send(99, memory, 0, 8);
            sends.discard();
        });
    }

    @Test
    void shouldServeSeveralQueuePairsWithoutAllocating() {
        FakeVerbs.absentPeersSucceed();
        RcQueuePair other = queuePair();
        QueuePairAddress mine = other.initialize(gid());
        other.connect(new QueuePairAddress(mine.linkLayer(), 0, mine.gid(), 999, 0, mine.mtu(), 1), RcPath.defaults());
        SendQueue others = sends(other);
        assertAllocatesNothing(() -> {
            sends.write(1, memory, 0, 8, remote, 64).signaled();
            others.write(2, memory, 0, 8, remote, 64).signaled();
            sends.post();
            others.post();
            drain();
        });
    }
}
