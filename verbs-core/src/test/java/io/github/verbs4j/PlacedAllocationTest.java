package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.HugePages;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** What any machine can do; huge pages out of the pool are for the one whose pool is ours. */
class PlacedAllocationTest extends FakeDevice {
    private static final long HUGE = Placement.TWO_MEBIBYTES;

    private MemoryRegion allocate(long bytes, Placement placement) {
        return keep(domain.allocate(bytes, placement, ALL));
    }

    @Test
    void shouldAllocateNearADeviceWhoseNodeNobodyKnows() {
        MemoryRegion region = allocate(10_000, Placement.nearDevice());

        assertEquals(10_000, region.length());
        assertEquals(-1, region.segment().mismatch(MemorySegment.ofArray(new byte[10_000])));
        assertEquals(10_000, FakeVerbs.lastRegistration().length());
    }

    @Test
    void shouldAllocateOnANode() {
        assumeTrue(!Host.local().numaNodes().isEmpty(), "this kernel knows no NUMA nodes");
        int node = Host.local().numaNodes().getFirst().number();

        MemoryRegion region = allocate(10_000, Placement.onNode(node));

        region.segment().set(ValueLayout.JAVA_LONG, 8192, 42);
        assertEquals(42, region.segment().get(ValueLayout.JAVA_LONG, 8192));
    }

    @Test
    void shouldAllocateInAVirtualThread() throws Exception {
        FutureTask<MemoryRegion> task = new FutureTask<>(() -> allocate(10_000, Placement.nearDevice()));
        Thread.ofVirtual().start(task).join();

        assertEquals(10_000, task.get().length());
    }

    @Test
    void shouldRefuseANodeThatDoesNotExist() {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> domain.allocate(1, Placement.onNode(999), ALL))
                .getMessage();

        assertTrue(message.startsWith("node=999 is not one of this machine: ["), message);
    }

    @Test
    void shouldStartTransparentHugePagesAtAMultipleOfTheirSize() {
        long size = Host.local().defaultHugePageBytes().orElse(4096);
        MemoryRegion region = allocate(3 * HUGE + 1, Placement.nearDevice().transparentHugePages());

        assertEquals(3 * HUGE + 1, region.length());
        assertEquals(0, region.address() % size);
        assertEquals(region.address(), FakeVerbs.lastRegistration().address());
        region.segment().set(ValueLayout.JAVA_BYTE, 3 * HUGE, (byte) 1);
    }

    @Test
    void shouldTellWhatIsMissingWhenHugePagesAre() {
        long available = Host.local().hugePages().stream()
                .filter(pool -> pool.pageBytes() == HUGE)
                .mapToLong(HugePages::available)
                .sum();
        long pages = available + 1_000_000; // 2 TB more than there are

        VerbsException failure = assertThrows(
                VerbsException.class,
                () -> domain.allocate(
                        (pages - 1) * HUGE + 1, Placement.nearDevice().hugePages(HUGE), ALL));

        assertTrue(failure.getMessage().contains("mmap failed"), failure.getMessage());
        assertTrue(failure.getMessage().contains("bytes=" + pages * HUGE), failure.getMessage());
        assertTrue(failure.getMessage().contains("huge pages of 2 MiB"), failure.getMessage());
        assertTrue(failure.getMessage().contains("transparentHugePages()"), failure.getMessage());
    }

    @Test
    void shouldRefuseLengthsThatDoNotFit() {
        for (Placement placement : new Placement[] {
            Placement.nearDevice().hugePages(HUGE), Placement.nearDevice().transparentHugePages()
        }) {
            assertThrows(IllegalArgumentException.class, () -> domain.allocate(0, placement, ALL));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> domain.allocate(Long.MAX_VALUE, Placement.nearDevice().hugePages(HUGE), ALL));
        assertThrows(
                VerbsException.class,
                () -> domain.allocate(Long.MAX_VALUE, Placement.nearDevice().transparentHugePages(), ALL));
    }

    @Test
    void shouldRefuseToPageThePoolOnDemand() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> domain.allocate(1, Placement.nearDevice().hugePages(HUGE), AccessFlag.ON_DEMAND))
                .getMessage();

        assertTrue(message.contains("leave out ON_DEMAND"), message);
    }

    @Test
    void shouldTellWhereMemoryLies() {
        MemoryRegion region = allocate(10_000, Placement.nearDevice());
        region.segment().fill((byte) 1);

        var mapping = region.mapping().orElseThrow();

        assertTrue(mapping.start() <= region.address() && region.address() + 10_000 <= mapping.end());
        assertTrue(mapping.pageBytes().orElseThrow() >= 4096);
        assertTrue(mapping.residentBytes() >= 10_000, mapping.toString());
    }
}
