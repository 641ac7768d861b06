package io.github.verbs4j.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumaTest {

    private static final String SMAPS = """
            7f0000000000-7f0000400000 rw-p 00000000 00:0f 42                 /anon_hugepage (deleted)
            Size:               4096 kB
            KernelPageSize:     2048 kB
            MMUPageSize:        2048 kB
            Rss:                   0 kB
            AnonHugePages:         0 kB
            Shared_Hugetlb:        0 kB
            Private_Hugetlb:    4096 kB
            VmFlags: rd wr mr mw me de ht
            7f0000400000-7f0000800000 rw-p 00000000 00:00 0
            KernelPageSize:        4 kB
            Rss:                3072 kB
            AnonHugePages:      2048 kB
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]
            """;
    private static final String NUMA_MAPS = """
            7f0000000000 prefer:1 file=/anon_hugepage\\040(deleted) huge anon=2 dirty=2 N1=2 kernelpagesize_kB=2048
            7f0000400000 default anon=768 dirty=768 N0=512 N1=256 kernelpagesize_kB=4
            """;

    @TempDir
    Path root;

    private RecordedHost recorded;

    @BeforeEach
    void record() {
        recorded = new RecordedHost(root);
    }

    @Test
    void shouldReadAndWriteLists() {
        for (String list : List.of("", "0", "0-3", "0-3,8", "1,3,5-6,4000")) {
            assertEquals(list, CpuSet.of(list).toString());
        }
        assertEquals("0-4", CpuSet.of(" 3-4,0-2, 1\n").toString());
        assertEquals(new CpuSet(new TreeSet<>(List.of(0, 1, 8))), CpuSet.of("0-1,8"));
        assertEquals(CpuSet.of("2-3"), CpuSet.of("0-3").and(CpuSet.of("2-9")));
        assertTrue(CpuSet.of("0-3").and(CpuSet.of("4")).isEmpty());
    }

    @Test
    void shouldRefuseWhatIsNoList() {
        for (String list : List.of("x", "3-1", "-1", "0,,1", "1-", "99999999", "0-99999999")) {
            assertThrows(IllegalArgumentException.class, () -> CpuSet.of(list), list);
        }
        assertThrows(IllegalArgumentException.class, () -> new CpuSet(new TreeSet<>(List.of(-1))));
    }

    @Test
    void shouldReadNodesWithTheirProcessorsAndHugePages() {
        recorded.numaNode(0, "0-7,16-23")
                .numaNode(1, "8-15,24-31")
                .numaNode(10, "")
                .file("/sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 9 kB\nNode 1 MemFree:  1024 kB\n")
                .hugePages("/sys/devices/system/node/node1/hugepages", 2048, 5, 3, 0)
                .file("/sys/devices/system/node/possible", "0-10\n");

        List<NumaNode> nodes = recorded.host().numaNodes();

        assertEquals(List.of(0, 1, 10), nodes.stream().map(NumaNode::number).toList());
        assertEquals(
                new NumaNode(
                        1, CpuSet.of("8-15,24-31"), OptionalLong.of(1 << 20), List.of(new HugePages(2 << 20, 5, 3, 0))),
                nodes.get(1));
        assertTrue(nodes.get(2).cpus().isEmpty());
    }

    @Test
    void shouldReadPoolsOfHugePages() {
        recorded.hugePages("/sys/kernel/mm/hugepages", 1048576, 0, 0, 0)
                .hugePages("/sys/kernel/mm/hugepages", 2048, 8, 5, 2)
                .file("/proc/meminfo", "Hugepagesize:       2048 kB\n");

        List<HugePages> pools = recorded.host().hugePages();

        assertEquals(List.of(new HugePages(2 << 20, 8, 5, 2), new HugePages(1 << 30, 0, 0, 0)), pools);
        assertEquals(3, pools.getFirst().available());
        assertEquals(OptionalLong.of(2 << 20), recorded.host().defaultHugePageBytes());
    }

    @Test
    void shouldFindTheNodeOfASoftwareDeviceAtItsInterface() {
        recorded.softRoce("rxe0").file("/sys/class/net/eth0/device/numa_node", "1\n");

        assertEquals(
                OptionalInt.of(1),
                recorded.host().rdmaDevice("rxe0").orElseThrow().numaNode());
    }

    @Test
    void shouldTellPagesAndNodesOfAMapping() {
        Host host = recorded.file("/proc/self/smaps", SMAPS)
                .file("/proc/self/numa_maps", NUMA_MAPS)
                .host();

        assertEquals(
                Optional.of(new MemoryMapping(
                        0x7f0000000000L,
                        0x7f0000400000L,
                        OptionalLong.of(2 << 20),
                        4 << 20,
                        0,
                        "prefer:1",
                        new TreeMap<>(Map.of(1, 4L << 20)))),
                host.memoryMapping(0x7f00003fffffL));
        assertEquals(
                Optional.of(new MemoryMapping(
                        0x7f0000400000L,
                        0x7f0000800000L,
                        OptionalLong.of(4096),
                        3 << 20,
                        2 << 20,
                        "default",
                        new TreeMap<>(Map.of(0, 2L << 20, 1, 1L << 20)))),
                host.memoryMapping(0x7f0000400000L));
        assertEquals(Optional.empty(), host.memoryMapping(0));
    }

    @Test
    void shouldTellPagesWhereTheKernelKnowsNoNodes() {
        MemoryMapping mapping = recorded.file("/proc/self/smaps", SMAPS)
                .host()
                .memoryMapping(0x7f0000000000L)
                .orElseThrow();

        assertEquals("", mapping.policy());
        assertEquals(Map.of(), mapping.bytesByNode());
    }

    @Test
    void shouldBeEmptyWhenNothingCanBeReadOrIsNonsense() {
        Host empty = recorded.host();
        assertEquals(List.of(), empty.numaNodes());
        assertEquals(List.of(), empty.hugePages());
        assertEquals(OptionalLong.empty(), empty.defaultHugePageBytes());
        assertEquals(CpuSet.NONE, empty.allowedCpus());
        assertEquals(Optional.empty(), empty.memoryMapping(1));

        Host odd = recorded.file("/sys/devices/system/node/nodex/cpulist", "0")
                .file("/sys/devices/system/node/node3/cpulist", "all of them")
                .file("/sys/kernel/mm/hugepages/hugepages-xkB/nr_hugepages", "1")
                .file("/proc/thread-self/status", "Cpus_allowed_list:\n")
                .file("/proc/self/smaps", "nonsense\n-\n1000-zz rw\n1000-3000 rw\nRss: much kB\nKernelPageSize:\n")
                .file("/proc/self/numa_maps", "1000\n1000 \n1000 default N0= Nx=1 N1=2\n")
                .host();
        assertEquals(List.of(new NumaNode(3, CpuSet.NONE, OptionalLong.empty(), List.of())), odd.numaNodes());
        assertEquals(List.of(), odd.hugePages());
        assertEquals(CpuSet.NONE, odd.allowedCpus());
        assertEquals(
                OptionalLong.empty(), odd.memoryMapping(0x1000).orElseThrow().pageBytes());
    }

    @Test
    void shouldReadThisMachine() {
        Host host = Host.local();

        assertFalse(host.allowedCpus().isEmpty());
        for (NumaNode node : host.numaNodes()) {
            assertTrue(node.freeBytes().isPresent());
        }
    }
}
