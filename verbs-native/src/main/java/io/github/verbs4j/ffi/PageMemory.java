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
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final MethodHandle MMAP = Calls.linkWithErrno(
            Linker.nativeLinker().defaultLookup().findOrThrow("mmap"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = Calls.linkWithErrno(
            Linker.nativeLinker().defaultLookup().findOrThrow("munmap"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    private PageMemory() {}

    /**
     * Maps fresh pages.
     *
     * @param errno receives errno
     * @param bytes how many, more than 0
     * @param arena whose closing unmaps them
     * @return the memory, or a NULL segment with errno
     */
    public static MemorySegment map(CapturedErrno errno, long bytes, Arena arena) {
        long address;
        try {
            address = (long) MMAP.invokeExact(errno.state(), 0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
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
}
