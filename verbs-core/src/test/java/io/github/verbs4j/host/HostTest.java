package io.github.verbs4j.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidType;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {

    @TempDir
    Path root;

    private RecordedHost recorded;

    @BeforeEach
    void record() {
        recorded = new RecordedHost(root);
    }

    @Test
    void shouldSayUnknownWhenNothingCanBeRead() {
        Host host = Host.at(root.resolve("nowhere"));

        assertEquals(
                new MemoryLimits(
                        ByteLimit.UNKNOWN,
                        ByteLimit.UNKNOWN,
                        ByteLimit.UNKNOWN,
                        ByteLimit.UNKNOWN,
                        OptionalLong.empty()),
                host.memoryLimits());
        assertEquals(OptionalLong.empty(), host.memoryUse().pinned());
        assertEquals(OptionalLong.empty(), host.memoryUse().mappings());
        assertEquals(new Capabilities(OptionalLong.empty(), true), host.capabilities());
        assertEquals(OptionalLong.empty(), host.userId());
        assertEquals(Optional.empty(), host.kernelRelease());
        assertEquals(ModuleState.NOT_LOADED, host.modules().state("ib_uverbs"));
        assertEquals(new Distribution("", List.of(), "", Family.OTHER), host.distribution());
        assertEquals(new Container(Container.Kind.NONE, ""), host.container());
        assertEquals(List.of(), host.rdmaDevices());
        assertEquals(List.of(), host.deviceNodes());
        assertEquals(List.of(), host.providers());
        assertEquals(NamespaceMode.UNKNOWN, host.namespaceMode());
        assertEquals(Optional.empty(), host.rdmaControlGroup("mlx5_0"));
        assertEquals(Optional.empty(), host.fileAt(4096));
    }

    @Test
    void shouldSayUnknownWhenFilesHoldNonsense() {
        recorded.limits("many", "")
                .file("/proc/self/status", "VmPin: lots kB\nCapEff: xyz\nUid:\n")
                .file("/proc/self/cgroup", "nonsense\n::\n0::/\0bad\n")
                .file("/proc/sys/vm/max_map_count", "?\n")
                .file("/sys/class/infiniband/odd0/ports/x/state", "")
                .file("/sys/class/infiniband_verbs/uverbs0", "a file, not a directory");
        Host host = recorded.host();

        assertEquals(ByteLimit.UNKNOWN, host.memoryLimits().lockedSoft());
        assertEquals(OptionalLong.empty(), host.memoryLimits().maxMapCount());
        assertEquals(OptionalLong.empty(), host.memoryUse().pinned());
        assertEquals(OptionalLong.empty(), host.capabilities().effective());
        assertEquals(OptionalLong.empty(), host.userId());
        assertEquals(
                List.of(new RdmaDevice("odd0", "", Optional.empty(), Optional.empty(), OptionalInt.empty(), List.of())),
                host.rdmaDevices());
    }

    @Test
    void shouldReadThisMachine() {
        Host host = Host.local();

        assertEquals(Path.of("/"), host.root());
        assertTrue(host.memoryLimits().lockedSoft().isKnown());
        assertTrue(host.memoryUse().resident().orElse(0) > 0);
        assertTrue(host.memoryUse().mappings().orElse(0) > 0);
        assertTrue(host.capabilities().effective().isPresent());
        assertTrue(host.kernelRelease().isPresent());
        assertNotNull(host.rdmaDevices());
        assertNotNull(host.deviceNodes());
        assertNotNull(host.modules());
    }

    @Test
    void shouldTellWhichFileHoldsAnAddress() {
        Host host = recorded.file("/proc/self/maps", """
                        nonsense - /
                        zz-7f /
                        7f0000001000-7f0000002000 r-xp 00000000 08:01 42                 /usr/lib/lib one.so
                        7f0000002000-7f0000003000 rw-p 00000000 00:00 0
                        ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]
                        ffffffffff700000-ffffffffff701000 r--p 00000000 08:01 43         /usr/lib/libtwo.so
                        """).host();

        assertEquals(Optional.of("/usr/lib/lib one.so"), host.fileAt(0x7f0000001000L));
        assertEquals(Optional.of("/usr/lib/lib one.so"), host.fileAt(0x7f0000001fffL));
        assertEquals(Optional.empty(), host.fileAt(0x7f0000002000L));
        assertEquals(Optional.empty(), host.fileAt(0xffffffffff600000L));
        assertEquals(Optional.of("/usr/lib/libtwo.so"), host.fileAt(0xffffffffff700fffL));
        assertEquals(Optional.empty(), host.fileAt(0));
    }

    @Test
    void shouldReadMemoryLimitsAndUse() {
        recorded.limits("8388608", "unlimited")
                .status(1000, 4096, 0)
                .file("/proc/sys/vm/max_map_count", "65530\n")
                .file("/proc/meminfo", "MemTotal: 100 kB\nMemAvailable:    2048 kB\n")
                .file("/proc/self/maps", "a\nb\nc\n");

        assertEquals(
                new MemoryLimits(
                        new ByteLimit(8 << 20),
                        ByteLimit.UNLIMITED,
                        ByteLimit.UNLIMITED,
                        ByteLimit.UNKNOWN,
                        OptionalLong.of(65530)),
                recorded.host().memoryLimits());
        assertEquals(
                new MemoryUse(
                        OptionalLong.of(4 << 20),
                        OptionalLong.of(0),
                        OptionalLong.empty(),
                        OptionalLong.of(100 << 20),
                        OptionalLong.of(2 << 20),
                        OptionalLong.of(3)),
                recorded.host().memoryUse());
        assertEquals(OptionalLong.of(1000), recorded.host().userId());
    }

    @Test
    void shouldTakeTheSmallestMemoryLimitOfTheControlGroups() {
        recorded.file("/proc/self/cgroup", "0::/a/b\n")
                .file("/sys/fs/cgroup/a/b/memory.max", "max\n")
                .file("/sys/fs/cgroup/a/memory.max", "1048576\n");

        assertEquals(new ByteLimit(1 << 20), recorded.host().memoryLimits().controlGroup());
    }

    @Test
    void shouldReadTheMemoryLimitOfControlGroupsOfVersion1() {
        recorded.file("/proc/self/cgroup", "5:devices:/\n4:memory:/docker/1\n0::/\n")
                .file("/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "4096\n")
                .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

        assertEquals(new ByteLimit(4096), recorded.host().memoryLimits().controlGroup());
    }

    @Test
    void shouldReadRdmaCountsOfTheControlGroup() {
        recorded.file("/proc/self/cgroup", "0::/a\n")
                .file("/sys/fs/cgroup/a/rdma.current", "mlx5_0 hca_handle=1 hca_object=20\nrxe0 hca_handle=0\n")
                .file("/sys/fs/cgroup/a/rdma.max", "mlx5_0 hca_handle=max hca_object=2000\n");

        assertEquals(
                Optional.of(new RdmaControlGroup(
                        "/sys/fs/cgroup/a",
                        OptionalLong.of(20),
                        OptionalLong.of(1),
                        OptionalLong.of(2000),
                        OptionalLong.empty())),
                recorded.host().rdmaControlGroup("mlx5_0"));
        assertEquals(Optional.empty(), recorded.host().rdmaControlGroup("mlx5_1"));
    }

    @Test
    void shouldKnowCapabilitiesByName() {
        recorded.status(0, 0, 1L << 14 | 1L << 21);
        Capabilities capabilities = recorded.host().capabilities();

        assertTrue(capabilities.has(Capability.IPC_LOCK));
        assertTrue(capabilities.has(Capability.SYS_ADMIN));
        assertFalse(capabilities.has(Capability.SYS_RESOURCE));
        assertTrue(capabilities.liftsMemoryLock());
    }

    @Test
    void shouldNotTrustIpcLockInAUserNamespace() {
        recorded.status(0, 0, -1L).file("/proc/self/uid_map", "0 100000 65536\n");

        assertTrue(recorded.host().capabilities().has(Capability.IPC_LOCK));
        assertFalse(recorded.host().capabilities().liftsMemoryLock());
    }

    @Test
    void shouldTellWhereModulesAre() {
        recorded.modules("ib_uverbs ib_core", "rdma-rxe ib_uverbs")
                .file("/sys/module/mlx5_ib/parameters/x", "1")
                .file("/sys/module/ib_core/parameters/netns_mode", "N\n")
                .file("/lib/modules/6.8.0-51-generic/modules.builtin", "kernel/net/rdma_ucm.ko\n");
        KernelModules modules = recorded.host().modules();

        assertEquals(ModuleState.LOADED, modules.state("ib-uverbs"));
        assertEquals(ModuleState.LOADED, modules.state("ib_core"));
        assertEquals(ModuleState.BUILT_IN, modules.state("mlx5_ib"));
        assertEquals(ModuleState.BUILT_IN, modules.state("rdma_ucm"));
        assertEquals(ModuleState.INSTALLED, modules.state("rdma_rxe"));
        assertEquals(ModuleState.ABSENT, modules.state("siw"));
        assertEquals(NamespaceMode.EXCLUSIVE, recorded.host().namespaceMode());
        assertEquals(Optional.of("6.8.0-51-generic"), recorded.host().kernelRelease());
    }

    @Test
    void shouldReadDevices() {
        recorded.mellanox("mlx5_0").softRoce("rxe0").uverbs("uverbs1", "mlx5_0");
        RdmaPort port = new RdmaPort(1, "ACTIVE", "LinkUp", "Ethernet", "100 Gb/sec (4X EDR)", Optional.of("eth2"));

        assertEquals(
                List.of(
                        new RdmaDevice(
                                "mlx5_0",
                                "CA",
                                Optional.of("uverbs1"),
                                Optional.of("mlx5_core"),
                                OptionalInt.of(1),
                                List.of(port)),
                        new RdmaDevice(
                                "rxe0",
                                "CA",
                                Optional.empty(),
                                Optional.of("rdma_rxe"),
                                OptionalInt.empty(),
                                List.of(port))),
                recorded.host().rdmaDevices());
        assertEquals("rxe0", recorded.host().rdmaDevice("rxe0").orElseThrow().name());
        assertEquals(Optional.empty(), recorded.host().rdmaDevice("rxe1"));
    }

    @Test
    void shouldReadDeviceNodes() {
        recorded.node("uverbs0", "rw-rw-rw-").node("rdma_cm", "rw-------").file("/dev/infiniband/by-path/x", "");

        assertEquals(
                List.of("rdma_cm", "uverbs0"),
                recorded.host().deviceNodes().stream().map(DeviceNode::name).toList());
        DeviceNode node = recorded.host().deviceNode("uverbs0").orElseThrow();
        assertEquals("rw-rw-rw-", node.permissions());
        assertEquals("/dev/infiniband/uverbs0", node.path());
        assertTrue(node.isAccessible());
        assertTrue(node.isOpenToAll());
        assertFalse(recorded.host().deviceNode("rdma_cm").orElseThrow().isOpenToAll());
        assertFalse(node.owner().isEmpty());
    }

    @Test
    void shouldSayWhyANodeDoesNotOpen() {
        recorded.node("uverbs0", "rw-rw-rw-");
        Host host = recorded.host();

        assertEquals(Optional.empty(), host.openRefusal("uverbs0"));
        assertEquals(Optional.of("No such file or directory"), host.openRefusal("uverbs1"));
        assertEquals(Optional.of("Is a directory"), host.openRefusal("."));
    }

    @Test
    void shouldFindLibrariesAndTheVersionOfProviders() {
        recorded.file("/opt/rdma/libibverbs.so.1.14.44.0", "\177ELF\0IBVERBS_1.1\0IBVERBS_PRIVATE_34\0")
                .link("/opt/rdma/libibverbs.so.1", "libibverbs.so.1.14.44.0")
                .file("/opt/rdma/libibverbs/libmlx5-rdmav34.so", "")
                .file("/opt/rdma/libibverbs/librxe-rdmav25.so", "")
                .link("/opt/rdma/libibverbs/libsiw-rdmav34.so", "nowhere")
                .file("/opt/rdma/libibverbs/README", "")
                .file("/usr/lib64/librdmacm.so.1", "")
                .file("/etc/ld.so.conf.d/rdma.conf", "# more\n/opt/rdma\n");
        Libraries libraries = recorded.host().libraries();

        assertEquals(Optional.of(new LibraryFile("/opt/rdma/libibverbs.so.1", Optional.of("44.0"))), libraries.verbs());
        assertEquals(
                Optional.of(new LibraryFile("/usr/lib64/librdmacm.so.1", Optional.empty())),
                libraries.connectionManager());
        assertEquals(OptionalInt.of(34), libraries.providerVersion());
        assertTrue(libraries.hasProvider("mlx5"));
        assertFalse(libraries.hasProvider("rxe"), "it has another version");
        assertFalse(libraries.hasProvider("siw"), "it leads nowhere");
    }

    @Test
    void shouldReadTheGidTableAcrossGaps() {
        recorded.mellanox("mlx5_0").file("/sys/class/net/eth2/ifindex", "7\n");
        String port = "/sys/class/infiniband/mlx5_0/ports/1/";
        for (int index = 0; index < 64; index++) {
            recorded.file(port + "gids/" + index, "0000:0000:0000:0000:0000:0000:0000:0000\n");
        }
        recorded.file(port + "gids/60", "0000:0000:0000:0000:0000:ffff:0a09:0001\n")
                .file(port + "gid_attrs/types/60", "RoCE v2\n")
                .file(port + "gid_attrs/ndevs/60", "eth2\n")
                .file(port + "gids/61", "fe80:0000:0000:0000:5054:0aff:fe09:0001\n")
                .file(port + "gid_attrs/types/61", "IB/RoCE v1\n")
                .file(port + "gids/62", "nonsense\n");

        assertEquals(
                List.of(
                        new GidEntry(1, 60, Gid.of(ipv4()), GidType.ROCE_V2, 7),
                        new GidEntry(1, 61, new Gid(0xfe80000000000000L, 0x50540afffe090001L), GidType.ROCE_V1, 0)),
                recorded.host().gidTable("mlx5_0", 1).entries());
        assertEquals(List.of(), recorded.host().gidTable("mlx5_0", 2).entries());
    }

    private static InetAddress ipv4() {
        return InetAddress.ofLiteral("10.9.0.1");
    }

    @Test
    void shouldReadNetworkInterfaces() {
        recorded.file("/sys/class/net/eth2/flags", "0x1003\n")
                .file("/sys/class/net/eth2/operstate", "up\n")
                .file("/sys/class/net/eth2/mtu", "9000\n")
                .file("/sys/class/net/eth3/flags", "0x1002\n");

        assertEquals(
                Optional.of(new NetworkInterface("eth2", true, "up", OptionalInt.of(9000))),
                recorded.host().networkInterface("eth2"));
        assertEquals(
                Optional.of(new NetworkInterface("eth3", false, "", OptionalInt.empty())),
                recorded.host().networkInterface("eth3"));
        assertEquals(Optional.empty(), recorded.host().networkInterface("eth4"));
    }

    @Test
    void shouldKnowTheProviderOfADriver() {
        recorded.mellanox("mlx5_0").softRoce("rxe0").device("irdma0");
        recorded.link("/sys/class/infiniband/irdma0/device/driver", "../ice");

        assertEquals(
                List.of("irdma", "mlx5", "rxe"),
                recorded.host().rdmaDevices().stream()
                        .map(device -> device.provider().orElseThrow())
                        .toList());
    }

    @Test
    void shouldReadProviders() {
        recorded.file("/etc/libibverbs.d/rxe.driver", "driver rxe\n").file("/etc/libibverbs.d/README", "");

        assertEquals(List.of("rxe"), recorded.host().providers());
    }

    @Test
    void shouldKnowDistributionFamilies() {
        assertEquals(
                new Distribution("ubuntu", List.of("debian"), "Ubuntu 24.04.1 LTS", Family.DEBIAN),
                recorded.ubuntu().host().distribution());
        assertEquals(Family.RHEL, family("rocky", "rhel centos fedora"));
        assertEquals(Family.RHEL, family("fedora", ""));
        assertEquals(Family.SUSE, family("opensuse-leap", "suse opensuse"));
        assertEquals(Family.DEBIAN, family("linuxmint", "ubuntu debian"));
        assertEquals(Family.OTHER, family("arch", ""));
    }

    private Family family(String id, String like) {
        return recorded.distribution(id, like, id).host().distribution().family();
    }

    @Test
    void shouldRecogniseContainers() {
        recorded.file("/proc/self/cgroup", "0::/user.slice\n");
        assertFalse(recorded.host().container().isInside());

        recorded.file("/proc/self/cgroup", "0::/system.slice/docker-12.scope\n");
        assertEquals(
                new Container(Container.Kind.DOCKER, "/proc/self/cgroup"),
                recorded.host().container());

        recorded.docker();
        assertEquals(
                new Container(Container.Kind.DOCKER, "/.dockerenv"),
                recorded.host().container());

        recorded.file("/run/.containerenv", "");
        assertEquals(Container.Kind.PODMAN, recorded.host().container().kind());

        recorded.file("/run/secrets/kubernetes.io/serviceaccount/token", "");
        assertEquals(Container.Kind.KUBERNETES, recorded.host().container().kind());
    }

    /** The kernel's own files behave unlike recorded ones. */
    @Test
    void shouldReadANumberOfTheKernelWhole() throws Exception {
        Process cat = new ProcessBuilder("cat", "/proc/sys/vm/max_map_count").start();
        String whole = new String(cat.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();

        assertEquals(whole, "" + Host.local().memoryLimits().maxMapCount().orElseThrow());
    }
}
