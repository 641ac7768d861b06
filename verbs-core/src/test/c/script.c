/* The face towards the test: scripted failures, what was recorded, the log of control calls. */
#include "fake_ibverbs.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDS 1024

struct text {
    char *bytes, *snapshot;
    size_t length, capacity;
};

struct function_state {
    const char *name;
    uint64_t calls;
    int error, skip, times;
};

/* Read by FakeVerbs.java at fixed offsets. */
struct sent {
    uint32_t qp_num, num_sge, inline_length, reserved;
    struct ibv_send_wr wr;
    struct ibv_sge sge[MAX_SGE];
    uint8_t inlined[MAX_INLINE];
};

struct received {
    uint32_t qp_num, num_sge;
    struct ibv_recv_wr wr;
    struct ibv_sge sge[MAX_SGE];
};

struct modified {
    uint32_t qp_num, mask;
    struct ibv_qp_attr attr;
};

struct registration {
    uint64_t address, length, iova, access;
};

_Static_assert(offsetof(struct sent, wr) == 16 && offsetof(struct sent, sge) == 144
                   && offsetof(struct sent, inlined) == 656 && offsetof(struct received, wr) == 8
                   && offsetof(struct received, sge) == 40 && offsetof(struct modified, attr) == 8
                   && sizeof(struct ibv_qp_attr) == 144 && sizeof(struct ibv_qp_init_attr) == 64
                   && sizeof(struct ibv_wc) == 48,
               "offsets used by the Java side");

struct script script;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct text log_text, violation_text;
static struct sent sent[RECORDS];
static struct received received[RECORDS];
static struct modified modified[RECORDS];
static uint64_t sent_count, received_count, modified_count;
static struct ibv_qp_init_attr last_init;
static struct registration last_registration;

static struct function_state functions[FUNCTION_COUNT] = {
#define FAKE_FUNCTION_NAME(function) {.name = #function},
    FAKE_FUNCTIONS(FAKE_FUNCTION_NAME)
#undef FAKE_FUNCTION_NAME
};

void enter(void) {
    pthread_mutex_lock(&lock);
}

void leave(void) {
    pthread_mutex_unlock(&lock);
}

/* Where one call waits in the kernel, as others go on: a pipe that nobody writes to for now. */
static struct {
    struct function_state *_Atomic function; /* whose next call waits; NULL: none */
    atomic_bool occupied;
    int read_end, write_end;
} barrier;

static void wait_at_barrier(struct function_state *state) {
    if (!atomic_compare_exchange_strong(&barrier.function, &(struct function_state *){state}, NULL)) return;
    char byte;
    barrier.occupied = true;
    while (read(barrier.read_end, &byte, 1) < 0 && errno == EINTR) continue;
    barrier.occupied = false;
}

int begin(enum function function) {
    struct function_state *state = &functions[function];
    wait_at_barrier(state);
    enter();
    state->calls++;
    if (state->times == 0) return 0;
    if (state->skip > 0) {
        state->skip--;
        return 0;
    }
    if (state->times > 0) state->times--;
    return state->error;
}

static void append_line(struct text *text, const char *format, va_list arguments) {
    char line[512];
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    if (length > (int)sizeof line - 2) length = sizeof line - 2;
    line[length++] = '\n';
    if (text->length + length + 1 > text->capacity) {
        text->capacity = 2 * text->capacity + 4096;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes) abort();
    }
    memcpy(text->bytes + text->length, line, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_line(&log_text, format, arguments);
    va_end(arguments);
}

void violation(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_line(&violation_text, format, arguments);
    va_end(arguments);
}

bool corrupt(const char *field) {
    if (strcmp(script.corruption, field)) return false;
    script.corruption[0] = 0;
    return true;
}

static const char *const kind_names[KIND_COUNT] = {"list", "context", "pd", "mr", "channel", "cq", "srq", "ah", "qp", "mw"};

const char *name_of(const struct object *object, char buffer[24]) {
    snprintf(buffer, 24, "%s%d", kind_names[object->kind], object->id);
    return buffer;
}

const char *errno_name(int error) {
    const char *name = strerrorname_np(error);
    return name ? name : "unknown errno";
}

uint32_t scripted_capacity(uint32_t asked, int more) {
    uint32_t granted = asked + more;
    if (!script.round_up || granted == 0) return granted;
    uint32_t rounded = 1;
    while (rounded < granted) rounded <<= 1;
    return rounded;
}

void record_send(const struct fake_qp *qp, const struct send_slot *slot) {
    struct sent *record = &sent[sent_count++ % RECORDS];
    record->qp_num = qp->number;
    record->num_sge = slot->wr.num_sge;
    record->inline_length = slot->inline_length;
    record->wr = slot->wr;
    memcpy(record->sge, slot->sge, slot->wr.num_sge * sizeof(struct ibv_sge));
    if (slot->inline_length) memcpy(record->inlined, slot->inlined, slot->inline_length);
}

void record_recv(uint32_t qp_num, const struct ibv_recv_wr *wr) {
    struct received *record = &received[received_count++ % RECORDS];
    record->qp_num = qp_num;
    record->num_sge = wr->num_sge;
    record->wr = *wr;
    if (wr->num_sge) memcpy(record->sge, wr->sg_list, wr->num_sge * sizeof(struct ibv_sge));
}

void record_modify(uint32_t qp_num, const struct ibv_qp_attr *attr, int mask) {
    modified[modified_count++ % RECORDS] = (struct modified){.qp_num = qp_num, .mask = mask, .attr = *attr};
}

void record_init(const struct ibv_qp_init_attr *init) {
    last_init = *init;
}

void record_registration(void *address, size_t length, uint64_t iova, int access) {
    last_registration = (struct registration){(uintptr_t)address, length, iova, (uint32_t)access};
}

/* ---- exported to the test ---- */

void fake_reset(void) {
    enter();
    forget_objects();
    reset_devices();
    memset(&script, 0, sizeof script);
    script.devices = 1;
    script.context_size = sizeof(struct verbs_context);
    script.wc_flags = IBV_WC_STANDARD_FLAGS;
    script.fork_status = IBV_FORK_UNNEEDED;
    for (int i = 0; i < FUNCTION_COUNT; i++) functions[i] = (struct function_state){.name = functions[i].name};
    log_text.length = violation_text.length = 0;
    sent_count = received_count = modified_count = 0;
    memset(&last_init, 0, sizeof last_init);
    memset(&last_registration, 0, sizeof last_registration);
    leave();
}

__attribute__((constructor)) static void begin_clean(void) {
    fake_reset();
}

static struct function_state *find_function(const char *name) {
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (!strcmp(functions[i].name, name)) return &functions[i];
    return NULL;
}

static enum kind find_kind(const char *name) {
    enum kind kind = 0;
    while (kind < KIND_COUNT && strcmp(kind_names[kind], name)) kind++;
    return kind;
}

/* After `skip` more calls, `times` calls (-1: all) fail with `error`. -1 if there is no such function. */
int fake_fail(const char *function, int error, int skip, int times) {
    struct function_state *state = find_function(function);
    if (!state) return -1;
    enter();
    state->error = error;
    state->skip = skip;
    state->times = times;
    leave();
    return 0;
}

/* The next call waits in read(2) until fake_lift_barrier. -1 if there is no such function, or no pipe. */
int fake_raise_barrier(const char *function) {
    struct function_state *state = find_function(function);
    int ends[2];
    if (!state || pipe(ends)) return -1;
    barrier.read_end = ends[0];
    barrier.write_end = ends[1];
    barrier.function = state;
    return 0;
}

int fake_waits_at_barrier(void) {
    return barrier.occupied;
}

void fake_lift_barrier(void) {
    close(barrier.write_end); /* which ends the read */
}

int64_t fake_calls(const char *function) {
    struct function_state *state = find_function(function);
    if (!state) return -1;
    enter();
    int64_t calls = state->calls;
    leave();
    return calls;
}

/* `accept` more work requests go, then `times` calls (-1: all) are cut short with `error`. */
void fake_refuse(int receives, int accept, int error, int leave_bad_wr, int times) {
    enter();
    if (receives) {
        script.refuse_recv.armed = times != 0;
        script.refuse_recv.leave_bad_wr = leave_bad_wr;
        script.refuse_recv.accept = accept;
        script.refuse_recv.error = error;
        script.refuse_recv.times = times;
    } else {
        script.refuse_send.armed = times != 0;
        script.refuse_send.leave_bad_wr = leave_bad_wr;
        script.refuse_send.accept = accept;
        script.refuse_send.error = error;
        script.refuse_send.times = times;
    }
    leave();
}

/* After `skip` more work requests of that side, `count` of them complete with `status`. */
void fake_complete_with(int receives, int status, uint32_t vendor_err, int skip, int count) {
    enter();
    if (receives) {
        script.recv_status.status = status;
        script.recv_status.vendor_err = vendor_err;
        script.recv_status.skip = skip;
        script.recv_status.count = count;
    } else {
        script.send_status.status = status;
        script.send_status.vendor_err = vendor_err;
        script.send_status.skip = skip;
        script.send_status.count = count;
    }
    leave();
}

void fake_hold(void) {
    enter();
    script.holding = true;
    leave();
}

/* Carries out up to `count` held sends in the order of posting; returns how many. */
int fake_release(int count) {
    enter();
    int released = run_held_sends(count);
    leave();
    return released;
}

int fake_resume(void) {
    enter();
    int released = run_held_sends(INT32_MAX);
    script.holding = false;
    leave();
    return released;
}

void fake_push_completion(struct ibv_cq *cq, const struct ibv_wc *wc) {
    enter();
    if (usable(cq, KIND_CQ, "fake_push_completion"))
        push_cqe(CONTAINER(cq, struct fake_cq, ibv), &(struct cqe){.wc = *wc}, false);
    leave();
}

int fake_raise_event(struct ibv_context *context, int type, void *element) {
    enter();
    int error = context_usable(context, "fake_raise_event") ? raise_async(context_of(context), type, element) : EINVAL;
    leave();
    return error;
}

void fake_delay_polls(int polls) {
    enter();
    script.polls_delayed = polls;
    leave();
}

void fake_next_poll_returns(int result) {
    enter();
    script.poll_scripted = true;
    script.poll_result = result;
    leave();
}

void fake_grant_more(int send_wr, int recv_wr, int sge, int inline_bytes, int cqe) {
    enter();
    script.more_send_wr = send_wr;
    script.more_recv_wr = recv_wr;
    script.more_sge = sge;
    script.more_inline = inline_bytes;
    script.more_cqe = cqe;
    leave();
}

void fake_corrupt(const char *field) {
    enter();
    snprintf(script.corruption, sizeof script.corruption, "%s", field);
    leave();
}

/* 1 if the corruption asked for has not happened yet. */
int fake_corruption_pending(void) {
    return script.corruption[0] != 0;
}

/* Sets a number of the script by name; -1 if there is none. */
int fake_set(const char *name, int64_t value) {
    int result = 0;
    enter();
    if (!strcmp(name, "devices")) script.devices = (int)value;
    else if (!strcmp(name, "context_size")) script.context_size = (size_t)value;
    else if (!strcmp(name, "sends_fail_into_sqe")) script.sends_fail_into_sqe = value;
    else if (!strcmp(name, "absent_peers_succeed")) script.absent_peers_succeed = value;
    else if (!strcmp(name, "early_slots")) script.early_slots = value;
    else if (!strcmp(name, "round_up")) script.round_up = value;
    else if (!strcmp(name, "fork_status")) script.fork_status = (int)value;
    else if (!strcmp(name, "ece.vendor_id")) script.ece.vendor_id = (uint32_t)value;
    else if (!strcmp(name, "ece.options")) script.ece.options = (uint32_t)value;
    else if (!strcmp(name, "next_qp_number")) script.next_qp_number = (uint32_t)value;
    else if (!strcmp(name, "swallow_notify")) script.swallow_notify = value;
    else if (!strcmp(name, "wc_flags")) script.wc_flags = (uint64_t)value;
    else if (!strcmp(name, "missing_reader")) script.missing_reader = (uint64_t)value;
    else result = -1;
    leave();
    return result;
}

static const char *copy_of(struct text *text) {
    enter();
    free(text->snapshot);
    text->snapshot = strndup(text->length ? text->bytes : "", text->length);
    const char *snapshot = text->snapshot;
    leave();
    return snapshot;
}

/* All that may be called, one a line. */
const char *fake_functions(void) {
#define FAKE_FUNCTION_LINE(function) #function "\n"
    return FAKE_FUNCTIONS(FAKE_FUNCTION_LINE);
#undef FAKE_FUNCTION_LINE
}

const char *fake_log(void) {
    return copy_of(&log_text);
}

const char *fake_violations(void) {
    return copy_of(&violation_text);
}

void fake_clear_violations(void) {
    enter();
    violation_text.length = 0;
    leave();
}

void fake_clear_records(void) {
    enter();
    log_text.length = 0;
    sent_count = received_count = modified_count = 0;
    for (int i = 0; i < FUNCTION_COUNT; i++) functions[i].calls = 0;
    leave();
}

int fake_live(const char *kind) {
    enum kind found = find_kind(kind);
    if (found == KIND_COUNT) return -1;
    enter();
    int count = live_objects(found);
    leave();
    return count;
}

void *fake_handle(const char *kind, int id) {
    enum kind found = find_kind(kind);
    if (found == KIND_COUNT) return NULL;
    enter();
    void *handle = find_object(found, id);
    leave();
    return handle;
}

#define NUMBER(name, member) {name, offsetof(struct fake_device, member), sizeof(((struct fake_device *)0)->member)}
#define DEVICE_NUMBER(field) NUMBER(#field, attr.field)
#define PORT_NUMBER(field) NUMBER("port." #field, port.field)

/* What the device reports, and enforces where it is a limit. */
static const struct {
    const char *name;
    size_t offset, size;
} device_numbers[] = {
    DEVICE_NUMBER(max_mr_size),    DEVICE_NUMBER(vendor_id),           DEVICE_NUMBER(vendor_part_id),
    DEVICE_NUMBER(hw_ver),         DEVICE_NUMBER(max_qp),              DEVICE_NUMBER(max_qp_wr),
    DEVICE_NUMBER(max_sge),        DEVICE_NUMBER(device_cap_flags),    DEVICE_NUMBER(max_cq),
    DEVICE_NUMBER(max_cqe),        DEVICE_NUMBER(max_mr),              DEVICE_NUMBER(max_pd),
    DEVICE_NUMBER(max_qp_rd_atom), DEVICE_NUMBER(max_qp_init_rd_atom), DEVICE_NUMBER(max_srq),
    DEVICE_NUMBER(atomic_cap),     DEVICE_NUMBER(max_srq_wr),          DEVICE_NUMBER(max_srq_sge),
    DEVICE_NUMBER(max_ah),         DEVICE_NUMBER(phys_port_cnt),       PORT_NUMBER(state),
    PORT_NUMBER(max_mtu),          PORT_NUMBER(active_mtu),            PORT_NUMBER(gid_tbl_len),
    PORT_NUMBER(port_cap_flags),   PORT_NUMBER(max_msg_sz),            PORT_NUMBER(pkey_tbl_len),
    PORT_NUMBER(lid),              PORT_NUMBER(sm_lid),                PORT_NUMBER(active_width),
    PORT_NUMBER(active_speed),     PORT_NUMBER(phys_state),            PORT_NUMBER(link_layer),
    PORT_NUMBER(port_cap_flags2),  NUMBER("gids.port", gid_port),
};

int fake_set_device_number(int device, const char *name, int64_t value) {
    for (size_t i = 0; i < sizeof device_numbers / sizeof device_numbers[0]; i++) {
        if (strcmp(device_numbers[i].name, name)) continue;
        enter();
        memcpy((char *)&devices[device] + device_numbers[i].offset, &value, device_numbers[i].size); /* little-endian */
        leave();
        return 0;
    }
    return -1;
}

/* What it reports beyond ibv_device_attr. */
void fake_set_extended(int device, const struct ibv_device_attr_ex *extended) {
    enter();
    devices[device].extended = *extended;
    leave();
}

/* An interface index of 0 empties the entry. */
void fake_set_gid(int device, int index, const uint8_t raw[16], int type, int interface) {
    enter();
    struct ibv_gid_entry *entry = &devices[device].gids[index];
    memcpy(entry->gid.raw, raw, 16);
    entry->gid_index = (uint32_t)index;
    entry->gid_type = (uint32_t)type;
    entry->ndev_ifindex = (uint32_t)interface;
    leave();
}

int64_t fake_record_count(int list) {
    return list == 0 ? sent_count : list == 1 ? received_count : modified_count;
}

/* Record `index` counted from the last reset, or NULL if it was overwritten. Lists: 0 sends, 1 receives, 2 modifies. */
const void *fake_record(int list, int64_t index) {
    int64_t count = fake_record_count(list);
    if (index < 0 || index >= count || index < count - RECORDS) return NULL;
    if (list == 0) return &sent[index % RECORDS];
    if (list == 1) return &received[index % RECORDS];
    return &modified[index % RECORDS];
}

const struct ibv_qp_init_attr *fake_last_qp_init(void) {
    return &last_init;
}

const struct registration *fake_last_registration(void) {
    return &last_registration;
}

static const char *const op_names[16] = {"query_port",    "query_device_ex", "post_send", "post_recv", "poll_cq",
                                         "req_notify_cq", "post_srq_recv",   "alloc_mw",  "bind_mw",   "dealloc_mw",
                                         "create_cq_ex",  "modify_cq",       "advise_mr"};

/* Contexts opened from now on have NULL there. */
int fake_remove_op(const char *name) {
    for (int i = 0; i < 16 && op_names[i]; i++) {
        if (!strcmp(op_names[i], name)) {
            script.op_removed[i] = true;
            return 0;
        }
    }
    return -1;
}
