package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing in the data path enters the kernel, except that Soft-RoCE's doorbell of sends is a write(2). */
class SystemCallsIT {
    private static final int POLLS = 1000;
    private static final int BATCHES = 4;
    private static final int BATCH = 16;
    /** Polls are counted, because asking for the time may be a system call. */
    private static final int PATIENCE = 100_000_000;

    private Link link;
    private SendQueue sends;
    private ReceiveQueue receives;
    private MemoryRegion source;
    private MemoryRegion target;

    @BeforeEach
    void connect() {
        link = Link.builder().options(options -> options.depth(64, 256)).connected();
        sends = link.client().sends();
        receives = link.server().receives();
        source = link.client().memory();
        target = link.server().memory();
    }

    @AfterEach
    void close() {
        link.close();
    }

    /** Polls until a number of completions came. */
    private static void take(Completions completions, int count) {
        int pending = count;
        for (int polls = 0; pending > 0; polls++) {
            assertTrue(polls < PATIENCE, "completions do not come");
            pending -= completions.poll();
            while (completions.next()) {
                completions.requireSuccess();
            }
        }
    }

    private void writeBatches(int size) {
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < size; i++) {
                sends.write(i, source, 0, 64, target.remote(), 0);
            }
            sends.signaled().post();
            take(link.client().completions(), 1);
        }
    }

    private void receiveBatches() {
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < BATCH; i++) {
                receives.receive(i, target, 0, 64);
            }
            receives.post();
        }
    }

    private void sendBatches() {
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < BATCH; i++) {
                sends.send(i, source, 0, 64);
            }
            sends.signaled().post();
            take(link.client().completions(), 1);
            take(link.server().completions(), BATCH);
        }
    }

    private static void assertOneDoorbellEach(List<String> calls) {
        // the doorbell of hardware is a store
        int doorbells = Rdma.driver().equals("rdma_rxe") ? BATCHES : 0;
        assertEquals(doorbells, calls.size(), () -> "system calls: " + calls);
        for (String call : calls) {
            assertTrue(call.matches("write\\(\\d+</dev/infiniband/uverbs\\d+>.*"), call);
        }
        if (doorbells > 0) {
            Troubleshooting.line("C1").when("Soft-RoCE").mustBeIn(calls.toString());
        }
    }

    @Test
    void shouldPollWithoutTheKernel() {
        Completions completions = link.client().completions();
        List<String> calls = SystemCalls.of(() -> {
            for (int i = 0; i < POLLS; i++) {
                completions.poll();
            }
        });
        assertEquals(List.of(), calls);
    }

    @Test
    void shouldRingOncePerPostedRequest() {
        assertOneDoorbellEach(SystemCalls.of(() -> writeBatches(1)));
    }

    @Test
    void shouldRingOncePerPostedBatch() {
        List<String> calls = SystemCalls.of(() -> writeBatches(BATCH));
        assertOneDoorbellEach(calls);
        if (!calls.isEmpty()) {
            String doorbells = calls.size() + " doorbells for " + BATCHES + " batches of " + BATCH + ": " + calls;
            Troubleshooting.line("C3").when("batches").mustBeIn(doorbells);
        }
    }

    /** Every batch of sends uses up a batch of receives, so that the doorbells of both would show. */
    @Test
    void shouldPostReceivesWithoutTheKernel() {
        assertOneDoorbellEach(SystemCalls.of(() -> {
            receiveBatches();
            sendBatches();
        }));
    }
}
