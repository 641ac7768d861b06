/* Extended completion queues: created, polled in sections, moderated. */
#include "fake_ibverbs.h"

static struct fake_cq *fake_of(struct ibv_cq_ex *ex) {
    return CONTAINER(ex, struct fake_cq, ex);
}

/* ---- sections ---- */

/* The next completion becomes the present one; ENOENT if there is none. */
static int advance(struct fake_cq *cq) {
    const struct cqe *cqe = take_cqe(cq);
    if (!cqe) return ENOENT;
    cq->present = cqe->wc;
    cq->ex.wr_id = cqe->wc.wr_id;
    cq->ex.status = cqe->wc.status;
    return 0;
}

static int start_poll(struct ibv_cq_ex *ex, struct ibv_poll_cq_attr *attr) {
    int error = begin(FN_start_poll);
    struct fake_cq *cq = fake_of(ex);
    if (cq->in_section) violation("ibv_start_poll %s: the last section was not ended", NAME(cq));
    if (!error && attr->comp_mask) error = EINVAL;
    if (!error) error = advance(cq);
    cq->in_section = !error;
    leave();
    return error;
}

static int next_poll(struct ibv_cq_ex *ex) {
    int error = begin(FN_next_poll);
    struct fake_cq *cq = fake_of(ex);
    if (!cq->in_section) violation("ibv_next_poll %s: outside of a section", NAME(cq));
    if (!error) error = advance(cq);
    leave();
    return error;
}

static void end_poll(struct ibv_cq_ex *ex) {
    begin(FN_end_poll);
    struct fake_cq *cq = fake_of(ex);
    if (!cq->in_section) violation("ibv_end_poll %s: outside of a section", NAME(cq));
    cq->in_section = false;
    leave();
}

/* ---- readers: each value tells which one it is, where ibv_wc has none ---- */

/* What a failure leaves undefined is garbage in the completion already: reading it is no violation of its own. */
static const struct ibv_wc *present(struct ibv_cq_ex *ex, const char *call) {
    struct fake_cq *cq = fake_of(ex);
    if (!cq->in_section) violation("%s %s: outside of a section", call, NAME(cq));
    return &cq->present;
}

#define READER(name, type, value)                                                                                      \
    static type read_##name(struct ibv_cq_ex *ex) {                                                                    \
        const struct ibv_wc *wc = present(ex, "ibv_wc_read_" #name);                                                   \
        return (void)wc, (value);                                                                                      \
    }

READER(opcode, enum ibv_wc_opcode, wc->opcode)
READER(vendor_err, uint32_t, wc->vendor_err)
READER(wc_flags, unsigned, wc->wc_flags)
READER(byte_len, uint32_t, wc->byte_len)
READER(imm_data, __be32, wc->imm_data)
READER(qp_num, uint32_t, wc->qp_num)
READER(src_qp, uint32_t, wc->src_qp)
READER(slid, uint32_t, wc->slid)
READER(sl, uint8_t, wc->sl)
READER(dlid_path_bits, uint8_t, wc->dlid_path_bits)
READER(completion_ts, uint64_t, 0xf000000000000001)
READER(completion_wallclock_ns, uint64_t, 1700000000000000002)
READER(cvlan, uint16_t, 0xf003)
READER(flow_tag, uint32_t, 0xf0000004)

/* ---- creation ---- */

static void give_functions(struct ibv_cq_ex *ex, uint64_t flags) {
    ex->start_poll = start_poll;
    ex->next_poll = next_poll;
    ex->end_poll = end_poll;
    ex->read_opcode = read_opcode;
    ex->read_vendor_err = read_vendor_err;
    ex->read_wc_flags = read_wc_flags;
    if (flags & IBV_WC_EX_WITH_BYTE_LEN) ex->read_byte_len = read_byte_len;
    if (flags & IBV_WC_EX_WITH_IMM) ex->read_imm_data = read_imm_data;
    if (flags & IBV_WC_EX_WITH_QP_NUM) ex->read_qp_num = read_qp_num;
    if (flags & IBV_WC_EX_WITH_SRC_QP) ex->read_src_qp = read_src_qp;
    if (flags & IBV_WC_EX_WITH_SLID) ex->read_slid = read_slid;
    if (flags & IBV_WC_EX_WITH_SL) ex->read_sl = read_sl;
    if (flags & IBV_WC_EX_WITH_DLID_PATH_BITS) ex->read_dlid_path_bits = read_dlid_path_bits;
    if (flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP) ex->read_completion_ts = read_completion_ts;
    if (flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
        ex->read_completion_wallclock_ns = read_completion_wallclock_ns;
    if (flags & IBV_WC_EX_WITH_CVLAN) ex->read_cvlan = read_cvlan;
    if (flags & IBV_WC_EX_WITH_FLOW_TAG) ex->read_flow_tag = read_flow_tag;
}

struct ibv_cq_ex *create_cq_ex_op(struct ibv_context *context, struct ibv_cq_init_attr_ex *init) {
    int error = begin(FN_create_cq_ex);
    note("create_cq_ex wc_flags=0x%llx comp_mask=0x%x flags=0x%x", (unsigned long long)init->wc_flags, init->comp_mask,
         init->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS ? init->flags : 0);
    if (!error && (init->wc_flags & ~script.wc_flags)) error = EOPNOTSUPP;
    uint64_t flags = init->wc_flags & ~script.missing_reader;
    leave();
    if (error) {
        errno = error;
        return NULL;
    }
    struct ibv_cq *cq = ibv_create_cq(context, (int)init->cqe, init->cq_context, init->channel, (int)init->comp_vector);
    if (!cq) return NULL;
    struct fake_cq *fake = CONTAINER(cq, struct fake_cq, ibv);
    give_functions(&fake->ex, flags);
    return &fake->ex;
}

/* ---- moderation ---- */

int modify_cq_op(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr) {
    int error = begin(FN_modify_cq);
    if (!error && !usable(cq, KIND_CQ, "ibv_modify_cq")) error = EINVAL;
    if (!error && attr->attr_mask != IBV_CQ_ATTR_MODERATE) error = EINVAL;
    if (!error)
        note("ibv_modify_cq %s count=%u period=%u", NAME(CONTAINER(cq, struct fake_cq, ibv)), attr->moderate.cq_count,
             attr->moderate.cq_period);
    leave();
    return error;
}
