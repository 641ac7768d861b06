/* What a careful C program has between itself and libibverbs, and Verbs4J has too: the C side of the benchmarks.
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

struct pair {
    struct ibv_qp *qp;
    struct account account;
    struct ibv_send_wr *sends;
    struct ibv_recv_wr *receives;
    struct ibv_sge *send_pieces, *receive_pieces;
    uint32_t staged, staged_signaled, staged_receives;
};

struct poller {
    struct ibv_cq *cq;
    struct account **table; /* of the queue pairs that complete here, by their numbers */
    uint32_t mask;
    int capacity;
    struct ibv_wc wc[POLL_CAPACITY], *failed;
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

static inline struct account *find(const struct poller *poller, uint32_t number) {
    for (uint32_t i = hash(number, poller->mask);; i = (i + 1) & poller->mask) {
        struct account *account = poller->table[i];
        if (!account || account->number == number) return account;
    }
}

static inline void publish(struct slots *slots, uint64_t count) {
    uint64_t completed = atomic_load_explicit(&slots->completed, memory_order_relaxed);
    atomic_store_explicit(&slots->completed, completed + count, memory_order_release);
}

/* ---- staging, posting, polling ---- */

static inline struct ibv_send_wr *stage_send(struct pair *pair, uint64_t id, int opcode, int flags, uint64_t address,
                                             uint32_t length, uint32_t key) {
    struct ibv_send_wr *wr = &pair->sends[pair->staged];
    struct ibv_sge *piece = &pair->send_pieces[pair->staged++];
    wr->wr_id = id;
    wr->num_sge = length ? 1 : 0;
    wr->opcode = opcode;
    wr->send_flags = flags;
    piece->addr = address;
    piece->length = length;
    piece->lkey = key;
    pair->staged_signaled += (flags & IBV_SEND_SIGNALED) != 0;
    return wr;
}

static inline void set_remote(struct ibv_send_wr *wr, uint64_t address, uint32_t key) {
    wr->wr.rdma.remote_addr = address;
    wr->wr.rdma.rkey = key;
}

static inline void signal_last(struct pair *pair) {
    struct ibv_send_wr *last = &pair->sends[pair->staged - 1];
    if (!(last->send_flags & IBV_SEND_SIGNALED)) {
        last->send_flags |= IBV_SEND_SIGNALED;
        pair->staged_signaled++;
    }
}

static inline bool post_sends(struct pair *pair) {
    uint32_t count = pair->staged;
    if (!atomic_load_explicit(&pair->account.may_post, memory_order_acquire)) return false;
    if (!has_room(&pair->account.sends, count)) return false;
    struct ibv_send_wr *bad = NULL, *last = &pair->sends[count - 1];
    last->next = NULL;
    int error = ibv_post_send(pair->qp, pair->sends, &bad);
    last->next = last + 1;
    if (error) return false;
    uint32_t signaled = pair->staged_signaled;
    pair->staged = pair->staged_signaled = 0;
    if (signaled == count) take(&pair->account.sends, 1, count, count);
    else if (signaled == 1 && (last->send_flags & IBV_SEND_SIGNALED)) take(&pair->account.sends, count, 1, count);
    else return false; /* the benchmarks have no other mixture */
    return true;
}

static inline void stage_receive(struct pair *pair, uint64_t id, uint64_t address, uint32_t length, uint32_t key) {
    struct ibv_recv_wr *wr = &pair->receives[pair->staged_receives];
    struct ibv_sge *piece = &pair->receive_pieces[pair->staged_receives++];
    wr->wr_id = id;
    wr->num_sge = length ? 1 : 0;
    piece->addr = address;
    piece->length = length;
    piece->lkey = key;
}

static inline bool post_receives(struct pair *pair) {
    uint32_t count = pair->staged_receives;
    if (!atomic_load_explicit(&pair->account.may_post, memory_order_acquire)) return false;
    if (!has_room(&pair->account.receives, count)) return false;
    struct ibv_recv_wr *bad = NULL, *last = &pair->receives[count - 1];
    last->next = NULL;
    int error = ibv_post_recv(pair->qp, pair->receives, &bad);
    last->next = last + 1;
    if (error) return false;
    pair->staged_receives = 0;
    take(&pair->account.receives, 1, count, count);
    return true;
}

/* Returns how many came, or a negative number: then failed is the request that did, if it was not the call itself. */
static inline int poll_queue(struct poller *poller) {
    int count = ibv_poll_cq(poller->cq, poller->capacity, poller->wc);
    for (int i = 0; i < count;) {
        uint32_t number = poller->wc[i].qp_num;
        uint64_t sends = 0, receives = 0;
        for (; i < count && poller->wc[i].qp_num == number; i++) {
            if (poller->wc[i].status) {
                poller->failed = &poller->wc[i];
                return -1;
            }
            if (poller->wc[i].opcode & IBV_WC_RECV) receives++;
            else sends++;
        }
        struct account *account = find(poller, number);
        if (account && sends) publish(&account->sends, sends);
        if (account && receives) publish(&account->receives, receives);
    }
    return count;
}

/* ---- opening ---- */

static void open_pair(struct pair *pair, struct ibv_qp *qp, uint32_t send_depth, uint32_t receive_depth) {
    pair->qp = qp;
    pair->account.number = qp->qp_num;
    open_slots(&pair->account.sends, send_depth);
    open_slots(&pair->account.receives, receive_depth);
    pair->sends = calloc(send_depth + 1, sizeof *pair->sends);
    pair->receives = calloc(receive_depth + 1, sizeof *pair->receives);
    pair->send_pieces = calloc(send_depth, sizeof *pair->send_pieces);
    pair->receive_pieces = calloc(receive_depth, sizeof *pair->receive_pieces);
    for (uint32_t i = 0; i < send_depth; i++) {
        pair->sends[i].next = &pair->sends[i + 1];
        pair->sends[i].sg_list = &pair->send_pieces[i];
    }
    for (uint32_t i = 0; i < receive_depth; i++) {
        pair->receives[i].next = &pair->receives[i + 1];
        pair->receives[i].sg_list = &pair->receive_pieces[i];
    }
}

static void allow_posting(struct pair *pair) { atomic_store(&pair->account.may_post, true); }

static void open_poller(struct poller *poller, struct ibv_cq *cq, int capacity, struct pair *pairs, uint32_t count) {
    poller->cq = cq;
    poller->capacity = capacity;
    poller->mask = above(2 * count) - 1;
    poller->table = calloc(poller->mask + 1, sizeof *poller->table);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = hash(pairs[n].account.number, poller->mask);
        while (poller->table[i]) i = (i + 1) & poller->mask;
        poller->table[i] = &pairs[n].account;
    }
}
