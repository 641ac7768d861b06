package io.github.verbs4j.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.host.RecordedHost;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryExplanationsTest {

    private static final long IPC_LOCK = 1L << 14;

    @TempDir
    Path root;

    private RecordedHost recorded;

    @BeforeEach
    void record() {
        recorded = new RecordedHost(root);
    }

    private Explanation registration(long bytes) {
        return Explanations.registration(recorded.host(), Errno.ENOMEM, bytes);
    }

    private static void assertSays(String part, String text) {
        assertTrue(text.contains(part), () -> "\"" + part + "\" is not in: " + text);
    }

    @Test
    void shouldBlameTheLockedMemoryLimit() {
        recorded.limits("8388608", "8388608")
                .status(1000, 4096, 0)
                .file("/proc/meminfo", "MemAvailable: 16777216 kB\n")
                .file("/proc/sys/vm/max_map_count", "65530\n")
                .file("/proc/self/maps", "a\nb\n");

        assertEquals(
                """
                ibv_reg_mr failed on mlx5_0: ENOMEM (12, Cannot allocate memory)
                  asked:    length=1073741824
                  machine:  locked-memory limit (RLIMIT_MEMLOCK): 8 MiB, hard limit 8 MiB
                            pinned now (VmPin): 4 MiB
                            CAP_IPC_LOCK (lifts the limit): no
                            memory available: 16 GiB
                            mappings: 2 of at most 65530 (vm.max_map_count)
                  cause:    the locked-memory limit: 4 MiB pinned + 1 GiB asked > 8 MiB allowed, and the process has no
                            CAP_IPC_LOCK
                  next:     raise the limit and start the program again:
                              shell:          ulimit -l unlimited   (as root: it is over the hard limit)
                              login:          * - memlock unlimited   in /etc/security/limits.conf, then log in again
                              systemd unit:   LimitMEMLOCK=infinity
                              docker, podman: --ulimit memlock=-1   (or, for root in the container, --cap-add IPC_LOCK)
                              Kubernetes:     LimitMEMLOCK=infinity for the node's container runtime (a pod has no field for it),
                                              or, for root, IPC_LOCK in securityContext.capabilities.add""",
                VerbsException.of("ibv_reg_mr")
                        .errno(12)
                        .device("mlx5_0")
                        .argument("length", 1 << 30)
                        .explain(registration(1 << 30))
                        .build()
                        .getMessage());
    }

    @Test
    void shouldCountWhatIsPinnedAlready() {
        recorded.limits("8388608", "8388608").status(1000, 4096, 0);

        assertFalse(registration(4 << 20).cause().startsWith("the locked-memory limit"));
        assertSays(
                "the locked-memory limit: 4 MiB pinned",
                registration((4 << 20) + 1).cause());
        assertSays("the locked-memory limit", registration(Long.MAX_VALUE).cause());
    }

    @Test
    void shouldOfferTheShellWhenTheHardLimitAllowsIt() {
        recorded.limits("65536", "unlimited").status(1000, 0, 0);

        assertSays(
                "ulimit -l 1024   (KiB, or more; the hard limit allows it)",
                registration(1 << 20).next());
    }

    @Test
    void shouldTellContainersFirstInAContainer() {
        recorded.limits("65536", "65536").status(1000, 0, 0).docker();
        assertTrue(registration(1 << 20)
                .next()
                .lines()
                .skip(1)
                .findFirst()
                .orElse("")
                .startsWith("  docker"));

        recorded.file("/run/secrets/kubernetes.io/token", "");
        assertTrue(registration(1 << 20)
                .next()
                .lines()
                .skip(1)
                .findFirst()
                .orElse("")
                .startsWith("  Kubernetes"));
    }

    @Test
    void shouldNotBlameTheLimitThatIpcLockLifts() {
        recorded.limits("65536", "65536").status(0, 0, IPC_LOCK);

        assertSays(
                "not the locked-memory limit (CAP_IPC_LOCK lifts the limit)",
                registration(1 << 20).cause());
    }

    @Test
    void shouldNotTrustIpcLockInARootlessContainer() {
        recorded.limits("65536", "65536").status(0, 0, IPC_LOCK).file("/proc/self/uid_map", "0 1000 1\n");

        assertSays(
                "CAP_IPC_LOCK has no effect in a user namespace",
                registration(1 << 20).cause());
        assertFalse(registration(1 << 20).next().contains("--cap-add"));
    }

    @Test
    void shouldBlameMemoryThatIsNotThere() {
        recorded.limits("unlimited", "unlimited").status(0, 0, 0).file("/proc/meminfo", "MemAvailable: 1024 kB\n");

        assertSays("too little memory: 1 GiB asked", registration(1 << 30).cause());
    }

    /** As when a large region is registered already. */
    @Test
    void shouldSuspectMemoryThatIsNotAvailable() {
        recorded.limits("unlimited", "unlimited")
                .status(0, 0, 0)
                .file("/proc/meminfo", "MemAvailable: 1024 kB\n"); // and the process has 100 MiB

        assertSays(
                "most likely too little memory: 64 MiB asked, 1 MiB available beside what this process holds already",
                registration(64 << 20).cause());
        assertSays("register less", registration(64 << 20).next());
    }

    @Test
    void shouldKnowHowMuchSoftRoceTakes() {
        recorded.softRoce("rxe0")
                .mellanox("mlx5_0")
                .limits("unlimited", "unlimited")
                .status(0, 0, 0)
                .file("/proc/meminfo", "MemAvailable: 16777216 kB\n");
        long most = 1L << 30;

        assertSays(
                "takes 262144 pages in a region", registration("rxe0", most + 1).cause());
        assertSays("not the locked-memory limit", registration("rxe0", most).cause());
        assertSays(
                "not the locked-memory limit", registration("mlx5_0", most + 1).cause());
    }

    private Explanation registration(String device, long bytes) {
        return Explanations.registration(recorded.host(), device, Errno.ENOMEM, bytes);
    }

    @Test
    void shouldBlameTheMemoryLimitOfTheControlGroup() {
        recorded.limits("unlimited", "unlimited")
                .status(0, 0, 0)
                .file("/proc/meminfo", "MemAvailable: 16777216 kB\n")
                .file("/proc/self/cgroup", "0::/\n")
                .file("/sys/fs/cgroup/memory.max", "1048576\n");

        assertSays("too little memory", registration(2 << 20).cause());
        assertSays(
                "limit of the control group 1 MiB",
                registration(2 << 20).facts().toString());
    }

    @Test
    void shouldBlameTheNumberOfMappings() {
        recorded.limits("unlimited", "unlimited")
                .status(0, 0, 0)
                .file("/proc/sys/vm/max_map_count", "3\n")
                .file("/proc/self/maps", "a\nb\n");

        assertSays("vm.max_map_count", registration(4096).cause());
        assertSays("sysctl -w vm.max_map_count=262120", registration(4096).next());
        Troubleshooting.line("B3").when("mappings").mustBeIn(registration(4096).toString());
    }

    @Test
    void shouldStillSuspectTheLimitWhenNothingCanBeRead() {
        assertSays(
                "most often the locked-memory limit, which could not be read",
                registration(4096).cause());
        assertSays("LimitMEMLOCK=infinity", registration(4096).next());
    }

    @Test
    void shouldExplainMemoryThatIsNotMapped() {
        Explanation explanation = Explanations.registration(recorded.host(), Errno.EFAULT, 4096);

        assertSays("unmapped, read-only", explanation.cause());
    }

    @Test
    void shouldSuspectTheDepthFirst() {
        recorded.limits("unlimited", "unlimited").status(0, 0, 0).mellanox("mlx5_0");
        Explanation explanation = Explanations.creationOutOfMemory(recorded.host(), "mlx5_0", 1024, 2048);

        assertEquals("""
                machine:  depth asked: 1024 + 2048 entries
                          locked-memory limit (RLIMIT_MEMLOCK): unlimited, hard limit unlimited
                          pinned now (VmPin): 0 bytes
                          CAP_IPC_LOCK (lifts the limit): no
                cause:    likeliest first: the depth, then the number of objects on the device, then locked memory (it is
                          unlimited)
                next:     ask for less depth and see whether it passes; then look for objects left behind:
                            rdma resource show            counts of each device
                            rdma resource show qp         who owns which""", explanation.toString());
    }

    @Test
    void shouldSuspectLockedMemoryWhenTheQueuesDoNotFit() {
        recorded.limits("65536", "65536").status(1000, 60, 0).mellanox("mlx5_0").softRoce("rxe0");

        assertSays(
                "locked memory: hardware devices pin the queues, which takes about 64 KiB, and only 4 KiB",
                Explanations.creationOutOfMemory(recorded.host(), "mlx5_0", 1024)
                        .cause());
        assertSays(
                "likeliest first: the depth",
                Explanations.creationOutOfMemory(recorded.host(), "rxe0", 1024).cause());
    }

    private static Limit objects(String kind, long count, long most) {
        return new Limit(kind, count, most, "max_" + kind);
    }

    @Test
    void shouldTellTheObjectsOfTheDevice() {
        Explanation explanation = Explanations.creationOutOfMemory(
                recorded.host(), "mlx5_0", List.of(objects("pd", 2, 8192), objects("qp", 17, 65536)));

        assertSays(
                "objects on mlx5_0, of all processes: pd 2 of 8192, qp 17 of 65536",
                explanation.facts().toString());
        assertSays("likeliest first: the number of objects", explanation.cause());
    }

    @Test
    void shouldBlameADeviceThatIsFull() {
        Explanation explanation = Explanations.creationOutOfMemory(
                recorded.host(), "mlx5_0", List.of(objects("pd", 2, 8192), objects("qp", 65536, 65536)), 16);

        assertSays("the device has as many objects as it can: qp 65536 of 65536", explanation.cause());
        assertSays("rdma resource show qp", explanation.next());
    }

    @Test
    void shouldBlameTheLimitOfTheAddressSpace() {
        recorded.limits("unlimited", "unlimited")
                .file("/proc/self/status", "VmSize: 1024 kB\n")
                .file("/proc/self/limits", "Max address space  2097152  unlimited  bytes\n");
        Explanation explanation = Explanations.creationOutOfMemory(recorded.host(), "rxe0", 1 << 20);

        assertSays(
                "address space (ulimit -v): 1 MiB of at most 2 MiB",
                explanation.facts().toString());
        assertSays("the limit of the address space: the queues, which take at least 64 MiB", explanation.cause());
        assertSays("ulimit -v unlimited", explanation.next());
    }

    @Test
    void shouldTellDepthObjectsAndMemory() {
        recorded.file("/proc/self/status", "VmSize: 1024 kB\n")
                .file("/proc/self/limits", "Max address space  2097152  unlimited  bytes\n");
        List<Limit> objects = Stream.of("pd", "cq", "qp", "mr", "srq")
                .map(kind -> objects(kind, 3, 100))
                .toList();
        VerbsException.Builder failure =
                VerbsException.of("ibv_create_qp").device("rxe0").errno(12);
        failure.explain(Explanations.creationOutOfMemory(recorded.host(), "rxe0", objects, 1 << 20, 1 << 20));
        Troubleshooting.line("B2").when("memory").mustBeIn(failure.build().getMessage());
    }

    @Test
    void shouldBlameTheControlGroup() {
        recorded.file("/proc/self/cgroup", "0::/a/b\n")
                .file("/sys/fs/cgroup/a/b/rdma.current", "mlx5_0 hca_handle=1 hca_object=20\n")
                .file("/sys/fs/cgroup/a/b/rdma.max", "mlx5_0 hca_handle=max hca_object=max\n")
                .file("/sys/fs/cgroup/a/rdma.current", "mlx5_0 hca_handle=1 hca_object=20\n")
                .file("/sys/fs/cgroup/a/rdma.max", "mlx5_0 hca_handle=max hca_object=20\n");
        for (Explanation explanation : List.of(
                Explanations.creationOutOfMemory(recorded.host(), "mlx5_0", 16),
                Explanations.refusal(recorded.host(), Errno.EAGAIN, "mlx5_0"))) {
            assertSays(
                    "control group /sys/fs/cgroup/a (rdma.current of rdma.max): hca_object 20 of 20, hca_handle 1 of max",
                    explanation.facts().toString());
            assertSays("as many RDMA objects as its rdma.max allows", explanation.cause());
            assertSays("echo 'mlx5_0 hca_handle=max hca_object=max' > /sys/fs/cgroup/a/rdma.max", explanation.next());
        }
    }
}
