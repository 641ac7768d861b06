/* Memory windows: their keys and when a bind succeeds, as on Soft-RoCE. What goes through them is not modelled. */
#include "fake_ibverbs.h"

static struct fake_mw *windows; /* the live ones */

void forget_windows(void) {
    windows = NULL;
}

struct ibv_mw *alloc_mw_op(struct ibv_pd *ibv, enum ibv_mw_type type) {
    int error = begin(FN_ibv_alloc_mw);
    if (!error && !usable(ibv, KIND_PD, "ibv_alloc_mw")) error = EINVAL;
    if (error) {
        note("ibv_alloc_mw type=%d -> %s", (int)type, errno_name(error));
        leave();
        errno = error;
        return NULL;
    }
    struct fake_mw *mw = new_object(KIND_MW, sizeof *mw);
    mw->pd = CONTAINER(ibv, struct fake_pd, ibv);
    mw->pd->head.children++;
    mw->key = (uint32_t)mw->head.id << 8 | 0xfe; /* soon around its low byte */
    mw->ibv = (struct ibv_mw){.context = ibv->context,
                              .pd = corrupt("mw.pd") ? NULL : ibv,
                              .rkey = mw->key,
                              .handle = (uint32_t)mw->head.id,
                              .type = corrupt("mw.type") ? 3 - type : type};
    mw->next = windows;
    windows = mw;
    note("ibv_alloc_mw %s type=%d -> %s", NAME(mw->pd), (int)type, NAME(mw));
    leave();
    return &mw->ibv;
}

int dealloc_mw_op(struct ibv_mw *ibv) {
    int error = begin(FN_ibv_dealloc_mw);
    if (!usable(ibv, KIND_MW, "ibv_dealloc_mw")) return destroyed("ibv_dealloc_mw", NULL, EINVAL);
    struct fake_mw *mw = CONTAINER(ibv, struct fake_mw, ibv);
    if (!error) {
        struct fake_mw **link = &windows;
        while (*link != mw) link = &(*link)->next;
        *link = mw->next;
        mw->pd->head.children--;
    }
    return destroyed("ibv_dealloc_mw", &mw->head, error);
}

int bind_mw_op(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind) {
    int error = begin(FN_ibv_bind_mw);
    if (!error && !usable(mw, KIND_MW, "ibv_bind_mw")) error = EINVAL;
    leave();
    if (error) return error;
    struct ibv_send_wr *bad, wr = {.wr_id = bind->wr_id,
                                   .opcode = IBV_WR_BIND_MW,
                                   .send_flags = bind->send_flags,
                                   .bind_mw = {.mw = mw, .rkey = ibv_inc_rkey(mw->rkey), .bind_info = bind->bind_info}};
    error = post_send_op(qp, &wr, &bad);
    if (!error) mw->rkey = wr.bind_mw.rkey;
    return error;
}

enum ibv_wc_status bind_window(const struct send_slot *slot) {
    struct fake_mw *mw = CONTAINER(slot->wr.bind_mw.mw, struct fake_mw, ibv);
    const uint32_t key = slot->wr.bind_mw.rkey;
    bool good = mw->head.live && mw->key == slot->window_key && mw->key >> 8 == key >> 8 && mw->key != key;
    if (mw->ibv.type == IBV_MW_TYPE_2) good = good && !mw->bound && slot->wr.bind_mw.bind_info.length;
    if (!good) return IBV_WC_MW_BIND_ERR;
    mw->key = key;
    mw->bound = slot->wr.bind_mw.bind_info.length > 0;
    return IBV_WC_SUCCESS;
}

void invalidate_window(uint32_t key) {
    for (struct fake_mw *mw = windows; mw; mw = mw->next)
        if (mw->key == key && mw->ibv.type == IBV_MW_TYPE_2) mw->bound = false;
}
