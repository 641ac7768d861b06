package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Whole pages from {@code mmap}: zeroed, aligned to a page, of any length. Memory that a device will pin is not taken
 * from {@code Arena.allocate}, which counts it against {@code -XX:MaxDirectMemorySize} and touches every page twice.
 */
@SuppressWarnings("restricted")
public final class PageMemory {
    static final int PROT_READ_WRITE = 3;
    static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    static final int MAP_HUGETLB = 0x40000;
    static final int MAP_HUGE_SHIFT = 26;
    static final int MADV_HUGEPAGE = 14;
    static final int MADV_POPULATE_WRITE = 23;

    private static final MethodHandle MMAP = link(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = link("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle MADVISE =
            link("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private PageMemory() {}

    private static MethodHandle link(String name, FunctionDescriptor descriptor) {
        return Calls.linkWithErrno(Linker.nativeLinker().defaultLookup().findOrThrow(name), descriptor);
    }

    /**
     * Maps fresh pages.
     *
     * @param errno receives errno
     * @param bytes how many, more than 0
     * @param arena whose closing unmaps them
     * @return the memory, or a NULL segment with errno
     */
    public static MemorySegment map(CapturedErrno errno, long bytes, Arena arena) {
        return map(errno, bytes, 0, arena);
    }

    /**
     * Maps fresh pages of the pool of huge pages ({@code MAP_HUGETLB}).
     *
     * @param errno receives errno
     * @param bytes how many, a multiple of {@code pageBytes}
     * @param pageBytes the size of a page, a power of 2
     * @param arena whose closing unmaps them
     * @return the memory, or a NULL segment with errno
     */
    public static MemorySegment mapHuge(CapturedErrno errno, long bytes, long pageBytes, Arena arena) {
        return map(errno, bytes, MAP_HUGETLB | Long.numberOfTrailingZeros(pageBytes) << MAP_HUGE_SHIFT, arena);
    }

    private static MemorySegment map(CapturedErrno errno, long bytes, int flags, Arena arena) {
        long address;
        try {
            address = (long)
                    MMAP.invokeExact(errno.state(), 0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | flags, -1, 0L);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
        return address == -1
                ? MemorySegment.NULL
                : MemorySegment.ofAddress(address).reinterpret(bytes, arena, PageMemory::unmap);
    }

    private static void unmap(MemorySegment memory) {
        try {
            int ignored = (int) MUNMAP.invokeExact(CapturedErrno.create().state(), memory, memory.byteSize());
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code madvise(MADV_HUGEPAGE)}: the kernel may use huge pages here, where it has them.
     *
     * @param errno receives errno
     * @param memory whole pages
     * @return 0, or -1
     */
    public static int wishHuge(CapturedErrno errno, MemorySegment memory) {
        return advise(errno, memory, MADV_HUGEPAGE);
    }

    /**
     * {@code madvise(MADV_POPULATE_WRITE)}: every page is there afterwards. What would have been a SIGBUS at the first touch
     * is an error here. Linux 5.14 and later.
     *
     * @param errno receives errno: EINVAL of an older kernel, EFAULT instead of SIGBUS
     * @param memory whole pages
     * @return 0, or -1
     */
    public static int populate(CapturedErrno errno, MemorySegment memory) {
        return advise(errno, memory, MADV_POPULATE_WRITE);
    }

    private static int advise(CapturedErrno errno, MemorySegment memory, int advice) {
        try {
            return (int) MADVISE.invokeExact(errno.state(), memory, memory.byteSize(), advice);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
