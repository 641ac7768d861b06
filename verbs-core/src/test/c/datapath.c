/* Posting, polling, arming: the calls reached through ibv_context.ops. */
#include "fake_ibverbs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t posting_order;
static struct fake_qp *failed_peer; /* by the transfer under way */

/* ---- completions ---- */

/* What a failed completion leaves undefined holds garbage here, to catch those who read it. */
static void spoil_undefined_fields(struct ibv_wc *wc) {
    wc->opcode = (enum ibv_wc_opcode)0xdeadbeef;
    wc->byte_len = 0xbadc0de5;
    wc->imm_data = 0x5a5a5a5a;
    wc->src_qp = 0xbadbad;
    wc->wc_flags = 0xffffffff;
    wc->pkey_index = wc->slid = 0xbad;
    wc->sl = wc->dlid_path_bits = 0xba;
}

static void notify(struct fake_cq *cq) {
    cq->arming = NOT_ARMED;
    if (!cq->channel || !cq->channel->head.live || script.swallow_notify) return;
    if (write(cq->channel->write_end, &cq, sizeof cq) != sizeof cq) violation("%s: event lost", NAME(cq));
}

void push_cqe(struct fake_cq *cq, const struct cqe *cqe, bool solicited) {
    if (cq->produced - cq->consumed == cq->depth) return; /* an overrun is silent */
    cq->ring[cq->produced++ % cq->depth] = *cqe;
    if (cq->arming == ARMED_ANY || (cq->arming == ARMED_SOLICITED && (solicited || cqe->wc.status))) notify(cq);
}

static enum ibv_wc_opcode completion_opcode(enum ibv_wr_opcode opcode) {
    switch (opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        return IBV_WC_RDMA_WRITE;
    case IBV_WR_RDMA_READ:
        return IBV_WC_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
        return IBV_WC_COMP_SWAP;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        return IBV_WC_FETCH_ADD;
    case IBV_WR_LOCAL_INV:
        return IBV_WC_LOCAL_INV;
    case IBV_WR_BIND_MW:
        return IBV_WC_BIND_MW;
    case IBV_WR_ATOMIC_WRITE:
        return IBV_WC_ATOMIC_WRITE;
    default:
        return opcode == WR_FLUSH ? (enum ibv_wc_opcode)8 : IBV_WC_SEND;
    }
}

static uint32_t payload_length(const struct send_slot *slot) {
    uint32_t length = 0;
    for (int i = 0; i < slot->wr.num_sge; i++) length += slot->sge[i].length;
    return length;
}

/* A failure always has a completion, a success only if it was asked for. */
static void complete_send(struct fake_qp *qp, const struct send_slot *slot, enum ibv_wc_status status,
                          uint32_t vendor_err) {
    if (script.early_slots) qp->retired = qp->executed;
    if (!status && !qp->init.sq_sig_all && !(slot->wr.send_flags & IBV_SEND_SIGNALED)) return;
    struct cqe cqe = {.qp = qp, .slots_until = qp->executed, .epoch = qp->epoch};
    cqe.wc.wr_id = slot->wr.wr_id;
    cqe.wc.status = status;
    cqe.wc.vendor_err = vendor_err;
    cqe.wc.qp_num = qp->number;
    cqe.wc.opcode = completion_opcode(slot->wr.opcode);
    cqe.wc.byte_len = payload_length(slot);
    if (status) spoil_undefined_fields(&cqe.wc);
    push_cqe(qp->send_cq, &cqe, false);
}

void complete_receive(struct fake_qp *qp, uint64_t wr_id, const struct ibv_wc *wc, bool solicited) {
    struct cqe cqe = {.wc = *wc};
    cqe.wc.wr_id = wr_id;
    cqe.wc.qp_num = qp->number;
    if (!cqe.wc.status && script.recv_status.count) {
        if (script.recv_status.skip > 0) {
            script.recv_status.skip--;
        } else {
            script.recv_status.count--;
            cqe.wc.status = script.recv_status.status;
            cqe.wc.vendor_err = script.recv_status.vendor_err;
        }
    }
    if (cqe.wc.status) spoil_undefined_fields(&cqe.wc);
    push_cqe(qp->recv_cq, &cqe, solicited);
    if (cqe.wc.status) fail_after_transfer(qp);
}

static void flush_sends(struct fake_qp *qp) {
    while (qp->executed < qp->posted) {
        const struct send_slot *slot = &qp->sends[qp->executed++ % qp->init.cap.max_send_wr];
        complete_send(qp, slot, IBV_WC_WR_FLUSH_ERR, 0);
    }
}

/* Whatever is queued completes as flushed. */
static void flush(struct fake_qp *qp) {
    flush_sends(qp);
    while (!qp->srq && qp->receives.consumed < qp->receives.produced) {
        const struct recv_slot *slot = &qp->receives.slots[qp->receives.consumed++ % qp->receives.depth];
        complete_receive(qp, slot->wr_id, &(struct ibv_wc){.status = IBV_WC_WR_FLUSH_ERR}, false);
    }
}

void enter_error_state(struct fake_qp *qp) {
    if (qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_RESET) return;
    qp->state = IBV_QPS_ERR;
    qp->waits_for_receive = false;
    flush(qp);
}

void fail_after_transfer(struct fake_qp *qp) {
    if (qp->state != IBV_QPS_ERR) failed_peer = qp;
}

/* ---- carrying out sends ---- */

static bool scripted_status(enum ibv_wc_status *status, uint32_t *vendor_err) {
    if (!script.send_status.count) return false;
    if (script.send_status.skip > 0) {
        script.send_status.skip--;
        return false;
    }
    script.send_status.count--;
    *status = script.send_status.status;
    *vendor_err = script.send_status.vendor_err;
    return true;
}

/* The oldest pending send; false if it has to wait for a receive of the peer. */
static bool run_one_send(struct fake_qp *qp) {
    struct send_slot *slot = &qp->sends[qp->executed % qp->init.cap.max_send_wr];
    enum ibv_wc_status status = IBV_WC_SUCCESS;
    uint32_t vendor_err = 0;
    failed_peer = NULL;
    if (!scripted_status(&status, &vendor_err) || status == IBV_WC_SUCCESS) {
        if (transfer(qp, slot, &status) == WAITS) {
            qp->waits_for_receive = true;
            return false;
        }
    }
    struct fake_qp *peer = failed_peer;
    qp->executed++;
    complete_send(qp, slot, status, vendor_err);
    if (status && script.sends_fail_into_sqe && qp->type != IBV_QPT_RC) {
        qp->state = IBV_QPS_SQE;
        flush_sends(qp);
    } else if (status) {
        enter_error_state(qp);
    }
    if (peer) enter_error_state(peer);
    return true;
}

void run_sends(struct fake_qp *qp) {
    while (!script.holding && qp->state == IBV_QPS_RTS && qp->executed < qp->posted && run_one_send(qp)) continue;
}

int run_held_sends(int count) {
    int released = 0;
    while (released < count) {
        struct fake_qp *oldest = NULL;
        uint64_t order = UINT64_MAX;
        for (struct fake_qp *qp = live_queue_pairs; qp; qp = qp->next_live) {
            if (qp->state != IBV_QPS_RTS || qp->executed == qp->posted || qp->waits_for_receive) continue;
            uint64_t candidate = qp->sends[qp->executed % qp->init.cap.max_send_wr].order;
            if (candidate >= order) continue;
            order = candidate;
            oldest = qp;
        }
        if (!oldest) break;
        if (run_one_send(oldest)) released++;
    }
    return released;
}

/* ---- posting sends ---- */

static bool opcode_allowed(enum ibv_qp_type type, enum ibv_wr_opcode opcode) {
    switch (opcode) {
    case IBV_WR_SEND:
    case IBV_WR_SEND_WITH_IMM:
        return true;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_SEND_WITH_INV:
    case IBV_WR_BIND_MW:
        return type != IBV_QPT_UD;
    case IBV_WR_RDMA_READ:
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
    case IBV_WR_LOCAL_INV:
    case IBV_WR_ATOMIC_WRITE:
        return type == IBV_QPT_RC;
    default:
        return opcode == WR_FLUSH && type == IBV_QPT_RC;
    }
}

/* Spares inline data the system call that asks whether its pages are there. */
static bool registered(const struct ibv_sge *sge) {
    const struct fake_mr *mr = find_mr(sge->lkey, false);
    const uintptr_t begin = mr ? (uintptr_t)mr->memory : 0;
    return mr && sge->addr >= begin && sge->addr - begin <= mr->length
           && sge->length <= mr->length - (sge->addr - begin);
}

static int check_send(const struct fake_qp *qp, const struct ibv_send_wr *wr) {
    if (qp->posted - qp->retired >= qp->init.cap.max_send_wr) return ENOMEM;
    if (wr->num_sge < 0 || (uint32_t)wr->num_sge > qp->init.cap.max_send_sge) return EINVAL;
    if (wr->num_sge && !wr->sg_list) {
        violation("ibv_post_send %s: %d elements but no list", NAME(qp), wr->num_sge);
        return EINVAL;
    }
    if (!opcode_allowed(qp->type, wr->opcode)) return EINVAL;
    if (qp->type == IBV_QPT_UD && !usable(wr->wr.ud.ah, KIND_AH, "ibv_post_send")) return EINVAL;
    if (wr->opcode == IBV_WR_BIND_MW) {
        if (!usable(wr->bind_mw.mw, KIND_MW, "ibv_post_send")) return EINVAL;
        if (!usable(wr->bind_mw.bind_info.mr, KIND_MR, "ibv_post_send")) return EINVAL;
        if (wr->num_sge || wr->imm_data) return EINVAL;
    }
    bool atomic = wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
    if (atomic && ((wr->wr.atomic.remote_addr & 7) || wr->num_sge < 1 || wr->sg_list[0].length < 8)) return EINVAL;
    if (!(wr->send_flags & IBV_SEND_INLINE)) return 0;
    uint64_t length = 0;
    for (int i = 0; i < wr->num_sge; i++) length += wr->sg_list[i].length;
    if (length > qp->init.cap.max_inline_data || wr->opcode == IBV_WR_RDMA_READ || atomic) return EINVAL;
    for (int i = 0; i < wr->num_sge; i++) {
        const struct ibv_sge *sge = &wr->sg_list[i];
        if (sge->length == 0 || registered(sge) || mapped((const void *)(uintptr_t)sge->addr, sge->length)) continue;
        violation("ibv_post_send %s: inline data at 0x%llx is not readable", NAME(qp), (unsigned long long)sge->addr);
        return EINVAL;
    }
    return 0;
}

static void take_send(struct fake_qp *qp, const struct ibv_send_wr *wr) {
    struct send_slot *slot = &qp->sends[qp->posted % qp->init.cap.max_send_wr];
    slot->order = posting_order++;
    slot->wr = *wr;
    slot->inline_length = 0;
    if (wr->opcode == IBV_WR_BIND_MW) slot->window_key = wr->bind_mw.mw->rkey;
    if (wr->num_sge) memcpy(slot->sge, wr->sg_list, (size_t)wr->num_sge * sizeof *slot->sge);
    for (int i = 0; (wr->send_flags & IBV_SEND_INLINE) && i < wr->num_sge; i++) {
        const struct ibv_sge *sge = &slot->sge[i];
        memcpy(slot->inlined + slot->inline_length, (const void *)(uintptr_t)sge->addr, sge->length);
        slot->inline_length += sge->length;
    }
    qp->posted++;
    record_send(qp, slot);
    if (qp->state == IBV_QPS_ERR) flush(qp);
}

/* An errno once the script wants the next work request refused. */
static int refused(bool receive) {
    typeof(script.refuse_send) *refusal = receive ? (void *)&script.refuse_recv : &script.refuse_send;
    if (!refusal->armed) return 0;
    if (refusal->accept > 0) {
        refusal->accept--;
        return 0;
    }
    if (refusal->times > 0 && --refusal->times == 0) refusal->armed = false;
    return refusal->error;
}

int post_send_op(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr) {
    int error = begin(FN_ibv_post_send);
    bool report = true;
    if (!bad_wr) {
        violation("ibv_post_send: NULL bad_wr");
        error = EINVAL;
    } else if (!usable(ibv, KIND_QP, "ibv_post_send")) {
        error = EINVAL;
    } else if (!error) {
        struct fake_qp *qp = CONTAINER(ibv, struct fake_qp, ibv);
        if (qp->state == IBV_QPS_RESET || qp->state == IBV_QPS_INIT || qp->state == IBV_QPS_RTR) {
            violation("ibv_post_send %s: it is not ready to send (state %d)", NAME(qp), (int)qp->state);
            error = EINVAL;
        }
        while (!error && wr) {
            bool leave = script.refuse_send.leave_bad_wr;
            error = refused(false);
            if (error) report = !leave;
            else error = check_send(qp, wr);
            if (error) break;
            take_send(qp, wr);
            wr = wr->next;
        }
        run_sends(qp);
    }
    if (error && bad_wr && report) *bad_wr = wr; /* else left as it was */
    leave();
    return error;
}

/* ---- posting receives ---- */

static int take_receive(struct recv_ring *ring, uint32_t qp_num, const struct ibv_recv_wr *wr) {
    if (ring->produced - ring->consumed >= ring->depth) return ENOMEM;
    if (wr->num_sge < 0 || (uint32_t)wr->num_sge > ring->max_sge) return EINVAL;
    if (wr->num_sge && !wr->sg_list) {
        violation("posting a receive: %d elements but no list", wr->num_sge);
        return EINVAL;
    }
    struct recv_slot *slot = &ring->slots[ring->produced++ % ring->depth];
    slot->wr_id = wr->wr_id;
    slot->num_sge = wr->num_sge;
    if (wr->num_sge) memcpy(slot->sge, wr->sg_list, (size_t)wr->num_sge * sizeof *slot->sge);
    record_recv(qp_num, wr);
    return 0;
}

static int take_receives(struct recv_ring *ring, uint32_t qp_num, struct ibv_recv_wr *wr,
                         struct ibv_recv_wr **bad_wr) {
    int error = 0;
    while (wr) {
        bool leave = script.refuse_recv.leave_bad_wr;
        error = refused(true);
        if (error) {
            if (!leave) *bad_wr = wr;
            break;
        }
        error = take_receive(ring, qp_num, wr);
        if (error) {
            *bad_wr = wr;
            break;
        }
        wr = wr->next;
    }
    return error;
}

static void wake_senders(void) {
    for (struct fake_qp *qp = live_queue_pairs; qp; qp = qp->next_live) {
        if (!qp->waits_for_receive) continue;
        qp->waits_for_receive = false;
        run_sends(qp);
    }
}

int post_recv_op(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr) {
    int error = begin(FN_ibv_post_recv);
    if (!bad_wr) {
        violation("ibv_post_recv: NULL bad_wr");
        error = EINVAL;
    } else if (error) {
        *bad_wr = wr;
    } else if (!usable(ibv, KIND_QP, "ibv_post_recv")) {
        error = EINVAL;
        *bad_wr = wr;
    } else {
        struct fake_qp *qp = CONTAINER(ibv, struct fake_qp, ibv);
        if (qp->state == IBV_QPS_RESET || qp->srq) {
            violation("ibv_post_recv %s: %s", NAME(qp), qp->srq ? "it has a shared receive queue" : "state RESET");
            error = EINVAL;
            *bad_wr = wr;
        } else {
            error = take_receives(&qp->receives, qp->number, wr, bad_wr);
            if (qp->state == IBV_QPS_ERR) flush(qp);
            wake_senders();
        }
    }
    leave();
    return error;
}

int post_srq_recv_op(struct ibv_srq *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr) {
    int error = begin(FN_ibv_post_srq_recv);
    if (!bad_wr) {
        violation("ibv_post_srq_recv: NULL bad_wr");
        error = EINVAL;
    } else if (error || !usable(ibv, KIND_SRQ, "ibv_post_srq_recv")) {
        error = error ? error : EINVAL;
        *bad_wr = wr;
    } else {
        error = take_receives(&CONTAINER(ibv, struct fake_srq, ibv)->receives, 0, wr, bad_wr);
        wake_senders();
    }
    leave();
    return error;
}

/* ---- polling and arming ---- */

const struct cqe *take_cqe(struct fake_cq *cq) {
    if (cq->consumed == cq->produced) return NULL;
    const struct cqe *cqe = &cq->ring[cq->consumed++ % cq->depth];
    if (cqe->qp && cqe->qp->epoch == cqe->epoch && cqe->qp->retired < cqe->slots_until)
        cqe->qp->retired = cqe->slots_until;
    return cqe;
}

int poll_cq_op(struct ibv_cq *ibv, int count, struct ibv_wc *wc) {
    int error = begin(FN_ibv_poll_cq);
    int polled = 0;
    if (!error && !usable(ibv, KIND_CQ, "ibv_poll_cq")) error = EINVAL;
    if (error) {
        polled = -error;
    } else if (script.poll_scripted) {
        script.poll_scripted = false;
        polled = script.poll_result;
    } else if (script.polls_delayed > 0) {
        script.polls_delayed--;
    } else {
        struct fake_cq *cq = CONTAINER(ibv, struct fake_cq, ibv);
        const struct cqe *cqe;
        while (polled < count && (cqe = take_cqe(cq))) wc[polled++] = cqe->wc;
    }
    leave();
    return polled;
}

int req_notify_cq_op(struct ibv_cq *ibv, int solicited_only) {
    int error = begin(FN_ibv_req_notify_cq);
    if (!error && !usable(ibv, KIND_CQ, "ibv_req_notify_cq")) error = EINVAL;
    if (!error) {
        struct fake_cq *cq = CONTAINER(ibv, struct fake_cq, ibv);
        if (!solicited_only) cq->arming = ARMED_ANY;
        else if (cq->arming == NOT_ARMED) cq->arming = ARMED_SOLICITED;
    }
    leave();
    return error;
}
