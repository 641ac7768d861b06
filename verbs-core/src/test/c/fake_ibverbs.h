/*
 * A libibverbs for unit tests: a software device without kernel or network, which a test scripts through the fake_*
 * calls of script.c. Everything runs under one mutex, so each call sees and leaves a consistent world.
 *
 * Objects are never given back to the allocator: a stale pointer still finds its header, and so the use of a destroyed
 * object is recorded as a violation instead of corrupting memory.
 */
#ifndef FAKE_IBVERBS_H
#define FAKE_IBVERBS_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* verbs.h renames these; here the exported names are defined. */
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

/* Only the ibv_ and fake_ names leave the library. */
#pragma GCC visibility push(hidden)

#define MAX_DEVICES 2
#define GID_TABLE_SIZE 1024
#define MAX_SGE 32
#define MAX_INLINE 1024
#define GRH_BYTES 40
#define WR_FLUSH ((enum ibv_wr_opcode)14) /* of newer headers */

/* Every call that is counted and can be made to fail. Those without the ibv_ prefix are members of verbs_context. */
#define FAKE_FUNCTIONS(X)                                                                                              \
    X(ibv_get_device_list) X(ibv_free_device_list) X(ibv_get_device_name) X(ibv_get_device_guid)                       \
    X(ibv_get_device_index) X(ibv_node_type_str) X(ibv_open_device) X(ibv_close_device) X(ibv_query_device)            \
    X(query_device_ex) X(ibv_query_port) X(query_port) X(ibv_query_gid) X(ibv_query_pkey) X(ibv_get_pkey_index)        \
    X(_ibv_query_gid_ex) X(_ibv_query_gid_table) X(ibv_alloc_pd) X(ibv_dealloc_pd) X(ibv_reg_mr) X(ibv_reg_mr_iova)    \
    X(ibv_reg_mr_iova2) X(ibv_dereg_mr) X(ibv_create_cq) X(ibv_resize_cq) X(ibv_destroy_cq)                            \
    X(ibv_create_comp_channel) X(ibv_destroy_comp_channel) X(ibv_get_cq_event) X(ibv_ack_cq_events)                    \
    X(ibv_get_async_event) X(ibv_ack_async_event) X(ibv_create_srq) X(ibv_modify_srq) X(ibv_query_srq)                 \
    X(ibv_destroy_srq) X(ibv_create_ah) X(ibv_destroy_ah) X(ibv_create_qp) X(ibv_modify_qp) X(ibv_query_qp)            \
    X(ibv_destroy_qp) X(ibv_query_qp_data_in_order) X(ibv_fork_init) X(ibv_is_fork_initialized) X(ibv_post_send)       \
    X(ibv_post_recv) X(ibv_post_srq_recv) X(ibv_poll_cq) X(ibv_req_notify_cq) X(ibv_attach_mcast) X(ibv_detach_mcast)    \
    X(ibv_alloc_mw) X(ibv_bind_mw) X(ibv_dealloc_mw) X(create_cq_ex) X(start_poll) X(next_poll) X(end_poll)            \
    X(modify_cq) X(ibv_reg_dmabuf_mr) X(ibv_advise_mr)                                                                 \
    X(create_qp_ex) X(ibv_wr_complete)

enum function {
#define FAKE_FUNCTION_ID(name) FN_##name,
    FAKE_FUNCTIONS(FAKE_FUNCTION_ID)
#undef FAKE_FUNCTION_ID
    FUNCTION_COUNT
};

enum kind { KIND_LIST, KIND_CONTEXT, KIND_PD, KIND_MR, KIND_CHANNEL, KIND_CQ, KIND_SRQ, KIND_AH, KIND_QP, KIND_MW, KIND_COUNT };

/* Stands directly before the structure the caller knows, so any handle leads to it (see object_of). */
struct object {
    uint64_t magic;
    enum kind kind;
    int id;       /* counts from 1 per kind since the last reset: the name in the log is kind and id */
    bool live;
    int children; /* objects which forbid the destruction of this one */
    struct object *next;
    uint64_t padding[2];
};

struct fake_device {
    struct ibv_device ibv;
    struct ibv_device_attr attr;
    struct ibv_device_attr_ex extended; /* without what is in attr */
    struct ibv_port_attr port;
    struct ibv_gid_entry gids[GID_TABLE_SIZE]; /* ndev_ifindex 0: empty */
    uint32_t gid_port; /* the port that all GIDs are of; another has none */
    int index;
    int references; /* by device lists and open contexts; at 0 the real library frees it */
};

struct fake_list {
    struct object head;
    struct ibv_device *devices[MAX_DEVICES + 1];
};

struct fake_context {
    struct object head;
    struct verbs_context ibv;
    struct fake_device *device;
    int async_read, async_write;
};

struct fake_pd {
    struct object head;
    struct ibv_pd ibv;
    struct fake_context *context;
};

struct fake_mr {
    struct object head;
    struct ibv_mr ibv;
    struct fake_pd *pd;
    uint8_t *memory;
    size_t length;
    uint64_t iova;
    int access;
    uint32_t lkey, rkey;
};

struct fake_mw {
    struct object head;
    struct ibv_mw ibv;
    struct fake_pd *pd;
    uint32_t key; /* the device's: that of the last bind carried out */
    bool bound;
    struct fake_mw *next;
};

struct fake_channel {
    struct object head;
    struct ibv_comp_channel ibv;
    struct fake_context *context;
    int read_end, write_end;
};

struct cqe {
    struct ibv_wc wc;
    struct fake_qp *qp;   /* whose send slots this completion frees when it is polled; NULL: none */
    uint64_t slots_until; /* frees every slot posted before this one */
    uint32_t epoch;
};

enum arming { NOT_ARMED, ARMED_SOLICITED, ARMED_ANY };

struct fake_cq {
    struct object head;
    union {
        struct ibv_cq ibv;
        struct ibv_cq_ex ex; /* begins with the members of ibv_cq */
    };
    struct fake_context *context;
    struct fake_channel *channel;
    void *cq_context;
    struct cqe *ring;
    uint32_t depth;
    uint64_t produced, consumed;
    enum arming arming;
    bool in_section; /* between start_poll and end_poll */
    struct ibv_wc present;
    unsigned events_delivered, events_acknowledged, async_delivered, async_acknowledged;
};

struct recv_slot {
    uint64_t wr_id;
    int num_sge;
    struct ibv_sge sge[MAX_SGE];
};

struct recv_ring {
    struct recv_slot *slots;
    uint32_t depth;
    uint32_t max_sge;
    uint64_t produced, consumed;
};

struct fake_srq {
    struct object head;
    struct ibv_srq ibv;
    struct fake_pd *pd;
    struct recv_ring receives;
    uint32_t limit;
    unsigned async_delivered, async_acknowledged;
};

struct fake_ah {
    struct object head;
    struct ibv_ah ibv;
    struct fake_pd *pd;
    struct ibv_ah_attr attr;
};

struct send_slot {
    uint64_t order; /* of posting, over all queue pairs */
    uint32_t inline_length;
    uint32_t window_key; /* of ibv_mw, as it was when a bind was posted */
    struct ibv_send_wr wr;
    struct ibv_sge sge[MAX_SGE];
    uint8_t *inlined; /* max_inline_data bytes */
};

/* A request in a section of builders. */
struct built {
    struct ibv_send_wr wr;
    struct ibv_sge sge[MAX_SGE];
    uint8_t inlined[MAX_INLINE];
};

/* As rdma-core 45 and newer have it. */
struct extended_qp {
    struct ibv_qp_ex ex;
    void (*wr_flush)(struct ibv_qp_ex *, uint32_t, uint64_t, size_t, uint8_t, uint8_t);
};

struct fake_qp {
    struct object head;
    union {
        struct ibv_qp ibv;
        struct extended_qp extended;
    };
    struct fake_pd *pd;
    struct fake_cq *send_cq, *recv_cq;
    struct fake_srq *srq;
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;
    enum ibv_qp_state state;
    enum ibv_qp_type type;
    uint32_t number;
    uint32_t epoch; /* grows at each RESET: completions from before free no slot of the new life */
    struct send_slot *sends;
    uint8_t *inline_memory;
    uint64_t posted, executed, retired; /* positions in the send ring: retired <= executed <= posted */
    struct recv_ring receives;
    struct fake_qp *peer; /* last one found by number */
    struct fake_qp *next_live;
    bool waits_for_receive;
    int groups; /* multicast groups that it is attached to */
    struct built *built; /* NULL: created without builders */
    uint32_t built_count;
    int build_error;
    bool building;
    unsigned async_delivered, async_acknowledged;
};

#define CONTAINER(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

static inline struct fake_context *context_of(struct ibv_context *context) {
    return CONTAINER(CONTAINER(context, struct verbs_context, context), struct fake_context, ibv);
}

/* What the test asked for; all zero means: behave. */
struct script {
    int devices;
    size_t context_size;       /* verbs_context.sz of contexts opened from now on */
    bool sends_fail_into_sqe; /* of unreliable queue pairs, as the specification has it; else into ERR, as Soft-RoCE does */
    bool absent_peers_succeed; /* sends to a queue pair that is not here complete, with no effect */
    bool early_slots;          /* a send slot is free when it completes, not when its completion is polled */
    bool holding;
    bool round_up;
    bool swallow_notify;
    int fork_status;
    struct ibv_ece ece; /* of each queue pair, until another is set; vendor 0: the device has none */
    uint32_t next_qp_number; /* of the next queue pair; 0: one that was never used */
    int more_send_wr, more_recv_wr, more_sge, more_inline, more_cqe;
    struct {
        bool armed, leave_bad_wr;
        int accept, error, times;
    } refuse_send, refuse_recv;
    struct {
        int status;
        uint32_t vendor_err;
        int skip, count;
    } send_status, recv_status;
    int polls_delayed;
    uint64_t wc_flags;       /* that extended completion queues may have */
    uint64_t missing_reader; /* of these flags extended completion queues have no reader, though they were asked for */
    bool poll_scripted;
    int poll_result;
    char corruption[32]; /* the field that the next creation returns wrong */
    bool op_removed[16];
};

extern struct script script;
extern struct fake_device devices[MAX_DEVICES];
extern struct fake_qp *live_queue_pairs;

/* script.c */
void enter(void);
void leave(void);
int begin(enum function function); /* locks, counts; an errno if the script says that this call fails */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void violation(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool corrupt(const char *field); /* true once if the script wants this field wrong */
const char *name_of(const struct object *object, char buffer[24]);
const char *errno_name(int error);
void record_send(const struct fake_qp *qp, const struct send_slot *slot);
void record_recv(uint32_t qp_num, const struct ibv_recv_wr *wr);
void record_modify(uint32_t qp_num, const struct ibv_qp_attr *attr, int mask);
void record_init(const struct ibv_qp_init_attr *init);
void record_registration(void *address, size_t length, uint64_t iova, int access);
uint32_t scripted_capacity(uint32_t asked, int more);

#define NAME(object) name_of(&(object)->head, (char[24]){0})

/* resources.c */
void *new_object(enum kind kind, size_t size);
void end_object(struct object *object);
int destroyed(const char *call, struct object *object, int error); /* logs, ends unless error, leaves */
void await_acknowledgements(const unsigned *delivered, const unsigned *acknowledged, const char *call,
                            const struct object *object);
bool usable(const void *ibv, enum kind kind, const char *call); /* else a violation is recorded */
bool context_usable(struct ibv_context *context, const char *call);
struct fake_mr *find_mr(uint32_t key, bool remote);
bool mapped(const void *address, size_t length);
void forget_objects(void);
void *find_object(enum kind kind, int id);
int live_objects(enum kind kind);
int raise_async(struct fake_context *context, enum ibv_event_type type, void *element);
bool recv_ring_allocate(struct recv_ring *ring, uint32_t depth, uint32_t max_sge);

/* resources.c, one that goes through the context */
int advise_mr_op(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *list, uint32_t count);

/* windows.c */
struct ibv_mw *alloc_mw_op(struct ibv_pd *pd, enum ibv_mw_type type);
int bind_mw_op(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
int dealloc_mw_op(struct ibv_mw *mw);
enum ibv_wc_status bind_window(const struct send_slot *slot);
void invalidate_window(uint32_t key);
void forget_windows(void);

/* device.c */
void reset_devices(void);

/* builders.c */
struct ibv_qp *create_qp_ex_op(struct ibv_context *context, struct ibv_qp_init_attr_ex *init);

/* datapath.c */
int post_send_op(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
int post_recv_op(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
int post_srq_recv_op(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);
const struct cqe *take_cqe(struct fake_cq *cq); /* the oldest, whose slots are free then; NULL if there is none */
int poll_cq_op(struct ibv_cq *cq, int count, struct ibv_wc *wc);
int req_notify_cq_op(struct ibv_cq *cq, int solicited_only);
void push_cqe(struct fake_cq *cq, const struct cqe *cqe, bool solicited);
void enter_error_state(struct fake_qp *qp);
void fail_after_transfer(struct fake_qp *qp); /* the error state, once the sender's completion is out */
void run_sends(struct fake_qp *qp);
int run_held_sends(int count);

/* extended.c */
struct ibv_cq_ex *create_cq_ex_op(struct ibv_context *context, struct ibv_cq_init_attr_ex *init);
int modify_cq_op(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);

/* transfer.c */
enum outcome { DONE, WAITS };
enum outcome transfer(struct fake_qp *qp, struct send_slot *slot, enum ibv_wc_status *status);
void complete_receive(struct fake_qp *qp, uint64_t wr_id, const struct ibv_wc *wc, bool solicited);

#pragma GCC visibility pop

#endif
