/* One end of a connection, which goes so far and no further, and is stopped or killed there: victim PHASE ADDRESS PORT. */
#include <arpa/inet.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 10000

static struct rdma_event_channel *channel;
static const char *last;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* Until it is killed, or whoever started it is gone. */
static void linger(void) {
    char byte;
    exit(read(STDIN_FILENO, &byte, 1) ? 1 : 0);
}

static void reached(const char *phase, int number) {
    printf("%s %d\n", phase, number);
    fflush(stdout);
    if (!strcmp(phase, last)) linger();
}

/* The identifier of the event that comes next, which must be this one. */
static struct rdma_cm_id *expect(enum rdma_cm_event_type type) {
    struct rdma_cm_event *event;
    if (rdma_get_cm_event(channel, &event)) fail("rdma_get_cm_event");
    if (event->event != type) {
        fprintf(stderr, "%s, status %d, in place of %s\n", rdma_event_str(event->event), event->status, rdma_event_str(type));
        exit(1);
    }
    struct rdma_cm_id *id = event->id;
    if (rdma_ack_cm_event(event)) fail("rdma_ack_cm_event");
    return id;
}

static void make_queue_pair(struct rdma_cm_id *id) {
    struct ibv_qp_init_attr attributes = {
        .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}, .qp_type = IBV_QPT_RC};
    if (rdma_create_qp(id, NULL, &attributes)) fail("rdma_create_qp");
}

static void serve(struct rdma_cm_id *listener, struct sockaddr_in *address, struct rdma_conn_param *parameters) {
    if (rdma_bind_addr(listener, (struct sockaddr *)address)) fail("rdma_bind_addr");
    if (rdma_listen(listener, 1)) fail("rdma_listen");
    reached("LISTENING", ntohs(rdma_get_src_port(listener)));
    struct rdma_cm_id *request = expect(RDMA_CM_EVENT_CONNECT_REQUEST);
    reached("TAKEN", 0);
    make_queue_pair(request);
    if (rdma_accept(request, parameters)) fail("rdma_accept");
    if (!strcmp(last, "ACCEPTED")) _exit(9); /* whatever the peer answers */
    expect(RDMA_CM_EVENT_ESTABLISHED);
    reached("SERVING", 0);
}

static void ask(struct rdma_cm_id *id, struct sockaddr_in *address, struct rdma_conn_param *parameters) {
    if (rdma_resolve_addr(id, NULL, (struct sockaddr *)address, PATIENCE_MS)) fail("rdma_resolve_addr");
    expect(RDMA_CM_EVENT_ADDR_RESOLVED);
    if (rdma_resolve_route(id, PATIENCE_MS)) fail("rdma_resolve_route");
    expect(RDMA_CM_EVENT_ROUTE_RESOLVED);
    make_queue_pair(id);
    if (rdma_connect(id, parameters)) fail("rdma_connect");
    reached("ASKING", 0);
    expect(RDMA_CM_EVENT_ESTABLISHED);
    reached("CONNECTED", ntohs(rdma_get_src_port(id)));
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: victim PHASE ADDRESS PORT\n");
        return 2;
    }
    last = words[1];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[3]))};
    struct rdma_conn_param parameters = {
        .responder_resources = 1, .initiator_depth = 1, .retry_count = 7, .rnr_retry_count = 7};
    struct rdma_cm_id *id;
    if (inet_pton(AF_INET, words[2], &address.sin_addr) != 1) fail(words[2]);
    if (!(channel = rdma_create_event_channel())) fail("rdma_create_event_channel");
    if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP)) fail("rdma_create_id");
    if (address.sin_port) {
        ask(id, &address, &parameters);
    } else {
        serve(id, &address, &parameters);
    }
    return 1; /* no phase of that name */
}
