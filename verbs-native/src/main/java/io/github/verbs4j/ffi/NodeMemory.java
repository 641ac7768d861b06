package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Memory and NUMA nodes. The C library has no function for it, so it is the system call by its number. */
@SuppressWarnings("restricted")
public final class NodeMemory {
    /** More nodes than any kernel is built for ({@code CONFIG_NODES_SHIFT} ends at 10). */
    public static final int NODES = 1024;

    static final int MPOL_PREFERRED = 1;
    static final long SYS_MBIND = Architecture.mbindNumber(Architecture.mutexGrowth());

    private static final MethodHandle MBIND = Calls.linkWithErrno(
            Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
            Linker.Option.firstVariadicArg(1));

    private NodeMemory() {}

    /**
     * {@code mbind(MPOL_PREFERRED)}: pages come from a node from now on, or from the nearest that has some.
     *
     * @param errno receives errno: EPERM or ENOSYS where a container or the kernel does not allow it
     * @param memory whole pages that nobody has touched yet
     * @param node from 0 to {@link #NODES} - 1
     * @return 0, or -1
     */
    public static int prefer(CapturedErrno errno, MemorySegment memory, int node) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nodes = arena.allocate(JAVA_LONG, NODES / Long.SIZE);
            nodes.setAtIndex(JAVA_LONG, node / Long.SIZE, 1L << node);
            // the kernel takes one bit less than it is told
            return (int) (long) MBIND.invokeExact(
                    errno.state(), SYS_MBIND, memory, memory.byteSize(), MPOL_PREFERRED, nodes, NODES + 1L, 0);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
