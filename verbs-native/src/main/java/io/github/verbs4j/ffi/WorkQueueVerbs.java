package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Work queues and the tables that spread packets over them (RSS), of {@code infiniband/verbs.h}, by the C names. What library
 * or provider does not know fails with {@code EOPNOTSUPP}, also where C would call the NULL.
 */
public final class WorkQueueVerbs {
    private static final MutexMember COND = MutexMember.behind("ibv_wq", "cond", ibv_wq.cond$offset());
    private static final MutexMember EVENTS_COMPLETED =
            MutexMember.behind("ibv_wq", "events_completed", ibv_wq.events_completed$offset());

    private static final MethodHandle MUTEX_INIT = initializer("pthread_mutex_init");
    private static final MethodHandle COND_INIT = initializer("pthread_cond_init");

    private WorkQueueVerbs() {}

    /** With default attributes neither can fail. */
    private static MethodHandle initializer(String function) {
        return Calls.link(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS))
                .bindTo(Linker.nativeLinker().defaultLookup().findOrThrow(function));
    }

    /**
     * {@code ibv_create_wq} with errno. The header, not the provider, makes the queue ready for asynchronous events.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param wq_init_attr {@code struct ibv_wq_init_attr *}, updated with what was granted
     * @return {@code struct ibv_wq *}, or NULL
     */
    public static MemorySegment ibv_create_wq(CapturedErrno errno, MemorySegment context, MemorySegment wq_init_attr) {
        MemorySegment wq = Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.create_wq$offset()), context, wq_init_attr);
        if (wq.address() != 0) {
            MemorySegment attributes = Pointers.segment(wq_init_attr, ibv_wq_init_attr.sizeof());
            MemorySegment front = Pointers.segment(wq, ibv_wq.mutex$offset());
            ibv_wq.wq_context(front, ibv_wq_init_attr.wq_context(attributes));
            EVENTS_COMPLETED.in(wq).set(JAVA_INT, 0, 0);
            initialize(MUTEX_INIT, Pointers.segment(wq.address() + ibv_wq.mutex$offset(), pthread_mutex_t.sizeof()));
            initialize(COND_INIT, COND.in(wq));
        }
        return wq;
    }

    private static void initialize(MethodHandle initializer, MemorySegment object) {
        try {
            int ignored = (int) initializer.invokeExact(object, MemorySegment.NULL);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code ibv_modify_wq}.
     *
     * @param wq {@code struct ibv_wq *}
     * @param wq_attr {@code struct ibv_wq_attr *}
     * @return 0 or an errno
     */
    public static int ibv_modify_wq(MemorySegment wq, MemorySegment wq_attr) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(wq), verbs_context.modify_wq$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : verbs_context.modify_wq.invoke(function, wq, wq_attr);
    }

    /**
     * {@code ibv_destroy_wq}.
     *
     * @param wq {@code struct ibv_wq *}
     * @return 0 or an errno
     */
    public static int ibv_destroy_wq(MemorySegment wq) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(wq), verbs_context.destroy_wq$offset());
        return function.address() == 0 ? ContextOps.EOPNOTSUPP : verbs_context.destroy_wq.invoke(function, wq);
    }

    /**
     * {@code ibv_post_wq_recv}.
     *
     * @param wq {@code struct ibv_wq *}
     * @param recv_wr first {@code struct ibv_recv_wr} of the chain
     * @param bad_recv_wr pointer that receives the request that was refused
     * @return 0 or an errno
     */
    public static int ibv_post_wq_recv(MemorySegment wq, MemorySegment recv_wr, MemorySegment bad_recv_wr) {
        MemorySegment function = ibv_wq.post_recv(Pointers.segment(wq, ibv_wq.mutex$offset()));
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : ibv_wq.post_recv.invoke(function, wq, recv_wr, bad_recv_wr);
    }

    /**
     * {@code ibv_create_rwq_ind_table} with errno.
     *
     * @param errno receives errno
     * @param context {@code struct ibv_context *}
     * @param init_attr {@code struct ibv_rwq_ind_table_init_attr *}
     * @return {@code struct ibv_rwq_ind_table *}, or NULL
     */
    public static MemorySegment ibv_create_rwq_ind_table(
            CapturedErrno errno, MemorySegment context, MemorySegment init_attr) {
        return Creation.create(
                errno, ContextOps.extendedOp(context, verbs_context.create_rwq_ind_table$offset()), context, init_attr);
    }

    /**
     * {@code ibv_destroy_rwq_ind_table}.
     *
     * @param rwq_ind_table {@code struct ibv_rwq_ind_table *}
     * @return 0 or an errno
     */
    public static int ibv_destroy_rwq_ind_table(MemorySegment rwq_ind_table) {
        MemorySegment function =
                ContextOps.extendedOp(ContextOps.of(rwq_ind_table), verbs_context.destroy_rwq_ind_table$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.destroy_rwq_ind_table.invoke(function, rwq_ind_table);
    }
}
