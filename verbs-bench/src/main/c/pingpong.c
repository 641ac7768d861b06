/*
 * One end of a ping-pong over a reliable connection, a process of its own: the twin of PingpongEnd.java, step by step.
 * It keeps the books of books.h, as any program with more than one queue pair must, and so does Verbs4J.
 *
 * pingpong DEVICE PORT GID_INDEX ROOM spin|yield
 *
 * ROOM is that of the longest message, bytes. With yield it lets others run after a poll that finds nothing.
 * It says the number of its thread and its address, and obeys what it reads until that ends:
 *   connect ADDRESS            says connected
 *   pong SIZE ITERATIONS       says ready, answers each message with one, says done
 *   ping SIZE ITERATIONS       sends and awaits the answer, says times and how long each round trip took, nanoseconds
 */
#define _GNU_SOURCE
#include "books.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    SENDS = 1,
    RECEIVES = 16,
    REFILL = 8, /* receives taken before they are replaced, all in one call */
    POLL_BATCH = 4,
    READS = 16,
    PATIENCE = 1 << 30 /* polls that find nothing, for one message */
};
enum { RECEIVE_ID = 1, SEND_ID = 2 };

#define ADDRESS_FORMAT "verbs4j-rc-1:%15[A-Z]:%x:%32[0-9a-f]:%x:%x:%d:%d"

struct address {
    char link_layer[16];
    unsigned lid;
    union ibv_gid gid;
    unsigned number;
    unsigned packet;
    int mtu; /* bytes */
    int reads;
};

struct end {
    struct ibv_context *context;
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    int port_number;
    int gid_index;
    size_t room;
    int yielding;
    char *memory; /* what is sent, then what is received */
    struct ibv_pd *domain;
    struct ibv_mr *region;
    struct ibv_cq *completions;
    struct pair pair;
    struct poller poller;
    int taken; /* receives to be replaced */
    struct address address;
};

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void require(int done, const char *what)
{
    if (!done)
        die("%s: %s", what, strerror(errno));
}

/* The calls that return an error number. */
static void require_zero(int error, const char *what)
{
    if (error != 0)
        die("%s: %s", what, strerror(error));
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static void open_device(struct end *end, const char *name)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    require(list != NULL, "ibv_get_device_list");
    for (struct ibv_device **device = list; *device != NULL && end->context == NULL; device++) {
        if (strcmp(ibv_get_device_name(*device), name) == 0) {
            end->context = ibv_open_device(*device);
            require(end->context != NULL, "ibv_open_device");
        }
    }
    ibv_free_device_list(list);
    if (end->context == NULL)
        die("there is no device %s", name);
    require_zero(ibv_query_device(end->context, &end->device), "ibv_query_device");
    require_zero(ibv_query_port(end->context, end->port_number, &end->port), "ibv_query_port");
}

static void create(struct end *end)
{
    size_t bytes = 2 * end->room;
    end->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(end->memory != MAP_FAILED, "mmap");
    end->domain = ibv_alloc_pd(end->context);
    require(end->domain != NULL, "ibv_alloc_pd");
    end->region = ibv_reg_mr(end->domain, end->memory, bytes, IBV_ACCESS_LOCAL_WRITE);
    require(end->region != NULL, "ibv_reg_mr");
    end->completions = ibv_create_cq(end->context, SENDS + RECEIVES, NULL, NULL, 0);
    require(end->completions != NULL, "ibv_create_cq");
    struct ibv_qp_init_attr attributes = {
        .send_cq = end->completions,
        .recv_cq = end->completions,
        .cap = { .max_send_wr = SENDS, .max_recv_wr = RECEIVES, .max_send_sge = 1, .max_recv_sge = 1 },
        .qp_type = IBV_QPT_RC
    };
    struct ibv_qp *pair = ibv_create_qp(end->domain, &attributes);
    require(pair != NULL, "ibv_create_qp");
    open_pair(&end->pair, pair, SENDS, RECEIVES);
    open_poller(&end->poller, end->completions, POLL_BATCH, &end->pair, 1);
}

static void initialize(struct end *end)
{
    struct ibv_qp_attr attributes = { .qp_state = IBV_QPS_INIT, .port_num = end->port_number };
    require_zero(ibv_modify_qp(end->pair.qp, &attributes,
                     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
        "ibv_modify_qp to INIT");
    struct address *mine = &end->address;
    strcpy(mine->link_layer, end->port.link_layer == IBV_LINK_LAYER_ETHERNET ? "ETHERNET" : "INFINIBAND");
    mine->lid = end->port.lid;
    require_zero(ibv_query_gid(end->context, end->port_number, end->gid_index, &mine->gid), "ibv_query_gid");
    mine->number = end->pair.qp->qp_num;
    require(getrandom(&mine->packet, sizeof mine->packet, 0) == sizeof mine->packet, "getrandom");
    mine->packet &= 0xffffff;
    mine->mtu = 128 << end->port.active_mtu;
    mine->reads = min(READS, end->device.max_qp_rd_atom);
}

static void say_address(const struct address *mine)
{
    printf("address verbs4j-rc-1:%s:%04x:", mine->link_layer, mine->lid);
    for (size_t i = 0; i < sizeof mine->gid; i++)
        printf("%02x", mine->gid.raw[i]);
    printf(":%06x:%06x:%d:%d\n", mine->number, mine->packet, mine->mtu, mine->reads);
}

static int parse_address(const char *text, struct address *peer)
{
    char gid[33];
    if (sscanf(text, ADDRESS_FORMAT, peer->link_layer, &peer->lid, gid, &peer->number, &peer->packet, &peer->mtu,
            &peer->reads) != 7)
        return 0;
    for (size_t i = 0; i < sizeof peer->gid; i++) {
        if (sscanf(gid + 2 * i, "%2hhx", &peer->gid.raw[i]) != 1)
            return 0;
    }
    return 1;
}

/* As RcPath.defaults() has it. */
static void connect_to(struct end *end, const struct address *peer)
{
    struct ibv_qp_attr receiving = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = __builtin_ctz(min(end->address.mtu, peer->mtu) / 128), /* IBV_MTU_256 is 1 */
        .dest_qp_num = peer->number,
        .rq_psn = peer->packet,
        .max_dest_rd_atomic = end->address.reads,
        .min_rnr_timer = 12,
        .ah_attr = { .is_global = 1,
            .dlid = peer->lid,
            .port_num = end->port_number,
            .grh = { .dgid = peer->gid, .sgid_index = end->gid_index, .hop_limit = 64 } }
    };
    require_zero(ibv_modify_qp(end->pair.qp, &receiving,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
                         | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
        "ibv_modify_qp to RTR");
    struct ibv_qp_attr sending = {
        .qp_state = IBV_QPS_RTS,
        .timeout = 14,
        .retry_cnt = 7,
        .rnr_retry = 7,
        .sq_psn = end->address.packet,
        .max_rd_atomic = min(peer->reads, min(READS, end->device.max_qp_init_rd_atom))
    };
    require_zero(ibv_modify_qp(end->pair.qp, &sending,
                     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
                         | IBV_QP_MAX_QP_RD_ATOMIC),
        "ibv_modify_qp to RTS");
}

static void renew_receives(struct end *end, int count)
{
    for (int i = 0; i < count; i++)
        stage_receive(&end->pair, RECEIVE_ID, (uintptr_t)end->memory + end->room, end->room, end->region->lkey);
    if (!post_receives(&end->pair))
        die("ibv_post_recv failed, or there is no room");
}

/* Sends, and only then replaces receives, while the message is on its way. */
static void send(struct end *end, unsigned size)
{
    stage_send(&end->pair, SEND_ID, IBV_WR_SEND, IBV_SEND_SIGNALED, (uintptr_t)end->memory, size, end->region->lkey);
    if (!post_sends(&end->pair))
        die("ibv_post_send failed, or there is no room");
    if (end->taken >= REFILL) {
        renew_receives(end, end->taken);
        end->taken = 0;
    }
}

static void look_at(struct end *end, const struct ibv_wc *completion, unsigned size)
{
    if (completion->opcode & IBV_WC_RECV) {
        if (completion->byte_len != size)
            die("a message of %u bytes came, not %u", completion->byte_len, size);
        end->taken++;
    }
}

static void fail(const struct ibv_wc *failed, int result)
{
    if (failed == NULL)
        die("ibv_poll_cq: %d", result);
    die("request %lu failed: %s", (unsigned long)failed->wr_id, ibv_wc_status_str(failed->status));
}

static void pause_after(const struct end *end, int idle)
{
    if (idle == PATIENCE)
        die("nothing came in %d polls", idle);
    if (end->yielding)
        sched_yield();
}

static void await(struct end *end, int pending, unsigned size)
{
    int idle = 0;
    while (pending > 0) {
        int count = poll_queue(&end->poller);
        if (count < 0)
            fail(end->poller.failed, count);
        if (count == 0)
            pause_after(end, ++idle);
        pending -= count;
        for (int i = 0; i < count; i++)
            look_at(end, &end->poller.wc[i], size);
    }
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void ping(struct end *end, unsigned size, int64_t *times, int iterations)
{
    int64_t start = now();
    for (int i = 0; i < iterations; i++) {
        send(end, size);
        await(end, 2, size);
        int64_t stop = now();
        times[i] = stop - start;
        start = stop;
    }
}

static void pong(struct end *end, unsigned size, int iterations)
{
    int sending = 0;
    for (int i = 0; i < iterations; i++) {
        await(end, 1 + sending, size);
        send(end, size);
        sending = 1;
    }
    await(end, sending, size);
}

static void say_times(const int64_t *times, int iterations)
{
    printf("times");
    for (int i = 0; i < iterations; i++)
        printf(" %ld", (long)times[i]);
    printf("\n");
}

static void obey(struct end *end, const char *order)
{
    unsigned size;
    int iterations;
    struct address peer;
    if (strncmp(order, "connect ", 8) == 0 && parse_address(order + 8, &peer)) {
        connect_to(end, &peer);
        printf("connected\n");
    } else if (sscanf(order, "pong %u %d", &size, &iterations) == 2) {
        printf("ready\n");
        fflush(stdout);
        pong(end, size, iterations);
        printf("done\n");
    } else if (sscanf(order, "ping %u %d", &size, &iterations) == 2) {
        int64_t *times = calloc(iterations, sizeof *times);
        require(times != NULL, "calloc");
        ping(end, size, times, iterations);
        say_times(times, iterations);
        free(times);
    } else {
        die("there is no order '%s'", order);
    }
}

static void *sleep_on(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/*
 * A program with an RDMA device listens to its events in a thread of its own, and Java has several. The C library and the
 * kernel take shorter ways through write(), by which Soft-RoCE's provider posts, for a process that has one only.
 */
static void have_a_second_thread(void)
{
    pthread_t idle;
    require_zero(pthread_create(&idle, NULL, sleep_on, NULL), "pthread_create");
}

int main(int count, char **arguments)
{
    if (count != 6)
        die("usage: pingpong DEVICE PORT GID_INDEX ROOM spin|yield");
    struct end end = {
        .port_number = atoi(arguments[2]),
        .gid_index = atoi(arguments[3]),
        .room = strtoul(arguments[4], NULL, 10),
        .yielding = strcmp(arguments[5], "yield") == 0
    };
    have_a_second_thread();
    open_device(&end, arguments[1]);
    create(&end);
    initialize(&end);
    allow_posting(&end.pair); /* receives at once, sends once it is connected: nobody tells it to sooner */
    renew_receives(&end, RECEIVES);
    printf("thread %d\n", gettid());
    say_address(&end.address);
    fflush(stdout);
    char *order = NULL;
    size_t room = 0;
    for (ssize_t length = getline(&order, &room, stdin); length > 0; length = getline(&order, &room, stdin)) {
        order[length - 1] = '\0';
        obey(&end, order);
        fflush(stdout);
    }
    free(order);
    ibv_destroy_qp(end.pair.qp);
    ibv_destroy_cq(end.completions);
    ibv_dereg_mr(end.region);
    ibv_dealloc_pd(end.domain);
    ibv_close_device(end.context);
    munmap(end.memory, 2 * end.room);
    return 0;
}
