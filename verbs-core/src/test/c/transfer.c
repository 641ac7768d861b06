/* One work request carried out: the checks of keys and lengths, and the copy between the two memories. */
#include "fake_ibverbs.h"

#include <string.h>

/* Host addresses of a work request's data. */
struct gather {
    struct {
        uint8_t *address;
        uint32_t length;
    } parts[MAX_SGE];
    int count;
    uint64_t length;
};

static uint8_t *translate(const struct fake_mr *mr, uint64_t address, uint64_t length) {
    if (address < mr->iova || length > mr->length || address - mr->iova > mr->length - length) return NULL;
    return mr->memory + (address - mr->iova);
}

static bool collect(const struct fake_pd *pd, const struct ibv_sge *sge, int count, int access, struct gather *out) {
    out->count = 0;
    out->length = 0;
    for (int i = 0; i < count; i++) {
        if (sge[i].length == 0) continue;
        const struct fake_mr *mr = find_mr(sge[i].lkey, false);
        if (!mr || mr->pd != pd || (mr->access & access) != access) return false;
        uint8_t *address = translate(mr, sge[i].addr, sge[i].length);
        if (!address) return false;
        out->parts[out->count].address = address;
        out->parts[out->count++].length = sge[i].length;
        out->length += sge[i].length;
    }
    return true;
}

/* Copies as far as both reach; `skip` bytes at the front of `to` stay as they are. */
static void copy(const struct gather *to, uint64_t skip, const struct gather *from) {
    int target = 0;
    uint64_t used = skip;
    for (int source = 0; source < from->count; source++) {
        uint64_t done = 0;
        while (done < from->parts[source].length) {
            while (target < to->count && used >= to->parts[target].length) used -= to->parts[target++].length;
            if (target == to->count) return;
            uint64_t length = from->parts[source].length - done;
            if (length > to->parts[target].length - used) length = to->parts[target].length - used;
            memmove(to->parts[target].address + used, from->parts[source].address + done, length);
            used += length;
            done += length;
        }
    }
}

static struct fake_qp *find_peer(struct fake_qp *qp, uint32_t number) {
    if (qp->peer && qp->peer->head.live && qp->peer->number == number) return qp->peer;
    qp->peer = NULL;
    for (struct fake_qp *other = live_queue_pairs; other && !qp->peer; other = other->next_live)
        if (other->number == number) qp->peer = other;
    return qp->peer;
}

static bool can_receive(const struct fake_qp *qp) {
    return qp->state == IBV_QPS_RTR || qp->state == IBV_QPS_RTS || qp->state == IBV_QPS_SQD
           || qp->state == IBV_QPS_SQE;
}

static bool takes_receive(enum ibv_wr_opcode opcode) {
    return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_SEND_WITH_INV
           || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

static struct recv_ring *receives_of(struct fake_qp *qp) {
    return qp->srq ? &qp->srq->receives : &qp->receives;
}

static struct recv_slot next_receive(struct fake_qp *qp) {
    struct recv_ring *ring = receives_of(qp);
    struct recv_slot slot = ring->slots[ring->consumed++ % ring->depth];
    if (qp->srq && qp->srq->limit && ring->produced - ring->consumed < qp->srq->limit) {
        qp->srq->limit = 0; /* told once */
        raise_async(qp->pd->context, IBV_EVENT_SRQ_LIMIT_REACHED, &qp->srq->ibv);
    }
    return slot;
}

/* The peer's side of a message that takes a receive; what the sender is told. */
static enum ibv_wc_status deliver(struct fake_qp *qp, struct fake_qp *peer, const struct send_slot *sent,
                                  const struct gather *data) {
    const bool datagram = qp->type == IBV_QPT_UD;
    const bool write = sent->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
    const struct recv_slot slot = next_receive(peer);
    struct ibv_wc wc = {.opcode = write ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV,
                        .byte_len = (uint32_t)data->length + (datagram ? GRH_BYTES : 0),
                        .src_qp = qp->number};
    if (sent->wr.opcode == IBV_WR_SEND_WITH_IMM || write) {
        wc.wc_flags |= IBV_WC_WITH_IMM;
        wc.imm_data = sent->wr.imm_data;
    } else if (sent->wr.opcode == IBV_WR_SEND_WITH_INV) {
        wc.wc_flags |= IBV_WC_WITH_INV;
        wc.invalidated_rkey = sent->wr.invalidate_rkey;
        invalidate_window(sent->wr.invalidate_rkey);
    }
    if (datagram) wc.wc_flags |= IBV_WC_GRH;

    enum ibv_wc_status told = IBV_WC_SUCCESS;
    struct gather target;
    if (!write && !collect(peer->pd, slot.sge, slot.num_sge, IBV_ACCESS_LOCAL_WRITE, &target)) {
        wc.status = IBV_WC_LOC_PROT_ERR;
        told = IBV_WC_REM_OP_ERR;
    } else if (!write && target.length < wc.byte_len) {
        wc.status = IBV_WC_LOC_LEN_ERR;
        told = IBV_WC_REM_INV_REQ_ERR;
    } else if (!write) {
        copy(&target, datagram ? GRH_BYTES : 0, data);
    }
    complete_receive(peer, slot.wr_id, &wc, sent->wr.send_flags & IBV_SEND_SOLICITED);
    return qp->type == IBV_QPT_RC ? told : IBV_WC_SUCCESS;
}

static uint8_t *remote_memory(const struct fake_qp *peer, uint32_t key, uint64_t address, uint64_t length, int access) {
    const struct fake_mr *mr = find_mr(key, true);
    if (!mr || mr->pd != peer->pd || !(mr->access & access) || !(peer->attr.qp_access_flags & access)) return NULL;
    return translate(mr, address, length);
}

static enum ibv_wc_status atomic(const struct send_slot *slot, uint8_t *remote, const struct gather *data) {
    uint64_t before, after;
    memcpy(&before, remote, 8);
    if (slot->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) after = before + slot->wr.wr.atomic.compare_add;
    else after = before == slot->wr.wr.atomic.compare_add ? slot->wr.wr.atomic.swap : before;
    memcpy(remote, &after, 8);
    memcpy(data->parts[0].address, &before, 8);
    return IBV_WC_SUCCESS;
}

/* The one-sided part; the peer goes to the error state if it is refused. */
static enum ibv_wc_status access_remote(struct fake_qp *qp, struct fake_qp *peer, const struct send_slot *slot,
                                        const struct gather *data) {
    const struct ibv_send_wr *wr = &slot->wr;
    const bool is_atomic = wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
    const bool read = wr->opcode == IBV_WR_RDMA_READ;
    if (!is_atomic && data->length == 0) return IBV_WC_SUCCESS; /* nothing is touched, nothing is checked */
    struct gather remote = {.count = 1, .length = is_atomic ? 8 : data->length};
    remote.parts[0].length = (uint32_t)remote.length;
    remote.parts[0].address =
        is_atomic ? remote_memory(peer, wr->wr.atomic.rkey, wr->wr.atomic.remote_addr, 8, IBV_ACCESS_REMOTE_ATOMIC)
                  : remote_memory(peer, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr, data->length,
                                  read ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE);
    if (!remote.parts[0].address) {
        if (qp->type != IBV_QPT_RC) return IBV_WC_SUCCESS; /* the unreliable sender never hears of it */
        fail_after_transfer(peer);
        return IBV_WC_REM_ACCESS_ERR;
    }
    if (is_atomic) return atomic(slot, remote.parts[0].address, data);
    if (read) copy(data, 0, &remote);
    else copy(&remote, 0, data);
    return IBV_WC_SUCCESS;
}

enum outcome transfer(struct fake_qp *qp, struct send_slot *slot, enum ibv_wc_status *status) {
    const struct ibv_send_wr *wr = &slot->wr;
    const bool reliable = qp->type == IBV_QPT_RC, datagram = qp->type == IBV_QPT_UD;
    const bool writes_locally = wr->opcode == IBV_WR_RDMA_READ || wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP
                                || wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
    const struct ibv_port_attr *port = &qp->pd->context->device->port;
    struct gather data;
    if (wr->opcode == IBV_WR_LOCAL_INV) {
        invalidate_window(wr->invalidate_rkey);
        return DONE;
    }
    if (wr->opcode == IBV_WR_BIND_MW) {
        *status = bind_window(slot);
        return DONE;
    }
    if (wr->opcode == IBV_WR_ATOMIC_WRITE || wr->opcode == WR_FLUSH) return DONE;
    if (wr->send_flags & IBV_SEND_INLINE) {
        data.count = 1;
        data.length = slot->inline_length;
        data.parts[0].address = slot->inlined;
        data.parts[0].length = slot->inline_length;
    } else if (!collect(qp->pd, slot->sge, wr->num_sge, writes_locally ? IBV_ACCESS_LOCAL_WRITE : 0, &data)) {
        *status = IBV_WC_LOC_PROT_ERR;
        return DONE;
    }
    if (data.length > (datagram ? 128u << port->active_mtu : port->max_msg_sz)) {
        *status = IBV_WC_LOC_LEN_ERR;
        return DONE;
    }
    if (datagram && !CONTAINER(wr->wr.ud.ah, struct fake_ah, ibv)->head.live) {
        violation("%s: its address handle was destroyed before the send was done", NAME(qp));
        *status = IBV_WC_LOC_QP_OP_ERR;
        return DONE;
    }

    struct fake_qp *peer = find_peer(qp, datagram ? wr->wr.ud.remote_qpn : qp->attr.dest_qp_num);
    bool reached = peer && can_receive(peer) && peer->type == qp->type
                   && (datagram ? peer->attr.qkey == wr->wr.ud.remote_qkey : peer->attr.dest_qp_num == qp->number);
    if (!reached) {
        *status = reliable && !script.absent_peers_succeed ? IBV_WC_RETRY_EXC_ERR : IBV_WC_SUCCESS;
        return DONE;
    }
    if (takes_receive(wr->opcode)) {
        const struct recv_ring *ring = receives_of(peer);
        if (ring->produced == ring->consumed) {
            if (reliable && qp->attr.rnr_retry == 7) return WAITS;
            *status = reliable ? IBV_WC_RNR_RETRY_EXC_ERR : IBV_WC_SUCCESS;
            return DONE;
        }
    }
    if (wr->opcode != IBV_WR_SEND && wr->opcode != IBV_WR_SEND_WITH_IMM && wr->opcode != IBV_WR_SEND_WITH_INV)
        *status = access_remote(qp, peer, slot, &data);
    if (!*status && takes_receive(wr->opcode)) *status = deliver(qp, peer, slot, &data);
    return DONE;
}
