package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The function pointers of an open device: the table {@code ibv_context.ops}, and the newer ones of {@code struct
 * verbs_context}, which lies around {@code ibv_context} and grows downwards, so that only distances below the context are
 * stable.
 */
public final class ContextOps {
    /** What C answers, on Linux, for a function that is not there. */
    static final int EOPNOTSUPP = 95;

    private static final long OPS = ibv_context.ops$offset();
    private static final long ABI_COMPAT = abiCompatOffset(Architecture.mutexGrowth());
    private static final long CONTEXT = verbs_context.context$offset();
    private static final long CONTEXT_BYTES = contextBytes(Architecture.mutexGrowth());
    /** Enough for every field that is read. */
    private static final long SIZE_BELOW_CONTEXT = CONTEXT - verbs_context.sz$offset();

    private ContextOps() {}

    /** Behind the context's mutex. */
    static long abiCompatOffset(long mutexGrowth) {
        return ibv_context.abi_compat$offset() + mutexGrowth;
    }

    static long contextBytes(long mutexGrowth) {
        return ibv_context.sizeof() + mutexGrowth;
    }

    /**
     * {@return the address of a function in {@code ibv_context.ops}; 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     * @param offset offset of the member in {@code struct ibv_context_ops}
     */
    public static MemorySegment op(MemorySegment context, long offset) {
        return Pointers.segment(context, CONTEXT_BYTES).get(ADDRESS, OPS + offset);
    }

    /**
     * {@code verbs_get_ctx_op}: a function in {@code struct verbs_context}, by C's own presence checks.
     *
     * @param context {@code struct ibv_context *}
     * @param offset offset of the member in the generated {@code verbs_context}
     * @return its address; 0 if the library is too old to know it or the provider left it out
     */
    public static MemorySegment extendedOp(MemorySegment context, long offset) {
        if (!isExtended(context)) {
            return MemorySegment.NULL;
        }
        long below = CONTEXT - offset;
        long size = Pointers.segment(context.address() - SIZE_BELOW_CONTEXT, JAVA_LONG.byteSize())
                .get(JAVA_LONG, 0);
        if (Long.compareUnsigned(size, below + CONTEXT_BYTES) < 0) {
            return MemorySegment.NULL;
        }
        return Pointers.segment(context.address() - below, ADDRESS.byteSize()).get(ADDRESS, 0);
    }

    /** The context of a queue, a domain, a region ...: the first member of nearly every struct. */
    static MemorySegment of(MemorySegment object) {
        return at(object, 0);
    }

    /** The context of a struct that has it elsewhere. */
    static MemorySegment at(MemorySegment object, long offset) {
        return Pointers.segment(object.address() + offset, ADDRESS.byteSize()).get(ADDRESS, 0);
    }

    /**
     * {@return whether the context carries the mark of the extended ABI, as every library since 2014 sets it; without it,
     * or with fields at other places than expected, nothing else may be read}
     *
     * @param context {@code struct ibv_context *}
     */
    public static boolean isExtended(MemorySegment context) {
        return Pointers.segment(context, CONTEXT_BYTES).get(JAVA_LONG, ABI_COMPAT) == -1L;
    }
}
