/* Protection domains, memory, completion queues and channels, shared receive queues, address handles, events. */
#include "fake_ibverbs.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0xfab1eb0b5eedf00dULL
#define KNOWN_ACCESS                                                                                                   \
    (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC              \
     | IBV_ACCESS_MW_BIND | IBV_ACCESS_ZERO_BASED | IBV_ACCESS_HUGETLB | IBV_ACCESS_OPTIONAL_RANGE)
#define REMOTE_CHANGE (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)

_Static_assert(sizeof(struct object) % 16 == 0, "a handle must directly follow its header");

static struct object *objects;
static int next_id[KIND_COUNT], live[KIND_COUNT];
static struct fake_mr **memory_regions; /* by key >> 8, grows only */
static uint32_t memory_region_count;

/* ---- the life of objects ---- */

void *new_object(enum kind kind, size_t size) {
    struct object *object = calloc(1, size);
    if (!object) abort();
    *object = (struct object){.magic = MAGIC, .kind = kind, .id = ++next_id[kind], .live = true, .next = objects};
    objects = object;
    live[kind]++;
    return object;
}

void end_object(struct object *object) {
    object->live = false;
    live[object->kind]--;
}

static void release_buffers(struct object *object) {
    if (object->kind == KIND_CQ) {
        struct fake_cq *cq = (struct fake_cq *)object;
        free(cq->ring);
        cq->ring = NULL;
    } else if (object->kind == KIND_SRQ) {
        struct fake_srq *srq = (struct fake_srq *)object;
        free(srq->receives.slots);
        srq->receives.slots = NULL;
    } else if (object->kind == KIND_QP) {
        struct fake_qp *qp = (struct fake_qp *)object;
        free(qp->sends);
        free(qp->inline_memory);
        free(qp->receives.slots);
        qp->sends = NULL;
        qp->inline_memory = NULL;
        qp->receives.slots = NULL;
    }
}

static void close_files(struct object *object) {
    if (object->kind == KIND_CHANNEL) {
        close(((struct fake_channel *)object)->read_end);
        close(((struct fake_channel *)object)->write_end);
    } else if (object->kind == KIND_CONTEXT) {
        close(((struct fake_context *)object)->async_read);
        close(((struct fake_context *)object)->async_write);
    }
}

/* At a reset: what is left over stays recognisable as dead, under the number 0. */
void forget_objects(void) {
    for (struct object *object = objects; object && object->id; object = object->next) {
        if (object->live) {
            close_files(object);
            release_buffers(object);
            end_object(object);
        }
        object->id = 0;
    }
    memset(next_id, 0, sizeof next_id);
    memory_region_count = 0;
    live_queue_pairs = NULL;
    forget_windows();
}

int live_objects(enum kind kind) {
    return live[kind];
}

void *find_object(enum kind kind, int id) {
    for (struct object *object = objects; object && object->id; object = object->next)
        if (object->kind == kind && object->id == id && object->live)
            return kind == KIND_CONTEXT ? (void *)&((struct fake_context *)object)->ibv.context : (void *)(object + 1);
    return NULL;
}

static bool check(const struct object *object, enum kind kind, const char *call) {
    static const char *const names[] = {"device list", "context", "pd", "mr", "channel", "cq", "srq", "ah", "qp", "mw"};
    if (object->magic != MAGIC || object->kind != kind) {
        violation("%s: %p is no %s", call, (const void *)object, names[kind]);
        return false;
    }
    if (object->live) return true;
    violation("%s: use of destroyed %s", call, name_of(object, (char[24]){0}));
    return false;
}

bool usable(const void *ibv, enum kind kind, const char *call) {
    if (ibv) return check((const struct object *)ibv - 1, kind, call);
    violation("%s: NULL handle", call);
    return false;
}

bool context_usable(struct ibv_context *context, const char *call) {
    if (context) return check(&context_of(context)->head, KIND_CONTEXT, call);
    violation("%s: NULL context", call);
    return false;
}

/* Leaves the critical section with what a creator reports. */
static void *created(void *ibv, int error) {
    leave();
    if (!error) return ibv;
    errno = error;
    return NULL;
}

static bool busy(const struct object *object, const char *call) {
    if (!object->children) return false;
    violation("%s %s: busy, %d objects still use it", call, name_of(object, (char[24]){0}), object->children);
    return true;
}

int destroyed(const char *call, struct object *object, int error) {
    if (error) {
        note("%s%s%s -> %s", call, object ? " " : "", object ? name_of(object, (char[24]){0}) : "", errno_name(error));
    } else {
        note("%s %s", call, name_of(object, (char[24]){0}));
        release_buffers(object);
        end_object(object);
    }
    leave();
    return error;
}

/* A destroyer of the real library waits for the acknowledgements of its events, for ever; this one gives up. */
void await_acknowledgements(const unsigned *delivered, const unsigned *acknowledged, const char *call,
                            const struct object *object) {
    for (int i = 0; *delivered != *acknowledged && i < 2000; i++) {
        leave();
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        enter();
    }
    if (*delivered != *acknowledged)
        violation("%s %s: %d events were never acknowledged: the real library waits for ever", call,
                  name_of(object, (char[24]){0}), (int)(*delivered - *acknowledged));
}

/* ---- protection domains ---- */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *ibv) {
    int error = begin(FN_ibv_alloc_pd);
    if (!error && !context_usable(ibv, "ibv_alloc_pd")) error = EINVAL;
    if (error) {
        note("ibv_alloc_pd -> %s", errno_name(error));
        return created(NULL, error);
    }
    struct fake_pd *pd = new_object(KIND_PD, sizeof *pd);
    pd->context = context_of(ibv);
    pd->context->head.children++;
    pd->ibv.context = corrupt("pd.context") ? NULL : ibv;
    pd->ibv.handle = pd->head.id;
    note("ibv_alloc_pd %s -> %s", NAME(pd->context), NAME(pd));
    return created(&pd->ibv, 0);
}

int ibv_dealloc_pd(struct ibv_pd *ibv) {
    int error = begin(FN_ibv_dealloc_pd);
    if (!usable(ibv, KIND_PD, "ibv_dealloc_pd")) return destroyed("ibv_dealloc_pd", NULL, EINVAL);
    struct fake_pd *pd = CONTAINER(ibv, struct fake_pd, ibv);
    if (!error && busy(&pd->head, "ibv_dealloc_pd")) error = EBUSY;
    if (!error) pd->context->head.children--;
    return destroyed("ibv_dealloc_pd", &pd->head, error);
}

/* ---- memory ---- */

bool mapped(const void *address, size_t length) {
    const uintptr_t page = 4096, begin = (uintptr_t)address & ~(page - 1);
    uintptr_t end = (uintptr_t)address + length;
    unsigned char residency[1024];
    if (end < (uintptr_t)address) return false;
    for (uintptr_t at = begin; at < end; at += sizeof residency * page) {
        size_t bytes = end - at < sizeof residency * page ? end - at : sizeof residency * page;
        if (mincore((void *)at, bytes, residency)) return false;
    }
    return true;
}

struct fake_mr *find_mr(uint32_t key, bool remote) {
    uint32_t index = key >> 8;
    struct fake_mr *mr = index < memory_region_count ? memory_regions[index] : NULL;
    return mr && (remote ? mr->rkey : mr->lkey) == key ? mr : NULL;
}

static uint32_t file_memory_region(struct fake_mr *mr) {
    static uint32_t capacity;
    if (memory_region_count == 0) memory_region_count = 1; /* no key is 0 */
    if (memory_region_count + 1 > capacity) {
        capacity = 2 * capacity + 64;
        memory_regions = realloc(memory_regions, capacity * sizeof *memory_regions);
        if (!memory_regions) abort();
        memory_regions[0] = NULL;
    }
    memory_regions[memory_region_count] = mr;
    return memory_region_count++;
}

static struct ibv_mr *register_memory(enum function function, const char *call, struct ibv_pd *ibv, void *address,
                                      size_t length, uint64_t iova, unsigned access) {
    int error = begin(function);
    unsigned known = KNOWN_ACCESS;
    record_registration(address, length, iova, access);
    if (!error && !usable(ibv, KIND_PD, call)) error = EINVAL;
    if (!error && CONTAINER(ibv, struct fake_pd, ibv)->context->device->extended.odp_caps.general_caps & IBV_ODP_SUPPORT)
        known |= IBV_ACCESS_ON_DEMAND;
    if (!error && (access & ~known)) error = access & IBV_ACCESS_ON_DEMAND ? EOPNOTSUPP : EINVAL;
    if (!error && (access & REMOTE_CHANGE) && !(access & IBV_ACCESS_LOCAL_WRITE)) error = EINVAL;
    if (!error && length == 0) error = EINVAL;
    if (!error && live[KIND_MR] >= CONTAINER(ibv, struct fake_pd, ibv)->context->device->attr.max_mr) error = ENOMEM;
    if (!error && length > CONTAINER(ibv, struct fake_pd, ibv)->context->device->attr.max_mr_size) error = EINVAL;
    if (!error && !mapped(address, length)) error = EFAULT;
    if (error) {
        note("%s length=%zu -> %s", call, length, errno_name(error));
        return created(NULL, error);
    }
    struct fake_mr *mr = new_object(KIND_MR, sizeof *mr);
    uint32_t index = file_memory_region(mr);
    mr->pd = CONTAINER(ibv, struct fake_pd, ibv);
    mr->pd->head.children++;
    mr->memory = address;
    mr->length = length;
    mr->iova = iova;
    mr->access = (int)access;
    mr->lkey = index << 8 | 0x11; /* never equal: mixing them up must show */
    mr->rkey = index << 8 | 0x22;
    mr->ibv = (struct ibv_mr){.context = corrupt("mr.context") ? NULL : &mr->pd->context->ibv.context,
                              .pd = corrupt("mr.pd") ? NULL : ibv,
                              .addr = corrupt("mr.addr") ? (char *)address + 8 : address,
                              .length = corrupt("mr.length") ? length + 1 : length,
                              .handle = index,
                              .lkey = corrupt("mr.lkey") ? ~mr->lkey : mr->lkey,
                              .rkey = corrupt("mr.rkey") ? ~mr->rkey : mr->rkey};
    note("%s %s length=%zu access=0x%x -> %s", call, NAME(mr->pd), length, access, NAME(mr));
    return created(&mr->ibv, 0);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
    return register_memory(FN_ibv_reg_mr, "ibv_reg_mr", pd, address, length, (uintptr_t)address, (unsigned)access);
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, int access) {
    return register_memory(FN_ibv_reg_mr_iova, "ibv_reg_mr_iova", pd, address, length, iova, (unsigned)access);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access) {
    return register_memory(FN_ibv_reg_mr_iova2, "ibv_reg_mr_iova2", pd, address, length, iova, access);
}

/* The buffer is nowhere: nothing can be moved through it. */
struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *ibv, uint64_t offset, size_t length, uint64_t iova, int fd, int access) {
    int error = begin(FN_ibv_reg_dmabuf_mr);
    if (!error && !usable(ibv, KIND_PD, "ibv_reg_dmabuf_mr")) error = EINVAL;
    if (error) {
        note("ibv_reg_dmabuf_mr -> %s", errno_name(error));
        return created(NULL, error);
    }
    struct fake_mr *mr = new_object(KIND_MR, sizeof *mr);
    uint32_t index = file_memory_region(mr);
    mr->pd = CONTAINER(ibv, struct fake_pd, ibv);
    mr->pd->head.children++;
    mr->lkey = index << 8 | 0x11;
    mr->rkey = index << 8 | 0x22;
    mr->ibv = (struct ibv_mr){.context = ibv->context,
                              .pd = ibv,
                              .addr = (void *)(uintptr_t)offset,
                              .length = length,
                              .handle = index,
                              .lkey = mr->lkey,
                              .rkey = mr->rkey};
    note("ibv_reg_dmabuf_mr %s offset=0x%llx length=%zu iova=0x%llx fd=%d access=0x%x -> %s", NAME(mr->pd),
         (unsigned long long)offset, length, (unsigned long long)iova, fd, access, NAME(mr));
    return created(&mr->ibv, 0);
}

int advise_mr_op(struct ibv_pd *ibv, enum ibv_advise_mr_advice advice, uint32_t flags, struct ibv_sge *list,
                 uint32_t count) {
    int error = begin(FN_ibv_advise_mr);
    if (!error && !usable(ibv, KIND_PD, "ibv_advise_mr")) error = EINVAL;
    for (uint32_t i = 0; !error && i < count; i++)
        note("ibv_advise_mr %s advice=%d flags=%u addr=0x%llx length=%u lkey=0x%x",
             NAME(CONTAINER(ibv, struct fake_pd, ibv)), (int)advice, flags, (unsigned long long)list[i].addr,
             list[i].length, list[i].lkey);
    leave();
    return error;
}

int ibv_dereg_mr(struct ibv_mr *ibv) {
    int error = begin(FN_ibv_dereg_mr);
    if (!usable(ibv, KIND_MR, "ibv_dereg_mr")) return destroyed("ibv_dereg_mr", NULL, EINVAL);
    struct fake_mr *mr = CONTAINER(ibv, struct fake_mr, ibv);
    if (!mapped(mr->memory, mr->length)) violation("ibv_dereg_mr %s: its memory was unmapped before", NAME(mr));
    if (!error) {
        memory_regions[mr->lkey >> 8] = NULL;
        mr->pd->head.children--;
    }
    return destroyed("ibv_dereg_mr", &mr->head, error);
}

/* ---- completion channels and queues ---- */

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *ibv) {
    int error = begin(FN_ibv_create_comp_channel);
    int ends[2];
    if (!error && !context_usable(ibv, "ibv_create_comp_channel")) error = EINVAL;
    if (!error && pipe2(ends, O_CLOEXEC)) error = errno;
    if (error) {
        note("ibv_create_comp_channel -> %s", errno_name(error));
        return created(NULL, error);
    }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    struct fake_channel *channel = new_object(KIND_CHANNEL, sizeof *channel);
    channel->context = context_of(ibv);
    channel->context->head.children++;
    channel->read_end = ends[0];
    channel->write_end = ends[1];
    channel->ibv = (struct ibv_comp_channel){.context = corrupt("channel.context") ? NULL : ibv, .fd = ends[0]};
    note("ibv_create_comp_channel %s -> %s", NAME(channel->context), NAME(channel));
    return created(&channel->ibv, 0);
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *ibv) {
    int error = begin(FN_ibv_destroy_comp_channel);
    if (!usable(ibv, KIND_CHANNEL, "ibv_destroy_comp_channel"))
        return destroyed("ibv_destroy_comp_channel", NULL, EINVAL);
    struct fake_channel *channel = CONTAINER(ibv, struct fake_channel, ibv);
    if (!error && busy(&channel->head, "ibv_destroy_comp_channel")) error = EBUSY;
    if (!error) {
        close_files(&channel->head);
        channel->context->head.children--;
    }
    return destroyed("ibv_destroy_comp_channel", &channel->head, error);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *ibv, int cqe, void *cq_context, struct ibv_comp_channel *channel,
                             int vector) {
    int error = begin(FN_ibv_create_cq);
    if (!error && !context_usable(ibv, "ibv_create_cq")) error = EINVAL;
    if (!error && channel && !usable(channel, KIND_CHANNEL, "ibv_create_cq")) error = EINVAL;
    if (!error && (cqe < 1 || cqe > context_of(ibv)->device->attr.max_cqe)) error = EINVAL;
    if (!error && (vector < 0 || vector >= ibv->num_comp_vectors)) error = EINVAL;
    if (error) {
        note("ibv_create_cq cqe=%d vector=%d -> %s", cqe, vector, errno_name(error));
        return created(NULL, error);
    }
    struct fake_cq *cq = new_object(KIND_CQ, sizeof *cq);
    cq->context = context_of(ibv);
    cq->context->head.children++;
    cq->channel = channel ? CONTAINER(channel, struct fake_channel, ibv) : NULL;
    if (cq->channel) {
        cq->channel->head.children++;
        channel->refcnt++;
    }
    cq->cq_context = cq_context;
    cq->depth = scripted_capacity((uint32_t)cqe, script.more_cqe);
    cq->ring = calloc(cq->depth, sizeof *cq->ring);
    if (!cq->ring) abort();
    cq->ibv.context = corrupt("cq.context") ? NULL : ibv;
    cq->ibv.channel = corrupt("cq.channel") ? (void *)cq : channel;
    cq->ibv.cq_context = corrupt("cq.cq_context") ? (void *)cq : cq_context;
    cq->ibv.handle = cq->head.id;
    cq->ibv.cqe = (int)cq->depth;
    note("ibv_create_cq %s cqe=%d %s vector=%d -> %s", NAME(cq->context), cqe,
         cq->channel ? NAME(cq->channel) : "no channel", vector, NAME(cq));
    return created(&cq->ibv, 0);
}

int ibv_resize_cq(struct ibv_cq *ibv, int cqe) {
    int error = begin(FN_ibv_resize_cq);
    if (!error && !usable(ibv, KIND_CQ, "ibv_resize_cq")) error = EINVAL;
    struct fake_cq *cq = error ? NULL : CONTAINER(ibv, struct fake_cq, ibv);
    if (cq && (cqe < 1 || cqe > cq->context->device->attr.max_cqe || (uint64_t)cqe < cq->produced - cq->consumed))
        error = EINVAL;
    if (!error) {
        struct cqe *ring = calloc((size_t)cqe, sizeof *ring);
        if (!ring) abort();
        for (uint64_t i = cq->consumed; i < cq->produced; i++) ring[i % (uint64_t)cqe] = cq->ring[i % cq->depth];
        free(cq->ring);
        cq->ring = ring;
        cq->depth = (uint32_t)cqe;
        cq->ibv.cqe = cqe;
        note("ibv_resize_cq %s cqe=%d", NAME(cq), cqe);
    }
    leave();
    return error;
}

int ibv_destroy_cq(struct ibv_cq *ibv) {
    int error = begin(FN_ibv_destroy_cq);
    if (!usable(ibv, KIND_CQ, "ibv_destroy_cq")) return destroyed("ibv_destroy_cq", NULL, EINVAL);
    struct fake_cq *cq = CONTAINER(ibv, struct fake_cq, ibv);
    if (!error && busy(&cq->head, "ibv_destroy_cq")) error = EBUSY;
    if (!error) {
        await_acknowledgements(&cq->events_delivered, &cq->events_acknowledged, "ibv_destroy_cq", &cq->head);
        await_acknowledgements(&cq->async_delivered, &cq->async_acknowledged, "ibv_destroy_cq", &cq->head);
        if (cq->channel) {
            cq->channel->head.children--;
            cq->channel->ibv.refcnt--;
        }
        cq->context->head.children--;
    }
    return destroyed("ibv_destroy_cq", &cq->head, error);
}

int ibv_get_cq_event(struct ibv_comp_channel *ibv, struct ibv_cq **cq, void **cq_context) {
    int error = begin(FN_ibv_get_cq_event);
    if (!error && !usable(ibv, KIND_CHANNEL, "ibv_get_cq_event")) error = EINVAL;
    leave();
    struct fake_cq *found;
    while (!error) {
        if (read(ibv->fd, &found, sizeof found) != sizeof found) {
            error = errno ? errno : EIO;
            break;
        }
        enter();
        bool live_one = found->head.live; /* the kernel drops the events of a destroyed queue */
        if (live_one) {
            found->events_delivered++;
            *cq = &found->ibv;
            *cq_context = found->cq_context;
        }
        leave();
        if (live_one) return 0;
    }
    errno = error;
    return -1;
}

void ibv_ack_cq_events(struct ibv_cq *ibv, unsigned count) {
    begin(FN_ibv_ack_cq_events);
    if (usable(ibv, KIND_CQ, "ibv_ack_cq_events")) {
        struct fake_cq *cq = CONTAINER(ibv, struct fake_cq, ibv);
        cq->events_acknowledged += count;
        if (cq->events_acknowledged > cq->events_delivered)
            violation("ibv_ack_cq_events %s: %u more than were delivered", NAME(cq),
                      cq->events_acknowledged - cq->events_delivered);
    }
    leave();
}

/* ---- asynchronous events ---- */

static unsigned *async_counter(const struct ibv_async_event *event, bool acknowledged) {
    switch (event->event_type) {
    case IBV_EVENT_CQ_ERR: {
        struct fake_cq *cq = CONTAINER(event->element.cq, struct fake_cq, ibv);
        return acknowledged ? &cq->async_acknowledged : &cq->async_delivered;
    }
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED: {
        struct fake_qp *qp = CONTAINER(event->element.qp, struct fake_qp, ibv);
        return acknowledged ? &qp->async_acknowledged : &qp->async_delivered;
    }
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED: {
        struct fake_srq *srq = CONTAINER(event->element.srq, struct fake_srq, ibv);
        return acknowledged ? &srq->async_acknowledged : &srq->async_delivered;
    }
    default:
        return NULL; /* of a port or of the device */
    }
}

int raise_async(struct fake_context *context, enum ibv_event_type type, void *element) {
    struct ibv_async_event event;
    memset(&event, 0, sizeof event); /* the padding is written too */
    event.element.cq = element;
    event.event_type = type;
    return write(context->async_write, &event, sizeof event) == sizeof event ? 0 : errno;
}

int ibv_get_async_event(struct ibv_context *ibv, struct ibv_async_event *event) {
    int error = begin(FN_ibv_get_async_event);
    if (!error && !context_usable(ibv, "ibv_get_async_event")) error = EINVAL;
    leave();
    if (!error && read(ibv->async_fd, event, sizeof *event) != sizeof *event) error = errno ? errno : EIO;
    if (error) {
        errno = error;
        return -1;
    }
    enter();
    unsigned *delivered = async_counter(event, false);
    if (delivered) ++*delivered;
    leave();
    return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event) {
    begin(FN_ibv_ack_async_event);
    unsigned *acknowledged = async_counter(event, true), *delivered = async_counter(event, false);
    if (acknowledged && ++*acknowledged > *delivered) violation("ibv_ack_async_event: more than were delivered");
    leave();
}

/* ---- shared receive queues ---- */

bool recv_ring_allocate(struct recv_ring *ring, uint32_t depth, uint32_t max_sge) {
    ring->depth = depth;
    ring->max_sge = max_sge;
    ring->slots = calloc(depth ? depth : 1, sizeof *ring->slots);
    return ring->slots;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *ibv, struct ibv_srq_init_attr *init) {
    int error = begin(FN_ibv_create_srq);
    if (!error && !usable(ibv, KIND_PD, "ibv_create_srq")) error = EINVAL;
    struct fake_pd *pd = error ? NULL : CONTAINER(ibv, struct fake_pd, ibv);
    struct ibv_srq_attr *asked = &init->attr;
    if (pd && (asked->max_wr == 0 || asked->max_wr > (uint32_t)pd->context->device->attr.max_srq_wr
               || asked->max_sge > (uint32_t)pd->context->device->attr.max_srq_sge))
        error = EINVAL;
    if (error) {
        note("ibv_create_srq max_wr=%u max_sge=%u -> %s", asked->max_wr, asked->max_sge, errno_name(error));
        return created(NULL, error);
    }
    struct fake_srq *srq = new_object(KIND_SRQ, sizeof *srq);
    srq->pd = pd;
    pd->head.children++;
    note("ibv_create_srq %s max_wr=%u max_sge=%u srq_limit=%u -> %s", NAME(pd), asked->max_wr, asked->max_sge,
         asked->srq_limit, NAME(srq));
    asked->max_wr = scripted_capacity(asked->max_wr, script.more_recv_wr);
    asked->max_sge = scripted_capacity(asked->max_sge, script.more_sge);
    if (asked->max_sge > MAX_SGE) asked->max_sge = MAX_SGE;
    if (!recv_ring_allocate(&srq->receives, asked->max_wr, asked->max_sge)) abort();
    srq->ibv.context = corrupt("srq.context") ? NULL : &pd->context->ibv.context;
    srq->ibv.srq_context = init->srq_context;
    srq->ibv.pd = corrupt("srq.pd") ? NULL : ibv;
    srq->ibv.handle = srq->head.id;
    return created(&srq->ibv, 0);
}

static int check_srq_change(const struct fake_srq *srq, const struct ibv_srq_attr *attr, int mask) {
    const struct recv_ring *ring = &srq->receives;
    const uint32_t largest = (uint32_t)srq->pd->context->device->attr.max_srq_wr;
    if ((mask & IBV_SRQ_MAX_WR)
        && (attr->max_wr == 0 || attr->max_wr > largest || attr->max_wr < ring->produced - ring->consumed))
        return EINVAL;
    return (mask & IBV_SRQ_LIMIT) && attr->srq_limit > ring->depth ? EINVAL : 0;
}

static void resize_recv_ring(struct recv_ring *ring, uint32_t depth) {
    struct recv_ring larger = *ring;
    if (!recv_ring_allocate(&larger, depth, ring->max_sge)) abort();
    for (uint64_t i = ring->consumed; i < ring->produced; i++) larger.slots[i % depth] = ring->slots[i % ring->depth];
    free(ring->slots);
    *ring = larger;
}

int ibv_modify_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attr, int mask) {
    int error = begin(FN_ibv_modify_srq);
    if (!error && !usable(ibv, KIND_SRQ, "ibv_modify_srq")) error = EINVAL;
    struct fake_srq *srq = error ? NULL : CONTAINER(ibv, struct fake_srq, ibv);
    if (!error) error = check_srq_change(srq, attr, mask);
    note("ibv_modify_srq mask=%d max_wr=%u max_sge=%u srq_limit=%u -> %s", mask, attr->max_wr, attr->max_sge,
         attr->srq_limit, error ? errno_name(error) : NAME(srq));
    if (!error && (mask & IBV_SRQ_MAX_WR))
        resize_recv_ring(&srq->receives, scripted_capacity(attr->max_wr, script.more_recv_wr));
    if (!error && (mask & IBV_SRQ_LIMIT)) srq->limit = attr->srq_limit;
    leave();
    return error;
}

int ibv_query_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attr) {
    int error = begin(FN_ibv_query_srq);
    if (!error && !usable(ibv, KIND_SRQ, "ibv_query_srq")) error = EINVAL;
    if (!error) {
        const struct fake_srq *srq = CONTAINER(ibv, struct fake_srq, ibv);
        *attr = (struct ibv_srq_attr){srq->receives.depth, srq->receives.max_sge, srq->limit};
    }
    leave();
    return error;
}

int ibv_destroy_srq(struct ibv_srq *ibv) {
    int error = begin(FN_ibv_destroy_srq);
    if (!usable(ibv, KIND_SRQ, "ibv_destroy_srq")) return destroyed("ibv_destroy_srq", NULL, EINVAL);
    struct fake_srq *srq = CONTAINER(ibv, struct fake_srq, ibv);
    if (!error && busy(&srq->head, "ibv_destroy_srq")) error = EBUSY;
    if (!error) {
        await_acknowledgements(&srq->async_delivered, &srq->async_acknowledged, "ibv_destroy_srq", &srq->head);
        srq->pd->head.children--;
    }
    return destroyed("ibv_destroy_srq", &srq->head, error);
}

/* ---- address handles ---- */

struct ibv_ah *ibv_create_ah(struct ibv_pd *ibv, struct ibv_ah_attr *attr) {
    int error = begin(FN_ibv_create_ah);
    if (!error && !usable(ibv, KIND_PD, "ibv_create_ah")) error = EINVAL;
    struct fake_pd *pd = error ? NULL : CONTAINER(ibv, struct fake_pd, ibv);
    if (pd
        && (attr->port_num != 1 || !attr->is_global
            || !pd->context->device->gids[attr->grh.sgid_index].ndev_ifindex))
        error = EINVAL;
    if (error) {
        note("ibv_create_ah -> %s", errno_name(error));
        return created(NULL, error);
    }
    struct fake_ah *ah = new_object(KIND_AH, sizeof *ah);
    ah->pd = pd;
    pd->head.children++;
    ah->attr = *attr;
    ah->ibv = (struct ibv_ah){.context = &pd->context->ibv.context, .pd = ibv, .handle = (uint32_t)ah->head.id};
    note("ibv_create_ah %s -> %s", NAME(pd), NAME(ah));
    return created(&ah->ibv, 0);
}

int ibv_destroy_ah(struct ibv_ah *ibv) {
    int error = begin(FN_ibv_destroy_ah);
    if (!usable(ibv, KIND_AH, "ibv_destroy_ah")) return destroyed("ibv_destroy_ah", NULL, EINVAL);
    struct fake_ah *ah = CONTAINER(ibv, struct fake_ah, ibv);
    if (!error) ah->pd->head.children--;
    return destroyed("ibv_destroy_ah", &ah->head, error);
}
