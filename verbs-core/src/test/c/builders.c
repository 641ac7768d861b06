/*
 * The builders: the requests of a section are collected, and posted in one call when it is completed. Only the functions
 * asked for at creation are there, as with a real provider; all notes go to the log.
 */
#include "fake_ibverbs.h"

#include <stdlib.h>
#include <string.h>

#define EX_WITH_FLUSH (1 << 11)
#define SUPPORTED_OPS 0x1bff /* all but TSO, and not DRIVER */

static struct fake_qp *qp_of(struct ibv_qp_ex *ex) {
    return CONTAINER(ex, struct fake_qp, extended.ex);
}

static void say(const char *call, const struct fake_qp *qp) {
    enter();
    note("%s %s", call, NAME(qp));
    leave();
}

static struct built *current(struct fake_qp *qp, const char *call) {
    if (qp->building && qp->built_count) return &qp->built[qp->built_count - 1];
    enter();
    violation("%s %s outside of a request", call, NAME(qp));
    leave();
    abort();
}

static struct built *add(struct ibv_qp_ex *ex, enum ibv_wr_opcode opcode) {
    struct fake_qp *qp = qp_of(ex);
    if (qp->building && qp->built_count < qp->init.cap.max_send_wr) qp->built_count++;
    else qp->build_error = ENOSPC;
    struct built *built = current(qp, "ibv_wr_*");
    memset(built, 0, sizeof *built);
    built->wr.wr_id = ex->wr_id;
    built->wr.send_flags = ex->wr_flags;
    built->wr.opcode = opcode;
    built->wr.sg_list = built->sge;
    return built;
}

static struct built *add_remote(struct ibv_qp_ex *ex, enum ibv_wr_opcode opcode, uint32_t rkey, uint64_t address) {
    struct built *built = add(ex, opcode);
    built->wr.wr.rdma.remote_addr = address;
    built->wr.wr.rdma.rkey = rkey;
    return built;
}

static struct built *add_atomic(struct ibv_qp_ex *ex, enum ibv_wr_opcode opcode, uint32_t rkey, uint64_t address,
                                uint64_t value, uint64_t swap) {
    struct built *built = add(ex, opcode);
    built->wr.wr.atomic.remote_addr = address;
    built->wr.wr.atomic.rkey = rkey;
    built->wr.wr.atomic.compare_add = value;
    built->wr.wr.atomic.swap = swap;
    return built;
}

static void wr_start(struct ibv_qp_ex *ex) {
    struct fake_qp *qp = qp_of(ex);
    enter();
    if (qp->building) violation("ibv_wr_start %s: in a section already", NAME(qp));
    leave();
    say("ibv_wr_start", qp);
    qp->building = true;
    qp->built_count = 0;
    qp->build_error = 0;
}

static int wr_complete(struct ibv_qp_ex *ex) {
    struct fake_qp *qp = qp_of(ex);
    int error = begin(FN_ibv_wr_complete);
    note("ibv_wr_complete %s", NAME(qp));
    leave();
    qp->building = false;
    if (!error) error = qp->build_error;
    if (error || !qp->built_count) return error;
    for (uint32_t i = 1; i < qp->built_count; i++) qp->built[i - 1].wr.next = &qp->built[i].wr;
    struct ibv_send_wr *bad = NULL;
    return post_send_op(&qp->ibv, &qp->built[0].wr, &bad);
}

static void wr_abort(struct ibv_qp_ex *ex) {
    say("ibv_wr_abort", qp_of(ex));
    qp_of(ex)->building = false;
}

static void wr_send(struct ibv_qp_ex *ex) {
    add(ex, IBV_WR_SEND);
}

static void wr_send_imm(struct ibv_qp_ex *ex, __be32 imm_data) {
    add(ex, IBV_WR_SEND_WITH_IMM)->wr.imm_data = imm_data;
}

static void wr_send_inv(struct ibv_qp_ex *ex, uint32_t rkey) {
    add(ex, IBV_WR_SEND_WITH_INV)->wr.invalidate_rkey = rkey;
}

static void wr_local_inv(struct ibv_qp_ex *ex, uint32_t rkey) {
    add(ex, IBV_WR_LOCAL_INV)->wr.invalidate_rkey = rkey;
}

static void wr_rdma_write(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address) {
    add_remote(ex, IBV_WR_RDMA_WRITE, rkey, address);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address, __be32 imm_data) {
    add_remote(ex, IBV_WR_RDMA_WRITE_WITH_IMM, rkey, address)->wr.imm_data = imm_data;
}

static void wr_rdma_read(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address) {
    add_remote(ex, IBV_WR_RDMA_READ, rkey, address);
}

static void wr_atomic_cmp_swp(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address, uint64_t compare, uint64_t swap) {
    add_atomic(ex, IBV_WR_ATOMIC_CMP_AND_SWP, rkey, address, compare, swap);
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address, uint64_t value) {
    add_atomic(ex, IBV_WR_ATOMIC_FETCH_AND_ADD, rkey, address, value, 0);
}

static void wr_atomic_write(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address, const void *value) {
    uint64_t copied;
    memcpy(&copied, value, sizeof copied);
    add_atomic(ex, IBV_WR_ATOMIC_WRITE, rkey, address, copied, 0);
}

/* Recorded as an atomic of this length and, in the place of what to swap, type and level. */
static void wr_flush(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t address, size_t length, uint8_t type, uint8_t level) {
    add_atomic(ex, WR_FLUSH, rkey, address, length, (uint64_t)level << 8 | type);
}

static void wr_bind_mw(struct ibv_qp_ex *ex, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *info) {
    struct built *built = add(ex, IBV_WR_BIND_MW);
    built->wr.bind_mw.mw = mw;
    built->wr.bind_mw.rkey = rkey;
    built->wr.bind_mw.bind_info = *info;
}

static void wr_set_ud_addr(struct ibv_qp_ex *ex, struct ibv_ah *ah, uint32_t number, uint32_t key) {
    struct built *built = current(qp_of(ex), "ibv_wr_set_ud_addr");
    built->wr.wr.ud.ah = ah;
    built->wr.wr.ud.remote_qpn = number;
    built->wr.wr.ud.remote_qkey = key;
}

/* Copied at once; later as one element. */
static void wr_set_inline_data(struct ibv_qp_ex *ex, void *address, size_t length) {
    struct built *built = current(qp_of(ex), "ibv_wr_set_inline_data");
    memcpy(built->inlined, address, length);
    built->sge[0] = (struct ibv_sge){.addr = (uintptr_t)built->inlined, .length = (uint32_t)length};
    built->wr.num_sge = length ? 1 : 0;
}

static void wr_set_sge_list(struct ibv_qp_ex *ex, size_t count, const struct ibv_sge *list) {
    struct built *built = current(qp_of(ex), "ibv_wr_set_sge_list");
    memcpy(built->sge, list, count * sizeof *list);
    built->wr.num_sge = (int)count;
}

static void set_functions(struct ibv_qp_ex *ex, uint64_t ops) {
    ex->wr_start = wr_start;
    ex->wr_complete = wr_complete;
    ex->wr_abort = wr_abort;
    ex->wr_set_ud_addr = wr_set_ud_addr;
    ex->wr_set_inline_data = wr_set_inline_data;
    ex->wr_set_sge_list = wr_set_sge_list;
    if (ops & IBV_QP_EX_WITH_RDMA_WRITE) ex->wr_rdma_write = wr_rdma_write;
    if (ops & IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM) ex->wr_rdma_write_imm = wr_rdma_write_imm;
    if (ops & IBV_QP_EX_WITH_SEND) ex->wr_send = wr_send;
    if (ops & IBV_QP_EX_WITH_SEND_WITH_IMM) ex->wr_send_imm = wr_send_imm;
    if (ops & IBV_QP_EX_WITH_RDMA_READ) ex->wr_rdma_read = wr_rdma_read;
    if (ops & IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP) ex->wr_atomic_cmp_swp = wr_atomic_cmp_swp;
    if (ops & IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD) ex->wr_atomic_fetch_add = wr_atomic_fetch_add;
    if (ops & IBV_QP_EX_WITH_LOCAL_INV) ex->wr_local_inv = wr_local_inv;
    if (ops & IBV_QP_EX_WITH_BIND_MW) ex->wr_bind_mw = wr_bind_mw;
    if (ops & IBV_QP_EX_WITH_SEND_WITH_INV) ex->wr_send_inv = wr_send_inv;
    if (ops & IBV_QP_EX_WITH_ATOMIC_WRITE) ex->wr_atomic_write = wr_atomic_write;
}

struct ibv_qp *create_qp_ex_op(struct ibv_context *context, struct ibv_qp_init_attr_ex *init) {
    int error = begin(FN_create_qp_ex);
    const uint32_t mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    if (!error && (!context_usable(context, "create_qp_ex") || init->comp_mask != mask)) error = EINVAL;
    if (!error && (init->send_ops_flags & ~(uint64_t)SUPPORTED_OPS)) error = EOPNOTSUPP;
    note("create_qp_ex send_ops_flags=0x%llx", (unsigned long long)init->send_ops_flags);
    leave();
    if (error) {
        errno = error;
        return NULL;
    }
    struct ibv_qp *made = ibv_create_qp(init->pd, (struct ibv_qp_init_attr *)init);
    if (!made) return NULL;
    struct fake_qp *qp = CONTAINER(made, struct fake_qp, ibv);
    qp->built = calloc(qp->init.cap.max_send_wr + 1, sizeof *qp->built);
    if (!qp->built) abort();
    set_functions(&qp->extended.ex, init->send_ops_flags);
    if (init->send_ops_flags & EX_WITH_FLUSH) qp->extended.wr_flush = wr_flush;
    return made;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *ibv) {
    if (!usable(ibv, KIND_QP, "ibv_qp_to_qp_ex")) return NULL;
    struct fake_qp *qp = CONTAINER(ibv, struct fake_qp, ibv);
    return qp->built ? &qp->extended.ex : NULL;
}
