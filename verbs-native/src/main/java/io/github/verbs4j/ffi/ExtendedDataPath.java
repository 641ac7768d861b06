package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Extended polling through function pointers that were read once from the queue, for whoever reads many completions;
 * {@link ExtendedPolling} looks each function up. Its rules hold here too. Nothing is checked and nothing allocated: a
 * function whose address is 0 ends the virtual machine.
 */
public final class ExtendedDataPath {
    private static final MethodHandle START = Calls.link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle END = Calls.link(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle READ_BYTE = Calls.link(FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG));
    private static final MethodHandle READ_SHORT = Calls.link(FunctionDescriptor.of(JAVA_SHORT, JAVA_LONG));
    private static final MethodHandle READ_INT = Calls.link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle READ_LONG = Calls.link(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

    private ExtendedDataPath() {}

    /**
     * {@return the address of a function of the queue; 0 if the provider left it out}
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @param offset offset of the member in the generated {@code ibv_cq_ex}
     */
    public static MemorySegment function(MemorySegment cq, long offset) {
        return Pointers.segment(member(cq, offset), ADDRESS.byteSize()).get(ADDRESS, 0);
    }

    /**
     * {@return the address of {@code cq->wr_id}}
     *
     * @param cq {@code struct ibv_cq_ex *}
     */
    public static long id(MemorySegment cq) {
        return member(cq, ibv_cq_ex.wr_id$offset());
    }

    /**
     * {@return the address of {@code cq->status}}
     *
     * @param cq {@code struct ibv_cq_ex *}
     */
    public static long status(MemorySegment cq) {
        return member(cq, ibv_cq_ex.status$offset());
    }

    private static long member(MemorySegment cq, long offset) {
        return MutexMember.behind("ibv_cq_ex", "", offset).in(cq).address();
    }

    /**
     * {@code ibv_start_poll}.
     *
     * @param function {@code start_poll} of the queue
     * @param queue address of the queue
     * @param attributes address of a {@code struct ibv_poll_cq_attr}
     * @return 0, ENOENT or another errno
     */
    public static int start(MemorySegment function, long queue, long attributes) {
        try {
            return (int) START.invokeExact(function, queue, attributes);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_end_poll}.
     *
     * @param function {@code end_poll} of the queue
     * @param queue address of the queue
     */
    public static void end(MemorySegment function, long queue) {
        try {
            END.invokeExact(function, queue);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@return the result of a reader that returns 8 bits, {@code read_sl} for one}
     *
     * @param function the reader of the queue
     * @param queue address of the queue
     */
    public static byte readByte(MemorySegment function, long queue) {
        try {
            return (byte) READ_BYTE.invokeExact(function, queue);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@return the result of a reader that returns 16 bits, {@code read_cvlan}}
     *
     * @param function the reader of the queue
     * @param queue address of the queue
     */
    public static short readShort(MemorySegment function, long queue) {
        try {
            return (short) READ_SHORT.invokeExact(function, queue);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@return the result of a reader that returns 32 bits, as most do, or of {@code next_poll}}
     *
     * @param function the reader of the queue
     * @param queue address of the queue
     */
    public static int readInt(MemorySegment function, long queue) {
        try {
            return (int) READ_INT.invokeExact(function, queue);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@return the result of a reader that returns 64 bits, {@code read_completion_ts} for one}
     *
     * @param function the reader of the queue
     * @param queue address of the queue
     */
    public static long readLong(MemorySegment function, long queue) {
        try {
            return (long) READ_LONG.invokeExact(function, queue);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
