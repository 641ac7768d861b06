/* A libibverbs whose one device does nothing: what is posted has completed at once, with success.
 *
 * Posting costs what it costs on hardware before the wire: a 64-byte descriptor for each request, a store fence, a doorbell
 * word. What is left of a measurement is then the library in front of it. No bytes are moved, and nothing is locked, which
 * leaves the caller nothing to hide behind. One thread at a time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#undef ibv_query_port /* the header's inline version has another type */
#undef ibv_reg_mr

#define CONTAINER(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))
#define GIDS 1

struct descriptor {
    uint32_t opcode, flags, immediate, remote_key;
    uint64_t remote_address, id;
    uint8_t data[32]; /* one address, length and key, or the data itself */
};
_Static_assert(sizeof(struct descriptor) == 64, "as on hardware");

struct completion {
    uint64_t id;
    uint32_t opcode, length, number, status;
};

struct queue {
    struct ibv_cq cq;
    uint32_t mask, produced, consumed;
    volatile uint32_t consumer_record;
    struct completion ring[];
};

struct ring {
    struct descriptor *descriptors;
    uint32_t mask, posted;
    volatile uint32_t doorbell;
};

struct pair {
    struct ibv_qp qp;
    struct ring sends, receives;
};

static struct ibv_device device = {
    .node_type = IBV_NODE_CA,
    .transport_type = IBV_TRANSPORT_IB,
    .name = "null0",
    .dev_name = "uverbs_null0",
    .dev_path = "/sys/class/infiniband_verbs/uverbs_null0",
    .ibdev_path = "/sys/class/infiniband/null0",
};

static uint32_t power_of_two(uint32_t at_least) {
    uint32_t size = 1;
    while (size < at_least) size *= 2;
    return size;
}

/* ---- the data path ---- */

static inline void complete(struct queue *queue, uint64_t id, uint32_t opcode, uint32_t length, uint32_t number) {
    queue->ring[queue->produced++ & queue->mask] = (struct completion){id, opcode, length, number, IBV_WC_SUCCESS};
}

static inline void ring_doorbell(struct ring *ring) {
#ifdef __x86_64__
    __asm__ volatile("sfence" ::: "memory");
#else
    __asm__ volatile("dmb oshst" ::: "memory");
#endif
    ring->doorbell = ring->posted;
}

static const uint8_t completion_opcodes[] = {
    [IBV_WR_RDMA_WRITE] = IBV_WC_RDMA_WRITE, [IBV_WR_RDMA_WRITE_WITH_IMM] = IBV_WC_RDMA_WRITE,
    [IBV_WR_SEND] = IBV_WC_SEND,             [IBV_WR_SEND_WITH_IMM] = IBV_WC_SEND,
    [IBV_WR_RDMA_READ] = IBV_WC_RDMA_READ,
};

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    struct pair *pair = CONTAINER(qp, struct pair, qp);
    struct queue *queue = CONTAINER(qp->send_cq, struct queue, cq);
    for (; wr; wr = wr->next) {
        struct descriptor *descriptor = &pair->sends.descriptors[pair->sends.posted++ & pair->sends.mask];
        if ((unsigned)wr->opcode >= sizeof completion_opcodes || wr->num_sge > 1) {
            *bad = wr;
            return EINVAL;
        }
        descriptor->opcode = wr->opcode;
        descriptor->flags = wr->send_flags;
        descriptor->immediate = wr->imm_data;
        descriptor->remote_address = wr->wr.rdma.remote_addr;
        descriptor->remote_key = wr->wr.rdma.rkey;
        descriptor->id = wr->wr_id;
        uint32_t length = wr->num_sge ? wr->sg_list->length : 0;
        if (length && (wr->send_flags & IBV_SEND_INLINE)) {
            if (length > sizeof descriptor->data) {
                *bad = wr;
                return EINVAL;
            }
            memcpy(descriptor->data, (const void *)(uintptr_t)wr->sg_list->addr, length);
        } else if (length) {
            memcpy(descriptor->data, wr->sg_list, sizeof *wr->sg_list);
        }
        if (wr->send_flags & IBV_SEND_SIGNALED)
            complete(queue, wr->wr_id, completion_opcodes[wr->opcode], length, qp->qp_num);
    }
    ring_doorbell(&pair->sends);
    return 0;
}

static int post_receive(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    struct pair *pair = CONTAINER(qp, struct pair, qp);
    struct queue *queue = CONTAINER(qp->recv_cq, struct queue, cq);
    for (; wr; wr = wr->next) {
        struct descriptor *descriptor = &pair->receives.descriptors[pair->receives.posted++ & pair->receives.mask];
        if (wr->num_sge > 1) {
            *bad = wr;
            return EINVAL;
        }
        if (wr->num_sge) memcpy(descriptor->data, wr->sg_list, sizeof *wr->sg_list);
        complete(queue, wr->wr_id, IBV_WC_RECV, wr->num_sge ? wr->sg_list->length : 0, qp->qp_num);
    }
    ring_doorbell(&pair->receives);
    return 0;
}

static int poll(struct ibv_cq *cq, int entries, struct ibv_wc *wc) {
    struct queue *queue = CONTAINER(cq, struct queue, cq);
    int count = 0;
    for (; count < entries && queue->consumed != queue->produced; count++, wc++) {
        const struct completion *completion = &queue->ring[queue->consumed++ & queue->mask];
        wc->wr_id = completion->id;
        wc->status = completion->status;
        wc->opcode = completion->opcode;
        wc->vendor_err = 0;
        wc->byte_len = completion->length;
        wc->imm_data = 0;
        wc->qp_num = completion->number;
        wc->src_qp = 0;
        wc->wc_flags = 0;
    }
    if (count) queue->consumer_record = queue->consumed;
    return count;
}

static int arm(struct ibv_cq *cq, int solicited_only) {
    (void)cq;
    (void)solicited_only;
    return 0;
}

/* ---- the control path: as much as opening, connecting and closing need ---- */

struct ibv_device **ibv_get_device_list(int *count) {
    struct ibv_device **list = calloc(2, sizeof *list);
    if (list) list[0] = &device;
    if (count) *count = list ? 1 : 0;
    return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

const char *ibv_get_device_name(struct ibv_device *ibv) { return ibv->name; }

__be64 ibv_get_device_guid(struct ibv_device *ibv) {
    (void)ibv;
    return 0;
}

struct ibv_context *ibv_open_device(struct ibv_device *ibv) {
    struct verbs_context *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    all->sz = sizeof *all;
    all->context.device = ibv;
    all->context.cmd_fd = all->context.async_fd = -1;
    all->context.num_comp_vectors = 1;
    all->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
    all->context.ops.post_send = post_send;
    all->context.ops.post_recv = post_receive;
    all->context.ops.poll_cq = poll;
    all->context.ops.req_notify_cq = arm;
    return &all->context;
}

int ibv_close_device(struct ibv_context *context) {
    free(CONTAINER(context, struct verbs_context, context));
    return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes) {
    (void)context;
    *attributes = (struct ibv_device_attr){
        .fw_ver = "0",
        .max_mr_size = UINT64_MAX,
        .max_qp = 1 << 16,
        .max_qp_wr = 1 << 14,
        .max_sge = 1,
        .max_cq = 1 << 16,
        .max_cqe = 1 << 22,
        .max_mr = 1 << 16,
        .max_pd = 1 << 16,
        .max_qp_rd_atom = 16,
        .max_qp_init_rd_atom = 16,
        .max_pkeys = 1,
        .phys_port_cnt = 1,
    };
    return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compatible) {
    struct ibv_port_attr *attributes = (struct ibv_port_attr *)compatible;
    (void)context;
    if (port != 1) return EINVAL;
    memset(attributes, 0, offsetof(struct ibv_port_attr, port_cap_flags2));
    attributes->state = IBV_PORT_ACTIVE;
    attributes->max_mtu = attributes->active_mtu = IBV_MTU_4096;
    attributes->gid_tbl_len = GIDS;
    attributes->max_msg_sz = 1U << 31;
    attributes->pkey_tbl_len = 1;
    attributes->link_layer = IBV_LINK_LAYER_ETHERNET;
    return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *key) {
    (void)context;
    *key = 0xffff;
    return port == 1 && index == 0 ? 0 : -1;
}

static int fill_gid(struct ibv_gid_entry *entry) {
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = 1};
    memset(entry, 0, sizeof *entry);
    memcpy(entry->gid.raw, address, sizeof address);
    entry->port_num = 1;
    entry->gid_type = IBV_GID_TYPE_ROCE_V2;
    entry->ndev_ifindex = 1;
    return 0;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
                      uint32_t flags, size_t size) {
    (void)context;
    return port == 1 && index == 0 && flags == 0 && size >= sizeof *entry ? fill_gid(entry) : ENODATA;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t room, uint32_t flags,
                             size_t size) {
    (void)context;
    if (flags || size < sizeof *entries || room < GIDS) return -EINVAL;
    fill_gid(entries);
    return GIDS;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    if (pd) pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
    free(pd);
    return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access) {
    static uint32_t keys;
    struct ibv_mr *mr = calloc(1, sizeof *mr);
    (void)iova;
    (void)access;
    if (!mr) return NULL;
    mr->context = pd->context;
    mr->pd = pd;
    mr->addr = address;
    mr->length = length;
    mr->lkey = mr->rkey = ++keys;
    return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
    free(mr);
    return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
    (void)context;
    errno = EOPNOTSUPP; /* nothing here ever happens later */
    return NULL;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
    (void)channel;
    return EINVAL;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *user, struct ibv_comp_channel *channel,
                             int vector) {
    uint32_t size = power_of_two(entries);
    struct queue *queue = calloc(1, sizeof *queue + size * sizeof *queue->ring);
    (void)vector;
    if (!queue) return NULL;
    queue->mask = size - 1;
    queue->cq = (struct ibv_cq){.context = context, .cq_context = user, .channel = channel, .cqe = entries};
    return &queue->cq;
}

int ibv_destroy_cq(struct ibv_cq *cq) {
    free(CONTAINER(cq, struct queue, cq));
    return 0;
}

static int open_ring(struct ring *ring, uint32_t depth) {
    uint32_t size = power_of_two(depth);
    ring->mask = size - 1;
    ring->descriptors = aligned_alloc(64, size * sizeof *ring->descriptors);
    return ring->descriptors ? 0 : -1;
}

int ibv_destroy_qp(struct ibv_qp *qp) {
    struct pair *pair = CONTAINER(qp, struct pair, qp);
    free(pair->sends.descriptors);
    free(pair->receives.descriptors);
    free(pair);
    return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init) {
    static uint32_t numbers = 0x100;
    struct pair *pair = calloc(1, sizeof *pair);
    if (!pair) return NULL;
    if (open_ring(&pair->sends, init->cap.max_send_wr) || open_ring(&pair->receives, init->cap.max_recv_wr)) {
        ibv_destroy_qp(&pair->qp);
        errno = ENOMEM;
        return NULL;
    }
    pair->qp.context = pd->context;
    pair->qp.qp_context = init->qp_context;
    pair->qp.pd = pd;
    pair->qp.send_cq = init->send_cq;
    pair->qp.recv_cq = init->recv_cq;
    pair->qp.qp_num = ++numbers;
    pair->qp.qp_type = init->qp_type;
    init->cap.max_inline_data = sizeof pair->sends.descriptors->data;
    return &pair->qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask) {
    if (mask & IBV_QP_STATE) qp->state = attributes->qp_state;
    return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask, struct ibv_qp_init_attr *init) {
    (void)mask;
    memset(init, 0, sizeof *init);
    memset(attributes, 0, sizeof *attributes);
    attributes->qp_state = qp->state;
    return 0;
}
