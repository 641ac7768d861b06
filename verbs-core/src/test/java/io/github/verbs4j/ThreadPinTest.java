package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.host.CpuSet;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RecordedHost;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadPinTest {
    /** The processors of this thread, as the kernel says. */
    private static CpuSet allowed() {
        return Host.local().allowedCpus();
    }

    private static CpuSet one() {
        return CpuSet.of("" + allowed().numbers().last());
    }

    private static Throwable thrownBy(Thread.Builder builder, Callable<?> work) throws InterruptedException {
        FutureTask<?> task = new FutureTask<>(work);
        builder.start(task).join();
        return task.exceptionNow();
    }

    @Test
    void shouldStayOnItsProcessorsUntilClosed() {
        CpuSet before = allowed();
        ThreadPin pin = ThreadPin.toCpus(one());
        assertEquals(one(), pin.cpus());
        assertEquals(pin.cpus(), allowed());
        for (int times = 0; times < 2; times++) {
            pin.close();
            assertEquals(before, allowed());
        }
    }

    @Test
    void shouldBeClosedInTheReverseOrder() {
        CpuSet before = allowed();
        ThreadPin outer = ThreadPin.toCpus(one());
        ThreadPin inner = ThreadPin.toCpus(one());

        String refusal = assertThrows(IllegalStateException.class, outer::close).getMessage();
        assertTrue(refusal.endsWith("close " + inner + " first"), refusal);

        inner.close();
        outer.close();
        outer.close();
        assertEquals(before, allowed());
    }

    @Test
    void shouldNest() {
        CpuSet before = allowed();
        try (ThreadPin outer = ThreadPin.toCpus(CpuSet.of("0-65535"))) {
            assertEquals(before, outer.cpus());
            try (ThreadPin inner = ThreadPin.toCpus(one())) {
                assertEquals(inner.cpus(), allowed());
            }
            assertEquals(before, allowed());
        }
    }

    @Test
    void shouldNotWidenWhatIsAllowed() {
        assumeTrue(allowed().numbers().size() > 1, "one processor cannot be narrowed");
        CpuSet other = CpuSet.of("" + allowed().numbers().first());
        try (ThreadPin narrow = ThreadPin.toCpus(one())) {
            VerbsException failure = assertThrows(VerbsException.class, () -> ThreadPin.toCpus(other));

            Troubleshooting.line("C5").when("processors").mustBeIn(failure.getMessage());
            assertTrue(failure.getMessage().contains("taskset -c " + other), failure.getMessage());
            assertEquals(narrow.cpus(), allowed());
        }
    }

    @Test
    void shouldPinToANode() {
        assumeTrue(!Host.local().numaNodes().isEmpty(), "this kernel knows no NUMA nodes");
        CpuSet cpus = Host.local().numaNodes().getFirst().cpus();
        int node = Host.local().numaNodes().getFirst().number();
        try (ThreadPin pin = ThreadPin.toNode(node)) {
            assertEquals(cpus.and(allowed()), pin.cpus());
        }
    }

    @Test
    void shouldRefuseANodeThatDoesNotExist() {
        String message = assertThrows(IllegalArgumentException.class, () -> ThreadPin.toNode(999))
                .getMessage();

        assertTrue(message.startsWith("node=999 is not one of this machine: ["), message);
        assertThrows(IllegalArgumentException.class, () -> ThreadPin.toNode(-1));
    }

    @Test
    void shouldRefuseNoProcessors() {
        assertThrows(IllegalArgumentException.class, () -> ThreadPin.toCpus(new CpuSet(new TreeSet<>())));
    }

    @Test
    void shouldRefuseVirtualThreads() throws InterruptedException {
        Throwable thrown = thrownBy(Thread.ofVirtual(), () -> ThreadPin.toCpus(one()));

        assertInstanceOf(IllegalStateException.class, thrown);
        assertTrue(thrown.getMessage().contains("is virtual"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("Thread.ofPlatform()"), thrown.getMessage());
    }

    @Test
    void shouldBeClosedByItsOwnThread() throws InterruptedException {
        try (ThreadPin pin = ThreadPin.toCpus(one())) {
            Throwable thrown = thrownBy(Thread.ofPlatform(), Executors.callable(pin::close));

            assertInstanceOf(WrongThreadException.class, thrown);
            assertEquals(one(), allowed());
        }
    }

    // ---- the node of a device ----

    @TempDir
    Path root;

    @Test
    void shouldTellTheNodeOfADevice() {
        Host host = new RecordedHost(root)
                .mellanox("mlx5_0")
                .softRoce("rxe0")
                .numaNode(0, "0-7")
                .numaNode(1, "8-15")
                .host();

        Troubleshooting.line("C5")
                .when("device")
                .mustBeIn(Device.numaNode(host, "mlx5_0").toString());
        assertEquals(OptionalInt.empty(), Device.numaNode(host, "rxe0"));
        assertEquals(OptionalInt.empty(), Device.numaNode(host, "mlx5_7"));
    }

    @Test
    void shouldTakeTheOnlyNode() {
        Host host = new RecordedHost(root).softRoce("rxe0").numaNode(0, "0-7").host();

        assertEquals(OptionalInt.of(0), Device.numaNode(host, "rxe0"));
    }
}
