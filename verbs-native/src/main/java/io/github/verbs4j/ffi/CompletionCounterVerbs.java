package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Completion counters, which rdma-core got with release 65, by the C names. The structs that they take are not among the
 * generated ones, which are of release 44: lay them out as the header of the release in use does.
 *
 * <p>Each throws UnsupportedOperationException, naming the release that it needs, if the library in use has none of the name.
 */
public final class CompletionCounterVerbs {
    private static final int RELEASE = 65;
    private static final long COMP_CNTR_CAPS_BYTES = 16;

    private CompletionCounterVerbs() {}

    private static final class IbvQueryCompCntrCaps {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_LONG));
    }

    /**
     * {@code ibv_query_comp_cntr_caps}.
     *
     * @param context {@code struct ibv_context *}
     * @param caps {@code struct ibv_comp_cntr_caps} to fill, 16 bytes
     * @return 0 or an errno
     */
    public static int ibv_query_comp_cntr_caps(MemorySegment context, MemorySegment caps) {
        MemorySegment function = Release.function("_ibv_query_comp_cntr_caps", RELEASE);
        try {
            return (int) IbvQueryCompCntrCaps.HANDLE.invokeExact(function, context, caps, COMP_CNTR_CAPS_BYTES);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvCreateCompCntr {
        static final MethodHandle HANDLE = Calls.linkWithErrno(FunctionDescriptor.of(C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_create_comp_cntr} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param cc_attr {@code struct ibv_comp_cntr_init_attr *}
     * @return {@code struct ibv_comp_cntr *}, or NULL
     */
    public static MemorySegment ibv_create_comp_cntr(
            CapturedErrno errno, MemorySegment context, MemorySegment cc_attr) {
        MemorySegment function = Release.function("ibv_create_comp_cntr", RELEASE);
        try {
            return (MemorySegment) IbvCreateCompCntr.HANDLE.invokeExact(function, errno.state(), context, cc_attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvDestroyCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER));
    }

    /**
     * {@code ibv_destroy_comp_cntr}.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @return 0 or an errno
     */
    public static int ibv_destroy_comp_cntr(MemorySegment comp_cntr) {
        MemorySegment function = Release.function("ibv_destroy_comp_cntr", RELEASE);
        try {
            return (int) IbvDestroyCompCntr.HANDLE.invokeExact(function, comp_cntr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvQpAttachCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_qp_attach_comp_cntr}.
     *
     * @param qp {@code struct ibv_qp *}
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param attr {@code struct ibv_qp_attach_comp_cntr_attr *}
     * @return 0 or an errno
     */
    public static int ibv_qp_attach_comp_cntr(MemorySegment qp, MemorySegment comp_cntr, MemorySegment attr) {
        MemorySegment function = Release.function("ibv_qp_attach_comp_cntr", RELEASE);
        try {
            return (int) IbvQpAttachCompCntr.HANDLE.invokeExact(function, qp, comp_cntr, attr);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvSetCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code ibv_set_comp_cntr}: of completions.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param value the new count
     * @return 0 or an errno
     */
    public static int ibv_set_comp_cntr(MemorySegment comp_cntr, long value) {
        MemorySegment function = Release.function("ibv_set_comp_cntr", RELEASE);
        try {
            return (int) IbvSetCompCntr.HANDLE.invokeExact(function, comp_cntr, value);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvSetErrCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code ibv_set_err_comp_cntr}: of failures.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param value the new count
     * @return 0 or an errno
     */
    public static int ibv_set_err_comp_cntr(MemorySegment comp_cntr, long value) {
        MemorySegment function = Release.function("ibv_set_err_comp_cntr", RELEASE);
        try {
            return (int) IbvSetErrCompCntr.HANDLE.invokeExact(function, comp_cntr, value);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvIncCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code ibv_inc_comp_cntr}: of completions.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param amount what to add
     * @return 0 or an errno
     */
    public static int ibv_inc_comp_cntr(MemorySegment comp_cntr, long amount) {
        MemorySegment function = Release.function("ibv_inc_comp_cntr", RELEASE);
        try {
            return (int) IbvIncCompCntr.HANDLE.invokeExact(function, comp_cntr, amount);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvIncErrCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_LONG));
    }

    /**
     * {@code ibv_inc_err_comp_cntr}: of failures.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param amount what to add
     * @return 0 or an errno
     */
    public static int ibv_inc_err_comp_cntr(MemorySegment comp_cntr, long amount) {
        MemorySegment function = Release.function("ibv_inc_err_comp_cntr", RELEASE);
        try {
            return (int) IbvIncErrCompCntr.HANDLE.invokeExact(function, comp_cntr, amount);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvReadCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_read_comp_cntr}: of completions.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param value 64 bits that receive the count
     * @return 0 or an errno
     */
    public static int ibv_read_comp_cntr(MemorySegment comp_cntr, MemorySegment value) {
        MemorySegment function = Release.function("ibv_read_comp_cntr", RELEASE);
        try {
            return (int) IbvReadCompCntr.HANDLE.invokeExact(function, comp_cntr, value);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvReadErrCompCntr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER));
    }

    /**
     * {@code ibv_read_err_comp_cntr}: of failures.
     *
     * @param comp_cntr {@code struct ibv_comp_cntr *}
     * @param value 64 bits that receive the count
     * @return 0 or an errno
     */
    public static int ibv_read_err_comp_cntr(MemorySegment comp_cntr, MemorySegment value) {
        MemorySegment function = Release.function("ibv_read_err_comp_cntr", RELEASE);
        try {
            return (int) IbvReadErrCompCntr.HANDLE.invokeExact(function, comp_cntr, value);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
