package io.github.verbs4j.it.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ThreadPin;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.HugePages;
import io.github.verbs4j.host.MemoryMapping;
import io.github.verbs4j.host.NumaNode;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The machine has two NUMA nodes, and its pools of huge pages are ours to fill. */
@SoftRoceMachine
class PlacementIT {
    private static final long HUGE = Placement.TWO_MEBIBYTES;
    private static final AccessFlag[] ACCESS = {AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE};
    private static final String WITHOUT_HUGE_PAGES = """
            group=/sys/fs/cgroup/without-huge-pages
            echo +hugetlb >/sys/fs/cgroup/cgroup.subtree_control
            mkdir $group
            echo 0 >$group/hugetlb.2MB.max
            status=0
            sh -c 'echo $$ >"$0"/cgroup.procs; exec "$@"' $group "$@" || status=$?
            rmdir $group
            exit $status
            """;
    /**
     * As Docker's profile of system calls without CAP_SYS_NICE: mbind, number 237 on x86-64, fails with EPERM, all else is allowed.
     * A tracer that did the same would take minutes in an emulated machine.
     */
    private static final String WITHOUT_MBIND = """
            exec python3 -c '
            import ctypes, os, struct, sys
            steps = ((0x20, 0, 0, 0), (0x15, 0, 1, 237), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000))
            code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
            program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
            assert ctypes.CDLL(None).prctl(22, 2, program, 0, 0) == 0 # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
            os.execvp(sys.argv[1], sys.argv[1:])
            ' "$@"
            """;

    private Link link;

    @BeforeEach
    void connect() {
        link = Link.connected();
    }

    @AfterEach
    void close() {
        link.close();
        reserve(0);
    }

    private static void reserve(int pages) {
        Shell.output("sysctl", "-q", "-w", "vm.nr_hugepages=" + pages);
    }

    private static HugePages pool() {
        return Host.local().hugePages().stream()
                .filter(pool -> pool.pageBytes() == HUGE)
                .findFirst()
                .orElseThrow();
    }

    private static List<NumaNode> nodes() {
        List<NumaNode> nodes = Host.local().numaNodes();
        assertEquals(2, nodes.size(), "the machine's nodes (--numa 2)");
        return nodes;
    }

    private MemoryRegion allocate(long bytes, Placement placement) {
        return link.server().domain().allocate(bytes, placement, ACCESS);
    }

    private static MemoryMapping mapping(MemoryRegion region) {
        return region.mapping().orElseThrow();
    }

    @Test
    void shouldLieOnTheNodeThatIsAskedFor() {
        for (NumaNode node : nodes()) {
            try (MemoryRegion region = allocate(8 << 20, Placement.onNode(node.number()))) {
                MemoryMapping mapping = mapping(region);

                assertEquals("prefer:" + node.number(), mapping.policy());
                assertEquals(Set.of(node.number()), mapping.bytesByNode().keySet(), mapping::toString);
                assertTrue(mapping.bytesByNode().get(node.number()) >= 8 << 20, mapping::toString);
                if (node.number() == 1) {
                    Troubleshooting.line("C5").when("node 1").mustBeIn(mapping.toString());
                }
            }
        }
    }

    @Test
    void shouldLieInHugePagesOfANodeAndBeWrittenByThePeer() {
        reserve(8);
        for (NumaNode node : nodes()) {
            long free = pool().free();
            try (MemoryRegion region =
                    allocate(HUGE + 1, Placement.onNode(node.number()).hugePages(HUGE))) {
                assertEquals(2 * HUGE, region.length(), "rounded up to whole pages");
                assertEquals(0, region.address() % HUGE);
                MemoryMapping mapping = mapping(region);
                assertEquals(HUGE, mapping.pageBytes().orElseThrow());
                assertEquals(2 * HUGE, mapping.residentBytes());
                assertEquals(2 * HUGE, mapping.bytesByNode().get(node.number()), mapping::toString);
                assertEquals(free - 2, pool().free());
                write(region, 2 * HUGE - 4096);
            }
            assertEquals(free, pool().free(), "given back");
        }
    }

    private void write(MemoryRegion region, long offset) {
        link.client()
                .sends()
                .writeImmediate(1, link.client().memory(), 0, 4096, region.remote(), offset, 7)
                .signaled();
        link.server().receive(2, 0, 0);
        link.client().post();
        link.client().await().requireSuccess(1, WorkOpcode.WRITE);
        link.server().await();
        assertEquals(
                -1,
                region.segment()
                        .asSlice(offset)
                        .mismatch(link.client().memory().segment().asSlice(0, 4096)));
    }

    @Test
    void shouldTellHowManyHugePagesThereAreWhenTheyAreTooFew() {
        reserve(3);
        String message = assertThrows(
                        VerbsException.class,
                        () -> allocate(5 * HUGE, Placement.nearDevice().hugePages(HUGE)))
                .getMessage();

        Troubleshooting.line("C5").when("huge pages").mustBeIn(message);
        assertEquals(3, pool().available(), "none is kept");
    }

    @Test
    void shouldLieInTransparentHugePages() {
        try (MemoryRegion region = allocate(8 << 20, Placement.nearDevice().transparentHugePages())) {
            assertTrue(
                    mapping(region).transparentBytes() >= 8 << 20,
                    () -> mapping(region).toString());
        }
    }

    /** What would be a SIGBUS at the first touch. */
    @Test
    void shouldNotDieOfAControlGroupWithoutHugePages() {
        reserve(4);

        Shell.Result result = ChildJvm.run(WITHOUT_HUGE_PAGES, Allocator.class, "0", "" + HUGE, "huge");

        String said = result.output().replaceAll("\\s+", " ");
        assertEquals(Allocator.REFUSED, result.status(), result::output);
        assertTrue(said.contains("madvise(MADV_POPULATE_WRITE) failed"), said);
        assertTrue(said.contains("this process may not have as many: its control group (hugetlb)"), said);
        assertEquals(4, pool().available(), "none is kept");
    }

    @Test
    void shouldLieOnTheNodeWhereMbindIsNotAllowed() {
        for (NumaNode node : nodes()) {
            Shell.Result result = ChildJvm.run(WITHOUT_MBIND, Allocator.class, "" + node.number(), "" + (16 << 20));

            String said = result.requireSuccess();
            assertTrue(said.contains("policy default on node " + node.number()), said);
            assertTrue(said.contains("processors " + Host.local().allowedCpus() + " afterwards"), said);
        }
    }

    @Test
    void shouldRunOnTheProcessorsOfTheNode() throws IOException {
        for (NumaNode node : nodes()) {
            try (ThreadPin pin = ThreadPin.toNode(node.number())) {
                assertEquals(node.cpus(), pin.cpus());
                assertTrue(node.cpus().numbers().contains(processor()), () -> "not on " + node);
            }
        }
        assertEquals(2, nodes().size());
    }

    /** The 39th field of stat, counted from behind the name. */
    private static int processor() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[39 - 3]);
    }
}
