/* The C side of the overhead benchmark: a careful C program that posts and polls, and keeps the books that Verbs4J keeps.
 *
 * The same requests, linked once, of which the same fields are rewritten; the state is checked before posting, slots are
 * counted against the depth by the batch, completions are credited to their queue pair by its number, and every status is
 * looked at. What it leaves out is what C programs leave out: bounds, owners, lifetimes.
 */
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define POLL_CAPACITY 64

struct slots {
    uint32_t depth, mask, oldest, newest, used, taken, silent;
    uint64_t seen;
    _Atomic uint64_t completed;
    struct run {
        uint32_t first, count;
    } *runs;
};

struct account {
    uint32_t number;
    _Atomic bool may_post;
    struct slots sends, receives;
};

struct end {
    struct ibv_qp *qp;
    struct account account;
    struct ibv_send_wr *sends;
    struct ibv_recv_wr *receives;
    struct ibv_sge *send_pieces, *receive_pieces;
    uint32_t staged, staged_signaled, staged_receives;
};

struct bench {
    struct ibv_cq *cq;
    uint64_t memory, remote_memory;
    uint32_t key, remote_key, ends, mask;
    struct end *end;
    struct account **table;
    struct ibv_wc wc[POLL_CAPACITY];
};

/* ---- books ---- */

static uint32_t above(uint32_t at_least) {
    uint32_t size = 1;
    while (size < at_least) size *= 2;
    return size;
}

static void open_slots(struct slots *slots, uint32_t depth) {
    uint32_t size = above(depth);
    *slots = (struct slots){.depth = depth, .mask = size - 1, .runs = calloc(size, sizeof *slots->runs)};
}

static void reclaim(struct slots *slots) {
    uint64_t now = atomic_load_explicit(&slots->completed, memory_order_acquire);
    uint64_t fresh = now - slots->seen;
    slots->seen = now;
    while (fresh && slots->oldest != slots->newest) {
        struct run *run = &slots->runs[slots->oldest & slots->mask];
        uint64_t step = fresh < run->count - slots->used ? fresh : run->count - slots->used;
        slots->taken -= step + (slots->used ? 0 : run->first - 1);
        slots->used += step;
        fresh -= step;
        if (slots->used == run->count) {
            slots->oldest++;
            slots->used = 0;
        }
    }
}

static inline bool has_room(struct slots *slots, uint32_t count) {
    if (slots->depth - slots->taken <= count) reclaim(slots);
    return slots->depth - slots->taken >= count;
}

static inline void take(struct slots *slots, uint32_t first, uint32_t completions, uint32_t count) {
    slots->runs[slots->newest++ & slots->mask] = (struct run){slots->silent + first, completions};
    slots->taken += count;
    slots->silent = 0;
}

static inline uint32_t hash(uint32_t number, uint32_t mask) { return (number * 0x9e3779b9u >> 16) & mask; }

static inline struct account *find(const struct bench *bench, uint32_t number) {
    for (uint32_t i = hash(number, bench->mask);; i = (i + 1) & bench->mask) {
        struct account *account = bench->table[i];
        if (!account || account->number == number) return account;
    }
}

static inline void publish(struct slots *slots, uint64_t count) {
    uint64_t completed = atomic_load_explicit(&slots->completed, memory_order_relaxed);
    atomic_store_explicit(&slots->completed, completed + count, memory_order_release);
}

/* ---- staging, posting, polling ---- */

static inline void stage_send(const struct bench *bench, struct end *end, uint64_t id, int opcode, int flags,
                              uint64_t offset, uint32_t length) {
    struct ibv_send_wr *wr = &end->sends[end->staged];
    struct ibv_sge *piece = &end->send_pieces[end->staged++];
    wr->wr_id = id;
    wr->num_sge = length ? 1 : 0;
    wr->opcode = opcode;
    wr->send_flags = flags;
    wr->wr.rdma.remote_addr = bench->remote_memory + offset;
    wr->wr.rdma.rkey = bench->remote_key;
    piece->addr = bench->memory + offset;
    piece->length = length;
    piece->lkey = bench->key;
    end->staged_signaled += (flags & IBV_SEND_SIGNALED) != 0;
}

static inline void signal_last(struct end *end) {
    struct ibv_send_wr *last = &end->sends[end->staged - 1];
    if (!(last->send_flags & IBV_SEND_SIGNALED)) {
        last->send_flags |= IBV_SEND_SIGNALED;
        end->staged_signaled++;
    }
}

static inline bool post_sends(struct end *end) {
    uint32_t count = end->staged;
    if (!atomic_load_explicit(&end->account.may_post, memory_order_acquire)) return false;
    if (!has_room(&end->account.sends, count)) return false;
    struct ibv_send_wr *bad = NULL, *last = &end->sends[count - 1];
    last->next = NULL;
    int error = ibv_post_send(end->qp, end->sends, &bad);
    last->next = last + 1;
    if (error) return false;
    uint32_t signaled = end->staged_signaled;
    end->staged = end->staged_signaled = 0;
    if (signaled == count) take(&end->account.sends, 1, count, count);
    else if (signaled == 1 && (last->send_flags & IBV_SEND_SIGNALED)) take(&end->account.sends, count, 1, count);
    else return false; /* the benchmark has no other mixture */
    return true;
}

static inline void stage_receive(const struct bench *bench, struct end *end, uint64_t id, uint64_t offset,
                                 uint32_t length) {
    struct ibv_recv_wr *wr = &end->receives[end->staged_receives];
    struct ibv_sge *piece = &end->receive_pieces[end->staged_receives++];
    wr->wr_id = id;
    wr->num_sge = length ? 1 : 0;
    piece->addr = bench->memory + offset;
    piece->length = length;
    piece->lkey = bench->key;
}

static inline bool post_receives(struct end *end) {
    uint32_t count = end->staged_receives;
    if (!atomic_load_explicit(&end->account.may_post, memory_order_acquire)) return false;
    if (!has_room(&end->account.receives, count)) return false;
    struct ibv_recv_wr *bad = NULL, *last = &end->receives[count - 1];
    last->next = NULL;
    int error = ibv_post_recv(end->qp, end->receives, &bad);
    last->next = last + 1;
    if (error) return false;
    end->staged_receives = 0;
    take(&end->account.receives, 1, count, count);
    return true;
}

static inline int poll(struct bench *bench) {
    int count = ibv_poll_cq(bench->cq, POLL_CAPACITY, bench->wc);
    for (int i = 0; i < count;) {
        uint32_t number = bench->wc[i].qp_num;
        uint64_t sends = 0, receives = 0;
        for (; i < count && bench->wc[i].qp_num == number; i++) {
            if (bench->wc[i].status) return -1;
            if (bench->wc[i].opcode & IBV_WC_RECV) receives++;
            else sends++;
        }
        struct account *account = find(bench, number);
        if (account && sends) publish(&account->sends, sends);
        if (account && receives) publish(&account->receives, receives);
    }
    return count;
}

/* ---- what is measured: each returns the sum of the ids, or -1 ---- */

static inline uint64_t offset_of(uint64_t id) { return (id & 63) * 64; }

static inline int64_t take_completions(struct bench *bench) {
    int64_t sum = 0;
    int count = poll(bench);
    if (count < 0) return -1;
    for (int i = 0; i < count; i++) sum += bench->wc[i].wr_id;
    return sum;
}

static inline int64_t sends(struct bench *bench, int batch, int batches, int opcode, int flags, bool signal,
                            uint32_t length) {
    int64_t sum = 0;
    uint64_t id = 0;
    for (int n = 0; n < batches; n++) {
        struct end *end = &bench->end[n & (bench->ends - 1)];
        for (int i = 0; i < batch; i++, id++) stage_send(bench, end, id, opcode, flags, offset_of(id), length);
        if (signal) signal_last(end);
        if (!post_sends(end)) return -1;
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
        struct end *end = &bench->end[n & (bench->ends - 1)];
        for (int i = 0; i < batch; i++, id++) stage_receive(bench, end, id, offset_of(id), 64);
        if (!post_receives(end)) return -1;
        sum += take_completions(bench);
    }
    return sum;
}

int64_t c_empty_poll(struct bench *bench, int batch, int batches) {
    int64_t sum = 0;
    (void)batch;
    for (int n = 0; n < batches; n++) sum += poll(bench);
    return sum;
}

/* ---- opening ---- */

static void open_end(struct end *end, struct ibv_qp *qp, uint32_t depth) {
    end->qp = qp;
    end->account.number = qp->qp_num;
    open_slots(&end->account.sends, depth);
    open_slots(&end->account.receives, depth);
    atomic_store(&end->account.may_post, true);
    end->sends = calloc(depth + 1, sizeof *end->sends);
    end->receives = calloc(depth + 1, sizeof *end->receives);
    end->send_pieces = calloc(depth, sizeof *end->send_pieces);
    end->receive_pieces = calloc(depth, sizeof *end->receive_pieces);
    for (uint32_t i = 0; i < depth; i++) {
        end->sends[i].next = &end->sends[i + 1];
        end->sends[i].sg_list = &end->send_pieces[i];
        end->receives[i].next = &end->receives[i + 1];
        end->receives[i].sg_list = &end->receive_pieces[i];
    }
}

struct bench *c_open(struct ibv_cq *cq, struct ibv_qp **qps, uint32_t ends, uint32_t depth, uint64_t memory,
                     uint32_t key, uint64_t remote_memory, uint32_t remote_key) {
    struct bench *bench = calloc(1, sizeof *bench);
    *bench = (struct bench){cq, memory, remote_memory, key, remote_key, ends, above(2 * ends) - 1,
                            .end = calloc(ends, sizeof *bench->end)};
    bench->table = calloc(bench->mask + 1, sizeof *bench->table);
    for (uint32_t n = 0; n < ends; n++) {
        open_end(&bench->end[n], qps[n], depth);
        uint32_t i = hash(qps[n]->qp_num, bench->mask);
        while (bench->table[i]) i = (i + 1) & bench->mask;
        bench->table[i] = &bench->end[n].account;
    }
    return bench;
}
