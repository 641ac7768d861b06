package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * Flow steering and the actions of flows, of {@code infiniband/verbs.h}, by the C names. What library or provider does not
 * know fails with {@code EOPNOTSUPP}.
 */
public final class FlowVerbs {
    private FlowVerbs() {}

    /**
     * {@code ibv_create_flow} with errno.
     *
     * @param errno receives errno
     * @param qp {@code struct ibv_qp *}
     * @param flow {@code struct ibv_flow_attr *}, followed by its specifications
     * @return {@code struct ibv_flow *}, or NULL
     */
    public static MemorySegment ibv_create_flow(CapturedErrno errno, MemorySegment qp, MemorySegment flow) {
        MemorySegment function = ContextOps.extendedOp(ContextOps.of(qp), verbs_context.ibv_create_flow$offset());
        return Creation.create(errno, function, qp, flow);
    }

    /**
     * {@code ibv_destroy_flow}.
     *
     * @param flow_id {@code struct ibv_flow *}
     * @return 0 or an errno
     */
    public static int ibv_destroy_flow(MemorySegment flow_id) {
        MemorySegment context = ContextOps.at(flow_id, ibv_flow.context$offset());
        MemorySegment function = ContextOps.extendedOp(context, verbs_context.ibv_destroy_flow$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.ibv_destroy_flow.invoke(function, flow_id);
    }

    /**
     * {@code ibv_create_flow_action_esp} with errno.
     *
     * @param errno receives errno
     * @param ctx {@code struct ibv_context *}
     * @param esp {@code struct ibv_flow_action_esp_attr *}
     * @return {@code struct ibv_flow_action *}, or NULL
     */
    public static MemorySegment ibv_create_flow_action_esp(CapturedErrno errno, MemorySegment ctx, MemorySegment esp) {
        return Creation.create(
                errno, ContextOps.extendedOp(ctx, verbs_context.create_flow_action_esp$offset()), ctx, esp);
    }

    /**
     * {@code ibv_modify_flow_action_esp}.
     *
     * @param action {@code struct ibv_flow_action *}
     * @param esp {@code struct ibv_flow_action_esp_attr *}
     * @return 0 or an errno
     */
    public static int ibv_modify_flow_action_esp(MemorySegment action, MemorySegment esp) {
        MemorySegment function =
                ContextOps.extendedOp(ContextOps.of(action), verbs_context.modify_flow_action_esp$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.modify_flow_action_esp.invoke(function, action, esp);
    }

    /**
     * {@code ibv_destroy_flow_action}.
     *
     * @param action {@code struct ibv_flow_action *}
     * @return 0 or an errno
     */
    public static int ibv_destroy_flow_action(MemorySegment action) {
        MemorySegment function =
                ContextOps.extendedOp(ContextOps.of(action), verbs_context.destroy_flow_action$offset());
        return function.address() == 0
                ? ContextOps.EOPNOTSUPP
                : verbs_context.destroy_flow_action.invoke(function, action);
    }
}
