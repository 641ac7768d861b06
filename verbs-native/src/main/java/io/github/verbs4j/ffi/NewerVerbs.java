package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Functions that rdma-core got after release 44, from which the bindings are generated, by the C names; those about memory are
 * in {@link NewerMemoryVerbs}, those about completion counters in {@link CompletionCounterVerbs}.
 *
 * <p>Each throws UnsupportedOperationException, naming the release that it needs, if the library in use has none of the name.
 */
public final class NewerVerbs {
    private static final MutexMember FLUSH =
            BuilderVerbs.member("wr_flush", ibv_qp_ex.wr_atomic_write$offset() + ValueLayout.ADDRESS.byteSize());
    private static final MethodHandle FLUSH_HANDLE =
            Calls.link(FunctionDescriptor.ofVoid(C_POINTER, C_INT, C_LONG, C_LONG, C_CHAR, C_CHAR));

    private NewerVerbs() {}

    private static final class IbvQueryPortSpeed {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_INT, C_POINTER, C_INT, C_POINTER));
    }

    /**
     * {@code ibv_query_port_speed}, of rdma-core 62.
     *
     * @param context {@code struct ibv_context *}
     * @param port_num from 1
     * @param port_speed 64 bits that receive the speed, in units of 100 megabits a second
     * @return 0 or an errno
     */
    public static int ibv_query_port_speed(MemorySegment context, int port_num, MemorySegment port_speed) {
        MemorySegment function = Release.function("ibv_query_port_speed", 62);
        try {
            return (int) IbvQueryPortSpeed.HANDLE.invokeExact(function, context, port_num, port_speed);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static final class IbvWrOpcodeStr {
        static final MethodHandle HANDLE = Calls.link(FunctionDescriptor.of(C_POINTER, C_INT));
    }

    /**
     * {@code ibv_wr_opcode_str}, of rdma-core 49, which exports it for its providers.
     *
     * @param opcode a value of {@code ibv_wr_opcode}
     * @return a C string that is never freed
     */
    public static MemorySegment ibv_wr_opcode_str(int opcode) {
        MemorySegment function = Release.function("ibv_wr_opcode_str", 49);
        try {
            return (MemorySegment) IbvWrOpcodeStr.HANDLE.invokeExact(function, opcode);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_wr_flush}, of rdma-core 45: a request, in a section of {@link BuilderVerbs}, that completes when what was
     * written to the peer before can be seen there or persists. No data is set for it.
     *
     * @param qp {@code struct ibv_qp_ex *}
     * @param rkey of the peer's memory
     * @param remote_addr address there
     * @param len bytes
     * @param type bits of {@code ibv_placement_type}: 1 to be seen, 2 to persist
     * @param level a value of {@code ibv_selectivity_level}: 0 the range, 1 the whole region
     * @throws UnsupportedOperationException also if the provider left it out for this queue pair
     */
    public static void ibv_wr_flush(MemorySegment qp, int rkey, long remote_addr, long len, byte type, byte level) {
        Release.require("ibv_wr_flush", Release.FLUSH);
        MemorySegment function = BuilderVerbs.function(qp, "ibv_wr_flush", FLUSH);
        try {
            FLUSH_HANDLE.invokeExact(function, qp, rkey, remote_addr, len, type, level);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
