/* The face towards the test: scripted failures, a call that waits, what was recorded. */
#include "fake_rdmacm.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct function_state {
    const char *name;
    int64_t calls;
    int error, skip, times;
};

struct text {
    char *bytes, *snapshot;
    size_t length, capacity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something = PTHREAD_COND_INITIALIZER;
static struct text log_text, violation_text;
static struct rdma_conn_param last_param;
static uint8_t last_private_data[PRIVATE_DATA];
static enum function barrier = FUNCTION_COUNT; /* whose next call waits */
static int waiting_at_barrier;

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

void await_change(void) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_cond_timedwait(&something, &lock, &deadline);
}

void changed(void) {
    pthread_cond_broadcast(&something);
}

int begin(enum function function) {
    struct function_state *state = &functions[function];
    enter();
    state->calls++;
    if (barrier == function) {
        waiting_at_barrier++;
        while (barrier == function) await_change();
        waiting_at_barrier--;
    }
    if (state->times == 0) return 0;
    if (state->skip > 0) {
        state->skip--;
        return 0;
    }
    if (state->times > 0) state->times--;
    return state->error;
}

int end(int error) {
    leave();
    if (!error) return 0;
    errno = error;
    return -1;
}

static void append_line(struct text *text, const char *format, va_list arguments) {
    char line[256];
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    if (length > (int)sizeof line - 2) length = sizeof line - 2;
    line[length++] = '\n';
    if (text->length + length > text->capacity) {
        text->capacity = 2 * text->capacity + 4096;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes) abort();
    }
    memcpy(text->bytes + text->length, line, length);
    text->length += length;
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

void record(const struct rdma_conn_param *param) {
    last_param = *param;
    last_param.private_data = last_private_data;
    if (param->private_data_len) memcpy(last_private_data, param->private_data, param->private_data_len);
}

/* ---- exported to the test ---- */

void fake_cm_reset(void) {
    enter();
    forget_identifiers();
    forget_channels();
    for (int i = 0; i < FUNCTION_COUNT; i++) functions[i] = (struct function_state){.name = functions[i].name};
    log_text.length = violation_text.length = 0;
    memset(&last_param, 0, sizeof last_param);
    barrier = FUNCTION_COUNT;
    leave();
}

static enum function find(const char *name) {
    enum function function = 0;
    while (function < FUNCTION_COUNT && strcmp(functions[function].name, name)) function++;
    return function;
}

/* After `skip` more calls, `times` calls (-1: all) fail with `error`. -1 if there is no such function. */
int fake_cm_fail(const char *name, int error, int skip, int times) {
    enum function function = find(name);
    if (function == FUNCTION_COUNT) return -1;
    enter();
    functions[function].error = error;
    functions[function].skip = skip;
    functions[function].times = times;
    leave();
    return 0;
}

int64_t fake_cm_calls(const char *name) {
    enum function function = find(name);
    if (function == FUNCTION_COUNT) return -1;
    enter();
    int64_t calls = functions[function].calls;
    leave();
    return calls;
}

/* Calls wait from now on, until it is lifted. -1 if there is no such function. */
int fake_cm_raise_barrier(const char *name) {
    enum function function = find(name);
    if (function == FUNCTION_COUNT) return -1;
    enter();
    barrier = function;
    leave();
    return 0;
}

int fake_cm_waits_at_barrier(void) {
    enter();
    int waiting = waiting_at_barrier;
    leave();
    return waiting;
}

void fake_cm_lift_barrier(void) {
    enter();
    barrier = FUNCTION_COUNT;
    changed();
    leave();
}

/* The identifier of that number, if it is there still. */
struct rdma_cm_id *fake_cm_id(int number) {
    struct rdma_cm_id *found = NULL;
    enter();
    for (struct fake_id *id = identifiers; id; id = id->next)
        if (id->live && id->number == number) found = &id->cm;
    leave();
    return found;
}

/* As if it had never been. */
void fake_cm_forget(int number) {
    enter();
    for (struct fake_id *id = identifiers; id; id = id->next)
        if (id->number == number) id->live = false;
    leave();
}

int fake_cm_live(void) {
    int count = 0;
    enter();
    for (struct fake_id *id = identifiers; id; id = id->next) count += id->live;
    leave();
    return count;
}

/* What the last rdma_connect, rdma_accept or rdma_reject was given. */
const struct rdma_conn_param *fake_cm_last_param(void) {
    return &last_param;
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
const char *fake_cm_functions(void) {
#define FAKE_FUNCTION_LINE(function) #function "\n"
    return FAKE_FUNCTIONS(FAKE_FUNCTION_LINE);
#undef FAKE_FUNCTION_LINE
}

const char *fake_cm_log(void) {
    return copy_of(&log_text);
}

const char *fake_cm_violations(void) {
    return copy_of(&violation_text);
}
