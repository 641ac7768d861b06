package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code ibv_req_notify_cq} through the function pointer that was read once from the context. It enters the kernel on
 * some providers, Soft-RoCE for one. Nothing is checked and nothing allocated.
 */
public final class Notification {
    private static final MethodHandle REQUEST = Calls.link(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private Notification() {}

    /**
     * {@return the function that {@code ibv_req_notify_cq} calls; 0 if the provider left it out}
     *
     * @param context {@code struct ibv_context *}
     */
    public static MemorySegment function(MemorySegment context) {
        return ContextOps.op(context, ibv_context_ops.req_notify_cq$offset());
    }

    /**
     * Asks for one event, at the next completion.
     *
     * @param function from {@link #function}
     * @param queue address of the completion queue
     * @param solicitedOnly 0 for any completion, else for solicited receives and failures only
     * @return 0 or an errno
     */
    public static int request(MemorySegment function, long queue, int solicitedOnly) {
        try {
            return (int) REQUEST.invokeExact(function, queue, solicitedOnly);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
