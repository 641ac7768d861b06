/* Queue pairs: creation, and the transitions which the kernel allows. */
#include "fake_ibverbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_NUMBER 17

struct fake_qp *live_queue_pairs;

static const char *const state_names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};

/* The mask bits a transition needs and may have besides IBV_QP_STATE. */
struct bits {
    int required, optional;
};

struct transition {
    enum ibv_qp_state from, to;
    struct bits rc, uc, ud;
};

#define RTS_OPTIONS_UC (IBV_QP_CUR_STATE | IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PATH_MIG_STATE)
#define RTS_OPTIONS_RC (RTS_OPTIONS_UC | IBV_QP_MIN_RNR_TIMER)
#define RTS_OPTIONS_UD (IBV_QP_CUR_STATE | IBV_QP_QKEY)
#define INIT_CONNECTED (IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)
#define INIT_DATAGRAM (IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY)
#define RTR_CONNECTED (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define RTR_OPTIONS (IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX)
/* No IBV_QP_AV: uverbs adds IBV_QP_PORT to it, which the table of its own refuses. */
#define SQD_OPTIONS_UC (IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PATH_MIG_STATE)
#define SQD_OPTIONS_RC                                                                                                 \
    (SQD_OPTIONS_UC | IBV_QP_AV | IBV_QP_PORT | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC     \
     | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)

static const struct transition transitions[] = {
    {IBV_QPS_RESET, IBV_QPS_INIT, {INIT_CONNECTED, 0}, {INIT_CONNECTED, 0}, {INIT_DATAGRAM, 0}},
    {IBV_QPS_INIT, IBV_QPS_INIT, {0, INIT_CONNECTED}, {0, INIT_CONNECTED}, {0, INIT_DATAGRAM}},
    {IBV_QPS_INIT,
     IBV_QPS_RTR,
     {RTR_CONNECTED | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER, RTR_OPTIONS},
     {RTR_CONNECTED, RTR_OPTIONS},
     {0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY}},
    {IBV_QPS_RTR,
     IBV_QPS_RTS,
     {IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC, RTS_OPTIONS_RC},
     {IBV_QP_SQ_PSN, RTS_OPTIONS_UC},
     {IBV_QP_SQ_PSN, RTS_OPTIONS_UD}},
    {IBV_QPS_RTS, IBV_QPS_RTS, {0, RTS_OPTIONS_RC}, {0, RTS_OPTIONS_UC}, {0, RTS_OPTIONS_UD}},
    {IBV_QPS_RTS,
     IBV_QPS_SQD,
     {0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
     {0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
     {0, IBV_QP_EN_SQD_ASYNC_NOTIFY}},
    {IBV_QPS_SQD, IBV_QPS_RTS, {0, RTS_OPTIONS_RC}, {0, RTS_OPTIONS_UC}, {0, RTS_OPTIONS_UD}},
    {IBV_QPS_SQD, IBV_QPS_SQD, {0, SQD_OPTIONS_RC}, {0, SQD_OPTIONS_UC}, {0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY}},
    {IBV_QPS_SQE, IBV_QPS_RTS, {0, 0}, {0, IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS}, {0, RTS_OPTIONS_UD}},
};

static bool transition_allowed(enum ibv_qp_type type, enum ibv_qp_state from, enum ibv_qp_state to, int mask) {
    mask &= ~IBV_QP_STATE;
    if (to == IBV_QPS_RESET) return mask == 0;
    if (to == IBV_QPS_ERR) return from != IBV_QPS_RESET && mask == 0;
    for (size_t i = 0; i < sizeof transitions / sizeof transitions[0]; i++) {
        const struct transition *candidate = &transitions[i];
        if (candidate->from != from || candidate->to != to) continue;
        const struct bits *bits = type == IBV_QPT_RC   ? &candidate->rc
                                  : type == IBV_QPT_UC ? &candidate->uc
                                                       : &candidate->ud;
        return (mask & bits->required) == bits->required && !(mask & ~(bits->required | bits->optional));
    }
    return false;
}

static bool values_allowed(const struct fake_device *device, const struct ibv_qp_attr *attr, int mask) {
    if ((mask & IBV_QP_PORT) && attr->port_num != 1) return false;
    if ((mask & IBV_QP_PKEY_INDEX) && attr->pkey_index != 0) return false;
    if ((mask & IBV_QP_PATH_MTU) && (attr->path_mtu < IBV_MTU_256 || attr->path_mtu > device->port.max_mtu))
        return false;
    if ((mask & IBV_QP_AV)
        && (attr->ah_attr.port_num != 1 || !attr->ah_attr.is_global
            || !device->gids[attr->ah_attr.grh.sgid_index].ndev_ifindex))
        return false;
    if ((mask & IBV_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > device->attr.max_qp_init_rd_atom) return false;
    if ((mask & IBV_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic > device->attr.max_qp_rd_atom) return false;
    if ((mask & IBV_QP_TIMEOUT) && attr->timeout > 31) return false;
    if ((mask & IBV_QP_RETRY_CNT) && attr->retry_cnt > 7) return false;
    if ((mask & IBV_QP_RNR_RETRY) && attr->rnr_retry > 7) return false;
    if ((mask & IBV_QP_MIN_RNR_TIMER) && attr->min_rnr_timer > 31) return false;
    return !(mask & IBV_QP_ALT_PATH) || device->port.link_layer != IBV_LINK_LAYER_ETHERNET;
}

static uint8_t next_power_of_two(uint8_t value) {
    unsigned power = 1;
    while (power < value) power <<= 1;
    return value == 0 ? 0 : power > UINT8_MAX ? UINT8_MAX : (uint8_t)power;
}

static void store_attributes(struct ibv_qp_attr *to, const struct ibv_qp_attr *from, int mask) {
    if (mask & IBV_QP_PKEY_INDEX) to->pkey_index = from->pkey_index;
    if (mask & IBV_QP_PORT) to->port_num = from->port_num;
    if (mask & IBV_QP_ACCESS_FLAGS) to->qp_access_flags = from->qp_access_flags;
    if (mask & IBV_QP_QKEY) to->qkey = from->qkey;
    if (mask & IBV_QP_AV) to->ah_attr = from->ah_attr;
    if (mask & IBV_QP_PATH_MTU) to->path_mtu = from->path_mtu;
    if (mask & IBV_QP_DEST_QPN) to->dest_qp_num = from->dest_qp_num;
    if (mask & IBV_QP_RQ_PSN) to->rq_psn = from->rq_psn & 0xffffff;
    if (mask & IBV_QP_SQ_PSN) to->sq_psn = from->sq_psn & 0xffffff;
    if (mask & IBV_QP_MAX_DEST_RD_ATOMIC) to->max_dest_rd_atomic = next_power_of_two(from->max_dest_rd_atomic);
    if (mask & IBV_QP_MAX_QP_RD_ATOMIC) to->max_rd_atomic = next_power_of_two(from->max_rd_atomic);
    if (mask & IBV_QP_MIN_RNR_TIMER) to->min_rnr_timer = from->min_rnr_timer;
    if (mask & IBV_QP_TIMEOUT) to->timeout = from->timeout;
    if (mask & IBV_QP_RETRY_CNT) to->retry_cnt = from->retry_cnt;
    if (mask & IBV_QP_RNR_RETRY) to->rnr_retry = from->rnr_retry;
    if (mask & IBV_QP_ALT_PATH) {
        to->alt_ah_attr = from->alt_ah_attr;
        to->alt_port_num = from->alt_port_num;
        to->alt_pkey_index = from->alt_pkey_index;
        to->alt_timeout = from->alt_timeout;
    }
    if (mask & IBV_QP_PATH_MIG_STATE) to->path_mig_state = from->path_mig_state;
    if (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY) to->en_sqd_async_notify = from->en_sqd_async_notify;
}

static int check_init(struct ibv_pd *pd, const struct ibv_qp_init_attr *init) {
    if (!usable(pd, KIND_PD, "ibv_create_qp") || !usable(init->send_cq, KIND_CQ, "ibv_create_qp")
        || !usable(init->recv_cq, KIND_CQ, "ibv_create_qp")
        || (init->srq && !usable(init->srq, KIND_SRQ, "ibv_create_qp")))
        return EINVAL;
    const struct ibv_device_attr *limits = &CONTAINER(pd, struct fake_pd, ibv)->context->device->attr;
    const struct ibv_qp_cap *cap = &init->cap;
    if (init->qp_type != IBV_QPT_RC && init->qp_type != IBV_QPT_UC && init->qp_type != IBV_QPT_UD) return EOPNOTSUPP;
    if (init->srq && init->qp_type == IBV_QPT_UC) return EINVAL;
    if (live_objects(KIND_QP) >= limits->max_qp) return ENOMEM;
    if (cap->max_send_wr > (uint32_t)limits->max_qp_wr || cap->max_send_sge > (uint32_t)limits->max_sge
        || cap->max_inline_data > 512)
        return EINVAL;
    if (!init->srq
        && (cap->max_recv_wr > (uint32_t)limits->max_qp_wr || cap->max_recv_sge > (uint32_t)limits->max_sge))
        return EINVAL;
    return 0;
}

static void grant(struct ibv_qp_cap *cap, bool shared_receives) {
    cap->max_send_wr = scripted_capacity(cap->max_send_wr, script.more_send_wr);
    cap->max_send_sge = scripted_capacity(cap->max_send_sge, script.more_sge);
    cap->max_recv_wr = shared_receives ? 0 : scripted_capacity(cap->max_recv_wr, script.more_recv_wr);
    cap->max_recv_sge = shared_receives ? 0 : scripted_capacity(cap->max_recv_sge, script.more_sge);
    cap->max_inline_data = scripted_capacity(cap->max_inline_data, script.more_inline);
    if (cap->max_send_sge > MAX_SGE) cap->max_send_sge = MAX_SGE;
    if (cap->max_recv_sge > MAX_SGE) cap->max_recv_sge = MAX_SGE;
    if (cap->max_inline_data > MAX_INLINE) cap->max_inline_data = MAX_INLINE;
}

static void allocate_rings(struct fake_qp *qp) {
    const struct ibv_qp_cap *cap = &qp->init.cap;
    const uint32_t depth = cap->max_send_wr;
    qp->sends = calloc(depth + 1, sizeof *qp->sends);
    qp->inline_memory = calloc(depth + 1, cap->max_inline_data + 1);
    if (!qp->sends || !qp->inline_memory || !recv_ring_allocate(&qp->receives, cap->max_recv_wr, cap->max_recv_sge))
        abort();
    for (uint32_t i = 0; i < depth; i++) qp->sends[i].inlined = qp->inline_memory + (size_t)i * cap->max_inline_data;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *ibv, struct ibv_qp_init_attr *init) {
    int error = begin(FN_ibv_create_qp);
    record_init(init);
    if (!error) error = check_init(ibv, init);
    if (error) {
        note("ibv_create_qp max_send_wr=%u max_recv_wr=%u -> %s", init->cap.max_send_wr, init->cap.max_recv_wr,
             errno_name(error));
        leave();
        errno = error;
        return NULL;
    }
    struct fake_qp *qp = new_object(KIND_QP, sizeof *qp);
    qp->pd = CONTAINER(ibv, struct fake_pd, ibv);
    qp->send_cq = CONTAINER(init->send_cq, struct fake_cq, ibv);
    qp->recv_cq = CONTAINER(init->recv_cq, struct fake_cq, ibv);
    qp->srq = init->srq ? CONTAINER(init->srq, struct fake_srq, ibv) : NULL;
    qp->pd->head.children++;
    qp->send_cq->head.children++;
    qp->recv_cq->head.children++;
    if (qp->srq) qp->srq->head.children++;
    grant(&init->cap, init->srq);
    qp->init = *init;
    qp->type = init->qp_type;
    qp->state = IBV_QPS_RESET;
    qp->number = script.next_qp_number ? script.next_qp_number : (uint32_t)(FIRST_NUMBER + qp->head.id - 1);
    script.next_qp_number = 0;
    qp->attr.cap = init->cap;
    allocate_rings(qp);
    qp->next_live = live_queue_pairs;
    live_queue_pairs = qp;

    qp->ibv.context = corrupt("qp.context") ? NULL : &qp->pd->context->ibv.context;
    qp->ibv.qp_context = corrupt("qp.qp_context") ? (void *)qp : init->qp_context;
    qp->ibv.pd = corrupt("qp.pd") ? NULL : ibv;
    qp->ibv.send_cq = corrupt("qp.send_cq") ? NULL : init->send_cq;
    qp->ibv.recv_cq = corrupt("qp.recv_cq") ? NULL : init->recv_cq;
    qp->ibv.srq = corrupt("qp.srq") ? (void *)qp : init->srq;
    qp->ibv.handle = (uint32_t)qp->head.id;
    qp->ibv.qp_num = qp->number;
    qp->ibv.state = IBV_QPS_RESET;
    qp->ibv.qp_type = corrupt("qp.qp_type") ? IBV_QPT_DRIVER : init->qp_type;
    note("ibv_create_qp %s %s %s -> %s", NAME(qp->pd), NAME(qp->send_cq), NAME(qp->recv_cq), NAME(qp));
    leave();
    return &qp->ibv;
}

static void enter_state(struct fake_qp *qp, enum ibv_qp_state state) {
    if (state == IBV_QPS_ERR) {
        enter_error_state(qp);
        return;
    }
    enum ibv_qp_state before = qp->state;
    qp->state = state;
    if (state == IBV_QPS_RESET) { /* work is forgotten without a completion */
        qp->posted = qp->executed = qp->retired = 0;
        qp->receives.produced = qp->receives.consumed = 0;
        qp->peer = NULL;
        qp->waits_for_receive = false;
        qp->epoch++;
    } else if (state == IBV_QPS_SQD && before == IBV_QPS_RTS && qp->attr.en_sqd_async_notify) {
        raise_async(qp->pd->context, IBV_EVENT_SQ_DRAINED, &qp->ibv);
    } else if (state == IBV_QPS_RTS) {
        run_sends(qp);
    }
}

int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask) {
    int error = begin(FN_ibv_modify_qp);
    struct fake_qp *qp = usable(ibv, KIND_QP, "ibv_modify_qp") ? CONTAINER(ibv, struct fake_qp, ibv) : NULL;
    if (!qp) {
        leave();
        return EINVAL;
    }
    record_modify(qp->number, attr, mask);
    enum ibv_qp_state target = mask & IBV_QP_STATE ? attr->qp_state : qp->state;
    if (!error && (mask & IBV_QP_CUR_STATE) && attr->cur_qp_state != qp->state) error = EINVAL;
    if (!error && !transition_allowed(qp->type, qp->state, target, mask)) error = EINVAL;
    if (!error && !values_allowed(qp->pd->context->device, attr, mask)) error = EINVAL;
    const char *from = state_names[qp->state], *to = target <= IBV_QPS_ERR ? state_names[target] : "unknown";
    if (error) {
        note("ibv_modify_qp %s %s->%s mask=0x%x -> %s", NAME(qp), from, to, (unsigned)mask, errno_name(error));
    } else {
        note("ibv_modify_qp %s %s->%s mask=0x%x", NAME(qp), from, to, (unsigned)mask);
        store_attributes(&qp->attr, attr, mask);
        if (target != qp->state) enter_state(qp, target);
        if (mask & IBV_QP_STATE) qp->ibv.state = target;
    }
    leave();
    return error;
}

int ibv_query_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
    (void)mask; /* everything is always answered */
    int error = begin(FN_ibv_query_qp);
    if (!error && !usable(ibv, KIND_QP, "ibv_query_qp")) error = EINVAL;
    if (!error) {
        struct fake_qp *qp = CONTAINER(ibv, struct fake_qp, ibv);
        *attr = qp->attr;
        attr->qp_state = attr->cur_qp_state = qp->state;
        *init = qp->init;
        qp->ibv.state = qp->state;
    }
    leave();
    return error;
}

int ibv_query_qp_data_in_order(struct ibv_qp *ibv, enum ibv_wr_opcode opcode, uint32_t flags) {
    (void)opcode;
    (void)flags;
    begin(FN_ibv_query_qp_data_in_order);
    usable(ibv, KIND_QP, "ibv_query_qp_data_in_order");
    leave();
    return 0;
}

int ibv_destroy_qp(struct ibv_qp *ibv) {
    int error = begin(FN_ibv_destroy_qp);
    if (!usable(ibv, KIND_QP, "ibv_destroy_qp")) return destroyed("ibv_destroy_qp", NULL, EINVAL);
    struct fake_qp *qp = CONTAINER(ibv, struct fake_qp, ibv);
    if (!error && qp->groups) {
        violation("ibv_destroy_qp: %s is attached to a multicast group", NAME(qp));
        error = EBUSY;
    }
    if (!error) {
        await_acknowledgements(&qp->async_delivered, &qp->async_acknowledged, "ibv_destroy_qp", &qp->head);
        struct fake_qp **link = &live_queue_pairs;
        while (*link != qp) link = &(*link)->next_live;
        *link = qp->next_live;
        qp->pd->head.children--;
        qp->send_cq->head.children--;
        qp->recv_cq->head.children--;
        if (qp->srq) qp->srq->head.children--;
    }
    return destroyed("ibv_destroy_qp", &qp->head, error);
}

static const char *group_name(const union ibv_gid *gid) {
    static char name[sizeof gid->raw * 2 + 1];
    for (size_t i = 0; i < sizeof gid->raw; i++) sprintf(name + 2 * i, "%02x", gid->raw[i]);
    return name;
}

static bool is_multicast(const union ibv_gid *gid) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return gid->raw[0] == 0xff || (!memcmp(gid->raw, mapped, sizeof mapped) && (gid->raw[12] & 0xf0) == 0xe0);
}

int ibv_attach_mcast(struct ibv_qp *ibv, const union ibv_gid *gid, uint16_t lid) {
    int error = begin(FN_ibv_attach_mcast);
    struct fake_qp *qp = usable(ibv, KIND_QP, "ibv_attach_mcast") ? CONTAINER(ibv, struct fake_qp, ibv) : NULL;
    if (!error && (!qp || qp->type != IBV_QPT_UD || !is_multicast(gid))) error = EINVAL;
    if (!error) qp->groups++;
    if (qp) note("ibv_attach_mcast %s %s lid=%u -> %s", NAME(qp), group_name(gid), lid, errno_name(error));
    leave();
    return error;
}

int ibv_detach_mcast(struct ibv_qp *ibv, const union ibv_gid *gid, uint16_t lid) {
    int error = begin(FN_ibv_detach_mcast);
    struct fake_qp *qp = usable(ibv, KIND_QP, "ibv_detach_mcast") ? CONTAINER(ibv, struct fake_qp, ibv) : NULL;
    if (!error && (!qp || !qp->groups)) error = EINVAL;
    if (!error) qp->groups--;
    if (qp) note("ibv_detach_mcast %s %s lid=%u -> %s", NAME(qp), group_name(gid), lid, errno_name(error));
    leave();
    return error;
}
