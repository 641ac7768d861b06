package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The calls that must cost nothing: {@code ibv_post_send}, {@code ibv_post_recv}, {@code ibv_poll_cq}. They take every
 * pointer as a {@code long}, the function's own among them, which was read once from the context: that spares the checks of
 * a segment. Nothing is checked and nothing allocated.
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
    private static final MethodHandle POST = byAddress(Calls.link(POST_TYPE));
    private static final MethodHandle POST_CRITICAL = byAddress(Calls.linkCritical(POST_TYPE));
    private static final MethodHandle POLL = byAddress(Calls.link(POLL_TYPE));
    private static final MethodHandle POLL_CRITICAL = byAddress(Calls.linkCritical(POLL_TYPE));

    private DataPath() {}

    private static MethodHandle byAddress(MethodHandle call) {
        try {
            MethodHandle segment = MethodHandles.lookup()
                    .findStatic(
                            MemorySegment.class, "ofAddress", MethodType.methodType(MemorySegment.class, long.class));
            return MethodHandles.filterArguments(call, 0, segment);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * {@return the address of the function that {@code ibv_post_send} calls; 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static long postSend(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.post_send$offset()).address();
    }

    /**
     * {@return the address of the function that {@code ibv_post_recv} calls; 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static long postReceive(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.post_recv$offset()).address();
    }

    /**
     * {@return the address of the function that {@code ibv_poll_cq} calls; 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static long pollCompletionQueue(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.poll_cq$offset()).address();
    }

    /**
     * Posts a chain of work requests.
     *
     * @param function {@link #postSend} or {@link #postReceive} of the queue's context
     * @param queue address of the queue pair
     * @param first address of the first work request
     * @param bad address of a pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int post(long function, long queue, long first, long bad) {
        try {
            return (int) POST.invokeExact(function, queue, first, bad);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * As {@link #post}, linked critically.
     *
     * @param function {@link #postSend} or {@link #postReceive} of the queue's context
     * @param queue address of the queue pair
     * @param first address of the first work request
     * @param bad address of a pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int postCritical(long function, long queue, long first, long bad) {
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
    public static int poll(long function, long queue, int entries, long completions) {
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
    public static int pollCritical(long function, long queue, int entries, long completions) {
        try {
            return (int) POLL_CRITICAL.invokeExact(function, queue, entries, completions);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
