package io.github.verbs4j.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.host.RecordedHost;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugePageExplanationTest {
    private static final String POOLS = "/sys/kernel/mm/hugepages";

    @TempDir
    Path root;

    private RecordedHost recorded;

    @BeforeEach
    void record() {
        recorded = new RecordedHost(root)
                .file("/proc/meminfo", "Hugepagesize:       2048 kB\n")
                .hugePages(POOLS, 2048, 8, 5, 2)
                .hugePages(POOLS, 1048576, 0, 0, 0);
    }

    private Explanation of(long pageBytes, long pages) {
        return Explanations.hugePages(recorded.host(), pageBytes, pages);
    }

    @Test
    void shouldTellHowManyAreFreeAndHowManyToReserve() {
        Explanation explanation = of(2 << 20, 10);

        assertEquals("10 huge pages of 2 MiB are needed, 3 are free", explanation.cause());
        assertEquals(
                List.of("huge pages of 2 MiB: 8, of which 5 free, of which 2 promised to mappings"),
                explanation.facts());
        assertTrue(explanation.next().contains("sysctl -w vm.nr_hugepages=15\n"), explanation.next());
        assertTrue(explanation.next().contains("reserve them (as root):"), explanation.next());
        assertTrue(explanation.next().contains("transparentHugePages()"), explanation.next());
    }

    @Test
    void shouldNameTheFileOfOtherSizes() {
        Explanation explanation = of(1 << 30, 1);

        assertEquals("1 huge pages of 1 GiB are needed, 0 are free", explanation.cause());
        assertTrue(
                explanation.next().contains("echo 1 > /sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages\n"),
                explanation.next());
        assertTrue(explanation.next().contains("hugepagesz=1048576K hugepages=1 on"), explanation.next());
    }

    @Test
    void shouldTellWhichSizesThereAre() {
        assertEquals(
                "this kernel has no huge pages of 4 MiB, only of 2 MiB, 1 GiB",
                of(4 << 20, 1).cause());
        assertEquals(
                "this kernel has no huge pages of 2 MiB, nor of any other size (CONFIG_HUGETLBFS)",
                Explanations.hugePages(new RecordedHost(root.resolve("nowhere")).host(), 2 << 20, 1)
                        .cause());
    }

    @Test
    void shouldLookFurtherWhenEnoughAreFree() {
        Explanation explanation = of(2 << 20, 3);

        assertTrue(explanation.cause().contains("control group (hugetlb)"), explanation.cause());
        assertTrue(explanation.next().contains("vm.nr_hugepages=8\n"), explanation.next());
    }

    @Test
    void shouldTellThePoolOfEachNodeOfAMachineWithSeveral() {
        recorded.numaNode(0, "0-7")
                .numaNode(1, "8-15")
                .hugePages("/sys/devices/system/node/node0/hugepages", 2048, 8, 5, 0)
                .hugePages("/sys/devices/system/node/node1/hugepages", 2048, 0, 0, 0);

        assertEquals(
                List.of("on node 0: 8, of which 5 free", "on node 1: 0, of which 0 free"),
                of(2 << 20, 10).facts().subList(1, 3));
    }

    @Test
    void shouldNameWhoWithholdsPages() {
        Explanation explanation = Explanations.hugePagesWithheld(2 << 20);

        assertTrue(explanation.cause().contains("control group (hugetlb)"), explanation.cause());
        assertTrue(explanation.next().contains("hugepages-2Mi"), explanation.next());
    }

    @Test
    void shouldSendContainersToTheirHost() {
        recorded.docker();

        assertTrue(of(2 << 20, 10).next().contains("on the container's host"));
    }
}
