package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages and processors: the hand-written numbers are C's, on both processors, and the calls do what they say. */
class PageMemoryTest {
    private static final long BYTES = 8 << 20;
    private static final int EPERM = 1;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final List<Check> NUMBERS = List.of(
            new Check("PROT_READ_WRITE", "PROT_READ | PROT_WRITE", PageMemory.PROT_READ_WRITE),
            new Check("MAP_PRIVATE_ANONYMOUS", "MAP_PRIVATE | MAP_ANONYMOUS", PageMemory.MAP_PRIVATE_ANONYMOUS),
            new Check("MAP_HUGETLB", "MAP_HUGETLB", PageMemory.MAP_HUGETLB),
            new Check("MAP_HUGE_SHIFT", "MAP_HUGE_SHIFT", PageMemory.MAP_HUGE_SHIFT),
            new Check("MADV_HUGEPAGE", "MADV_HUGEPAGE", PageMemory.MADV_HUGEPAGE),
            new Check("MADV_POPULATE_WRITE", "MADV_POPULATE_WRITE", PageMemory.MADV_POPULATE_WRITE),
            new Check("MPOL_PREFERRED", "MPOL_PREFERRED", NodeMemory.MPOL_PREFERRED));

    private final Arena arena = Arena.ofShared();
    private final CapturedErrno errno = new CapturedErrno(arena);

    @AfterEach
    void unmap() {
        arena.close();
    }

    @Test
    void shouldAgreeWithC() {
        assertEquals(List.of(), CNumbers.disagreementsWhenRun("pages", NUMBERS));
        assertEquals(List.of(), CNumbers.disagreementsWhenCompiled("pages-aarch64", CCompiler.aarch64(), NUMBERS));
    }

    @Test
    void shouldCallMbindByItsNumber() {
        assertEquals(
                List.of(),
                CNumbers.disagreementsWhenRun(
                        "mbind", List.of(new Check("SYS_mbind", "SYS_mbind", NodeMemory.SYS_MBIND))));
        assertEquals(
                List.of(),
                CNumbers.disagreementsWhenCompiled(
                        "mbind-aarch64",
                        CCompiler.aarch64(),
                        List.of(new Check("SYS_mbind", "SYS_mbind", Architecture.mbindNumber(8)))));
    }

    @Test
    void shouldPopulateWhatIsMapped() throws IOException {
        MemorySegment memory = PageMemory.map(errno, BYTES, arena);

        PageMemory.wishHuge(errno, memory); // EINVAL where the kernel has no transparent huge pages
        int result = PageMemory.populate(errno, memory);

        assertTrue(result == 0 || errno.value() == EINVAL, () -> "errno " + errno.value());
        if (result == 0) {
            assertTrue(resident(memory) >= BYTES / 1024, "KiB resident");
        }
        memory.set(JAVA_BYTE, BYTES - 1, (byte) 1);
    }

    private static long resident(MemorySegment memory) throws IOException {
        boolean inside = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] range = line.substring(0, line.indexOf(' ')).split("-");
                inside = Long.parseLong(range[0], 16) <= memory.address()
                        && memory.address() < Long.parseLong(range[1], 16);
            } else if (inside && line.startsWith("Rss:")) {
                return Long.parseLong(line.split("\\s+")[1]);
            }
        }
        throw new AssertionError(memory + " is not mapped");
    }

    @Test
    void shouldPreferANode() {
        MemorySegment memory = PageMemory.map(errno, BYTES, arena);

        int result = NodeMemory.prefer(errno, memory, 0);

        assertTrue(result == 0 || Set.of(EPERM, ENOSYS).contains(errno.value()), () -> "errno " + errno.value());
    }

    @Test
    void shouldRefuseANodeThatIsNotThere() {
        MemorySegment memory = PageMemory.map(errno, BYTES, arena);

        assertEquals(-1, NodeMemory.prefer(errno, memory, NodeMemory.NODES - 1));
        assertTrue(Set.of(EINVAL, EPERM, ENOSYS).contains(errno.value()), () -> "errno " + errno.value());
    }

    @Test
    void shouldNotMapHugePagesOfASizeThatDoesNotExist() {
        assertEquals(0, PageMemory.mapHuge(errno, 1L << 39, 1L << 39, arena).address());
        assertNotEquals(0, errno.value());
    }

    @Test
    void shouldNarrowAndRestoreTheProcessorsOfAThread() {
        MemorySegment former = ThreadAffinity.mask(arena);
        assertEquals(0, ThreadAffinity.get(errno, former));
        int cpu = first(former);
        MemorySegment one = ThreadAffinity.mask(arena);
        one.setAtIndex(JAVA_LONG, cpu / Long.SIZE, 1L << cpu);
        try {
            assertEquals(0, ThreadAffinity.set(errno, one));
            MemorySegment now = ThreadAffinity.mask(arena);
            assertEquals(0, ThreadAffinity.get(errno, now));
            assertEquals(-1, now.mismatch(one));
        } finally {
            assertEquals(0, ThreadAffinity.set(errno, former));
        }
        assertEquals(-1, ThreadAffinity.set(errno, ThreadAffinity.mask(arena)));
        assertEquals(EINVAL, errno.value());
    }

    private static int first(MemorySegment mask) {
        for (int word = 0; ; word++) {
            long bits = mask.getAtIndex(JAVA_LONG, word);
            if (bits != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            }
        }
    }
}
