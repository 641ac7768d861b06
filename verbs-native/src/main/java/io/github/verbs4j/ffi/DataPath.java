package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The calls that must cost nothing: {@code ibv_post_send}, {@code ibv_post_recv}, {@code ibv_poll_cq}. They take the
 * function pointer that was read once from the context, and every other pointer as a {@code long}, which spares the scope
 * check of a segment. Nothing is checked and nothing allocated.
 *
 * <p>Each comes in two linkages. The plain one may block. The critical one saves the transition of the thread's state, and
 * is for functions that neither enter the kernel nor wait: while it runs no garbage can be collected. It must not be used on
 * a queue that some other thread locks over several calls ({@code ibv_wr_start} to {@code ibv_wr_complete},
 * {@code ibv_start_poll} to {@code ibv_end_poll}): that thread may be stopped for a collection in between, which then waits
 * for the critical call, which waits for the lock, for ever.
 */
public final class DataPath {
    private static final FunctionDescriptor POST_TYPE =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor POLL_TYPE = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle POST = Calls.link(POST_TYPE);
    private static final MethodHandle POST_CRITICAL = Calls.linkCritical(POST_TYPE);
    private static final MethodHandle POLL = Calls.link(POLL_TYPE);
    private static final MethodHandle POLL_CRITICAL = Calls.linkCritical(POLL_TYPE);

    private DataPath() {}

    /**
     * {@return the function that {@code ibv_post_send} calls; its address is 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static MemorySegment postSend(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.post_send$offset());
    }

    /**
     * {@return the function that {@code ibv_post_recv} calls; its address is 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static MemorySegment postReceive(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.post_recv$offset());
    }

    /**
     * {@return the function that {@code ibv_post_srq_recv} calls; its address is 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static MemorySegment postSharedReceive(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.post_srq_recv$offset());
    }

    /**
     * {@return the function that {@code ibv_poll_cq} calls; its address is 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static MemorySegment pollCompletionQueue(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.poll_cq$offset());
    }

    /**
     * Posts a chain of work requests.
     *
     * @param function {@link #postSend}, {@link #postReceive} or {@link #postSharedReceive} of the queue's context
     * @param queue address of the queue pair or shared receive queue
     * @param first address of the first work request
     * @param bad address of a pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int post(MemorySegment function, long queue, long first, long bad) {
        try {
            return (int) POST.invokeExact(function, queue, first, bad);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * As {@link #post}, linked critically.
     *
     * @param function {@link #postSend}, {@link #postReceive} or {@link #postSharedReceive} of the queue's context
     * @param queue address of the queue pair or shared receive queue
     * @param first address of the first work request
     * @param bad address of a pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int postCritical(MemorySegment function, long queue, long first, long bad) {
        try {
            return (int) POST_CRITICAL.invokeExact(function, queue, first, bad);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * Polls for completions.
     *
     * @param function {@link #pollCompletionQueue} of the queue's context
     * @param queue address of the completion queue
     * @param entries room in the array
     * @param completions address of an array of {@code struct ibv_wc}
     * @return how many were written, or a negative number
     */
    public static int poll(MemorySegment function, long queue, int entries, long completions) {
        try {
            return (int) POLL.invokeExact(function, queue, entries, completions);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * As {@link #poll}, linked critically.
     *
     * @param function {@link #pollCompletionQueue} of the queue's context
     * @param queue address of the completion queue
     * @param entries room in the array
     * @param completions address of an array of {@code struct ibv_wc}
     * @return how many were written, or a negative number
     */
    public static int pollCritical(MemorySegment function, long queue, int entries, long completions) {
        try {
            return (int) POLL_CRITICAL.invokeExact(function, queue, entries, completions);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
