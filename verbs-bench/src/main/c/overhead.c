/* The C side of the overhead benchmark. */
#include "books.h"

struct bench {
    uint64_t memory, remote_memory;
    uint32_t key, remote_key, count;
    struct pair *pairs;
    struct poller poller;
};

/* ---- what is measured: each returns the sum of the ids, or -1 ---- */

static inline uint64_t offset_of(uint64_t id) { return (id & 63) * 64; }

static inline int64_t take_completions(struct bench *bench) {
    int64_t sum = 0;
    int count = poll_queue(&bench->poller);
    if (count < 0) return -1;
    for (int i = 0; i < count; i++) sum += bench->poller.wc[i].wr_id;
    return sum;
}

static inline void stage(const struct bench *bench, struct pair *pair, uint64_t id, int opcode, int flags,
                         uint32_t length) {
    uint64_t offset = offset_of(id);
    struct ibv_send_wr *wr = stage_send(pair, id, opcode, flags, bench->memory + offset, length, bench->key);
    set_remote(wr, bench->remote_memory + offset, bench->remote_key);
}

static inline int64_t sends(struct bench *bench, int batch, int batches, int opcode, int flags, bool signal,
                            uint32_t length) {
    int64_t sum = 0;
    uint64_t id = 0;
    for (int n = 0; n < batches; n++) {
        struct pair *pair = &bench->pairs[n & (bench->count - 1)];
        for (int i = 0; i < batch; i++, id++) stage(bench, pair, id, opcode, flags, length);
        if (signal) signal_last(pair);
        if (!post_sends(pair)) return -1;
        sum += take_completions(bench);
    }
    return sum;
}

int64_t c_write(struct bench *bench, int batch, int batches) {
    return sends(bench, batch, batches, IBV_WR_RDMA_WRITE, 0, true, 32);
}

int64_t c_write_signaled(struct bench *bench, int batch, int batches) {
    return sends(bench, batch, batches, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED, false, 32);
}

int64_t c_inline(struct bench *bench, int batch, int batches) {
    return sends(bench, batch, batches, IBV_WR_SEND, IBV_SEND_INLINE, true, 32);
}

int64_t c_refill(struct bench *bench, int batch, int batches) {
    int64_t sum = 0;
    uint64_t id = 0;
    for (int n = 0; n < batches; n++) {
        struct pair *pair = &bench->pairs[n & (bench->count - 1)];
        for (int i = 0; i < batch; i++, id++)
            stage_receive(pair, id, bench->memory + offset_of(id), 64, bench->key);
        if (!post_receives(pair)) return -1;
        sum += take_completions(bench);
    }
    return sum;
}

int64_t c_empty_poll(struct bench *bench, int batch, int batches) {
    int64_t sum = 0;
    (void)batch;
    for (int n = 0; n < batches; n++) sum += poll_queue(&bench->poller);
    return sum;
}

/* ---- opening ---- */

struct bench *c_open(struct ibv_cq *cq, struct ibv_qp **qps, uint32_t count, uint32_t depth, uint64_t memory,
                     uint32_t key, uint64_t remote_memory, uint32_t remote_key) {
    struct bench *bench = calloc(1, sizeof *bench);
    *bench = (struct bench){.memory = memory,
                            .remote_memory = remote_memory,
                            .key = key,
                            .remote_key = remote_key,
                            .count = count,
                            .pairs = calloc(count, sizeof *bench->pairs)};
    for (uint32_t n = 0; n < count; n++) {
        open_pair(&bench->pairs[n], qps[n], depth, depth);
        allow_posting(&bench->pairs[n]);
    }
    open_poller(&bench->poller, cq, POLL_CAPACITY, bench->pairs, count);
    return bench;
}
