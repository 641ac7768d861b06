/*
 * The C side of the comparison of starts, step by step what JavaSteps.java does.
 *
 * start DEVICE PORT GID_INDEX first    says "completed" once its first work request has completed, and ends
 * start DEVICE PORT GID_INDEX          obeys what it reads, and says how many nanoseconds it took:
 *   connect           from the list of devices to a queue pair in RTS
 *   pair              a queue pair, created and destroyed
 *   register BYTES    memory, mapped and registered
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { DEPTH = 16, BYTES = 4096, ACCESS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE };

struct connection {
    struct ibv_context *context;
    struct ibv_pd *domain;
    struct ibv_cq *completions;
    struct ibv_qp *pair;
};

static const char *device_name;
static int port_number;
static int gid_index;

static void require(int done, const char *what)
{
    if (!done) {
        fprintf(stderr, "%s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static void require_zero(int error, const char *what)
{
    errno = error;
    require(error == 0, what);
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct ibv_context *open_device(void)
{
    struct ibv_context *context = NULL;
    struct ibv_device **list = ibv_get_device_list(NULL);
    require(list != NULL, "ibv_get_device_list");
    for (struct ibv_device **device = list; *device != NULL && context == NULL; device++)
        if (strcmp(ibv_get_device_name(*device), device_name) == 0)
            context = ibv_open_device(*device);
    ibv_free_device_list(list);
    require(context != NULL, "ibv_open_device");
    return context;
}

static struct ibv_qp *create_pair(struct ibv_pd *domain, struct ibv_cq *completions)
{
    struct ibv_qp_init_attr attributes = {
        .send_cq = completions,
        .recv_cq = completions,
        .cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1 },
        .qp_type = IBV_QPT_RC
    };
    struct ibv_qp *pair = ibv_create_qp(domain, &attributes);
    require(pair != NULL, "ibv_create_qp");
    return pair;
}

/* To itself. */
static void lead_to_rts(struct ibv_context *context, struct ibv_qp *pair)
{
    struct ibv_port_attr port;
    union ibv_gid gid;
    require_zero(ibv_query_port(context, port_number, &port), "ibv_query_port");
    require(ibv_query_gid(context, port_number, gid_index, &gid) == 0, "ibv_query_gid");
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT,
        .port_num = port_number,
        .qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE };
    require_zero(ibv_modify_qp(pair, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
        "ibv_modify_qp to INIT");
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR,
        .path_mtu = port.active_mtu,
        .dest_qp_num = pair->qp_num,
        .max_dest_rd_atomic = 16,
        .min_rnr_timer = 12,
        .ah_attr = { .is_global = 1,
            .grh = { .dgid = gid, .sgid_index = gid_index, .hop_limit = 64 },
            .dlid = port.lid,
            .port_num = port_number } };
    require_zero(ibv_modify_qp(pair, &rtr,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
                         | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
        "ibv_modify_qp to RTR");
    struct ibv_qp_attr rts = {
        .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 16
    };
    require_zero(ibv_modify_qp(pair, &rts,
                     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
                         | IBV_QP_MAX_QP_RD_ATOMIC),
        "ibv_modify_qp to RTS");
}

static struct connection connect_to_itself(void)
{
    struct connection c = { .context = open_device() };
    c.domain = ibv_alloc_pd(c.context);
    require(c.domain != NULL, "ibv_alloc_pd");
    c.completions = ibv_create_cq(c.context, 4 * DEPTH, NULL, NULL, 0);
    require(c.completions != NULL, "ibv_create_cq");
    c.pair = create_pair(c.domain, c.completions);
    lead_to_rts(c.context, c.pair);
    return c;
}

static void close_connection(struct connection *c)
{
    require_zero(ibv_destroy_qp(c->pair), "ibv_destroy_qp");
    require_zero(ibv_destroy_cq(c->completions), "ibv_destroy_cq");
    require_zero(ibv_dealloc_pd(c->domain), "ibv_dealloc_pd");
    require(ibv_close_device(c->context) == 0, "ibv_close_device");
}

static struct ibv_mr *map_and_register(struct ibv_pd *domain, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(memory != MAP_FAILED, "mmap");
    struct ibv_mr *region = ibv_reg_mr(domain, memory, bytes, ACCESS);
    require(region != NULL, "ibv_reg_mr");
    return region;
}

static void unregister(struct ibv_mr *region)
{
    void *memory = region->addr;
    size_t bytes = region->length;
    require_zero(ibv_dereg_mr(region), "ibv_dereg_mr");
    munmap(memory, bytes);
}

static void first_completion(void)
{
    struct connection c = connect_to_itself();
    struct ibv_mr *region = map_and_register(c.domain, BYTES);
    struct ibv_sge piece = { .addr = (uintptr_t)region->addr, .length = 64, .lkey = region->lkey };
    struct ibv_send_wr request = { .sg_list = &piece,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = { .remote_addr = piece.addr + 64, .rkey = region->rkey } };
    struct ibv_send_wr *bad;
    struct ibv_wc completion;
    require_zero(ibv_post_send(c.pair, &request, &bad), "ibv_post_send");
    while (ibv_poll_cq(c.completions, 1, &completion) == 0)
        continue;
    errno = EIO;
    require(completion.status == IBV_WC_SUCCESS, "the write");
    puts("completed");
    fflush(stdout);
    unregister(region);
    close_connection(&c);
}

static long long timed_connect(void)
{
    long long start = now();
    struct connection c = connect_to_itself();
    long long took = now() - start;
    close_connection(&c);
    return took;
}

static long long timed_pair(struct connection *c)
{
    long long start = now();
    require_zero(ibv_destroy_qp(create_pair(c->domain, c->completions)), "ibv_destroy_qp");
    return now() - start;
}

static long long timed_register(struct connection *c, size_t bytes)
{
    long long start = now();
    struct ibv_mr *region = map_and_register(c->domain, bytes);
    long long took = now() - start;
    unregister(region);
    return took;
}

static void obey(void)
{
    char line[64];
    size_t bytes;
    struct connection c = connect_to_itself();
    while (fgets(line, sizeof line, stdin) != NULL) {
        long long took;
        if (strcmp(line, "connect\n") == 0)
            took = timed_connect();
        else if (strcmp(line, "pair\n") == 0)
            took = timed_pair(&c);
        else if (sscanf(line, "register %zu", &bytes) == 1)
            took = timed_register(&c, bytes);
        else
            break;
        printf("%lld\n", took);
        fflush(stdout);
    }
    close_connection(&c);
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fputs("usage: start DEVICE PORT GID_INDEX [first]\n", stderr);
        return 2;
    }
    device_name = arguments[1];
    port_number = atoi(arguments[2]);
    gid_index = atoi(arguments[3]);
    if (count > 4)
        first_completion();
    else
        obey();
    return 0;
}
