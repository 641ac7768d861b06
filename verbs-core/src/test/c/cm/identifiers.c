/* Identifiers: what is called on them changes nothing but their addresses; outcomes are for the test to deliver. */
#include "fake_rdmacm.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_id *identifiers;
static int made;
static struct ibv_device device;
static struct ibv_context context;

bool is_live(const struct rdma_cm_id *id) {
    const struct fake_id *fake = (const struct fake_id *)id;
    for (struct fake_id *known = identifiers; known; known = known->next)
        if (known == fake && known->live) return true;
    return false;
}

static bool usable(const struct rdma_cm_id *id, const char *call) {
    if (is_live(id)) return true;
    violation("%s: %p is no identifier", call, (const void *)id);
    return false;
}

/* That of the one which was destroyed last, if there is one. */
static struct fake_id *memory(void) {
    for (struct fake_id *old = identifiers; old; old = old->next)
        if (!old->live) return old;
    struct fake_id *fresh = calloc(1, sizeof *fresh);
    if (!fresh) abort();
    fresh->next = identifiers;
    identifiers = fresh;
    return fresh;
}

struct fake_id *new_identifier(struct rdma_event_channel *channel, enum rdma_port_space ps) {
    struct fake_id *id = memory();
    memset(&id->cm, 0, sizeof id->cm);
    id->cm.channel = channel;
    id->cm.ps = ps;
    id->live = true;
    id->reported = id->acknowledged = 0;
    id->number = ++made;
    return id;
}

static void set_address(struct sockaddr_storage *storage, const char *host, int port) {
    struct sockaddr_in *address = (struct sockaddr_in *)storage;
    address->sin_family = AF_INET;
    address->sin_port = htons(port);
    inet_pton(AF_INET, host, &address->sin_addr);
}

static bool is_loopback(const struct sockaddr_storage *storage) {
    const struct sockaddr_in *address = (const struct sockaddr_in *)storage;
    return address->sin_family == AF_INET && (ntohl(address->sin_addr.s_addr) >> 24) == 127;
}

/* What the kernel knows once an address is resolved: ours, and the device; loopback has none. */
void resolved(struct fake_id *id) {
    bool loopback = is_loopback(&id->cm.route.addr.dst_storage);
    strcpy(device.name, "fake0");
    context.device = &device;
    id->cm.verbs = loopback ? NULL : &context;
    set_address(&id->cm.route.addr.src_storage, loopback ? "127.0.0.1" : "10.9.0.1", FIRST_PORT + id->number);
}

/* ---- calls ---- */

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *user, enum rdma_port_space ps) {
    int error = begin(FN_rdma_create_id);
    if (!error) {
        struct fake_id *fake = new_identifier(channel, ps);
        fake->cm.context = user;
        *id = &fake->cm;
        note("rdma_create_id -> id%d", fake->number);
    }
    return end(error);
}

/* The real one waits for ever; a test should rather fail. */
static void await_acknowledgements(struct fake_id *id) {
    for (int second = 0; id->reported != id->acknowledged && second < 20; second++) await_change();
    if (id->reported != id->acknowledged)
        violation("id%d: %u events were never acknowledged: the real library waits for ever", id->number,
                  id->reported - id->acknowledged);
}

int rdma_destroy_id(struct rdma_cm_id *id) {
    int error = begin(FN_rdma_destroy_id);
    if (!error && !usable(id, "rdma_destroy_id")) error = EINVAL;
    if (!error) {
        struct fake_id *fake = (struct fake_id *)id;
        note("rdma_destroy_id id%d", fake->number);
        drop_events(fake);
        await_acknowledgements(fake);
        fake->live = false;
        memset(&fake->cm, 0xdd, sizeof fake->cm);
        changed();
    }
    return end(error);
}

/* One that is only noted. */
static int noted(enum function function, const char *name, struct rdma_cm_id *id, struct rdma_conn_param *param) {
    int error = begin(function);
    if (!error && !usable(id, name)) error = EINVAL;
    if (!error) note("%s id%d", name, ((struct fake_id *)id)->number);
    if (param) record(param);
    return end(error);
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address) {
    int result = noted(FN_rdma_bind_addr, "rdma_bind_addr", id, NULL);
    if (!result) {
        struct sockaddr_in *ours = (struct sockaddr_in *)&id->route.addr.src_storage;
        memcpy(ours, address, address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof *ours);
        if (!ours->sin_port) ours->sin_port = htons(FIRST_PORT + ((struct fake_id *)id)->number);
    }
    return result;
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *source, struct sockaddr *destination, int timeout) {
    (void)source;
    (void)timeout;
    int result = noted(FN_rdma_resolve_addr, "rdma_resolve_addr", id, NULL);
    if (!result)
        memcpy(&id->route.addr.dst_storage, destination,
               destination->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
    return result;
}

int rdma_resolve_route(struct rdma_cm_id *id, int timeout) {
    (void)timeout;
    return noted(FN_rdma_resolve_route, "rdma_resolve_route", id, NULL);
}

int rdma_listen(struct rdma_cm_id *id, int backlog) {
    (void)backlog;
    return noted(FN_rdma_listen, "rdma_listen", id, NULL);
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *param) {
    return noted(FN_rdma_connect, "rdma_connect", id, param);
}

static struct ibv_ece local_ece, remote_ece; /* what was told last, and what every peer tells; vendor 0: nothing */

void fake_cm_remote_ece(int vendor_id, int options) {
    remote_ece = (struct ibv_ece){.vendor_id = (uint32_t)vendor_id, .options = (uint32_t)options};
}

const struct ibv_ece *fake_cm_local_ece(void) {
    return &local_ece;
}

int rdma_establish(struct rdma_cm_id *id) {
    return noted(FN_rdma_establish, "rdma_establish", id, NULL);
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *param) {
    return noted(FN_rdma_accept, "rdma_accept", id, param);
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t length) {
    return noted(FN_rdma_reject, "rdma_reject", id,
                 &(struct rdma_conn_param){.private_data = data, .private_data_len = length});
}

int rdma_reject_ece(struct rdma_cm_id *id, const void *data, uint8_t length) {
    return noted(FN_rdma_reject_ece, "rdma_reject_ece", id,
                 &(struct rdma_conn_param){.private_data = data, .private_data_len = length});
}

int rdma_notify(struct rdma_cm_id *id, enum ibv_event_type event) {
    (void)event;
    return noted(FN_rdma_notify, "rdma_notify", id, NULL);
}

int rdma_set_option(struct rdma_cm_id *id, int level, int option, void *value, size_t length) {
    (void)level;
    (void)option;
    (void)value;
    (void)length;
    return noted(FN_rdma_set_option, "rdma_set_option", id, NULL);
}

int rdma_set_local_ece(struct rdma_cm_id *id, struct ibv_ece *ece) {
    local_ece = *ece;
    return noted(FN_rdma_set_local_ece, "rdma_set_local_ece", id, NULL);
}

int rdma_get_remote_ece(struct rdma_cm_id *id, struct ibv_ece *ece) {
    *ece = remote_ece;
    return noted(FN_rdma_get_remote_ece, "rdma_get_remote_ece", id, NULL);
}

int rdma_join_multicast_ex(struct rdma_cm_id *id, struct rdma_cm_join_mc_attr_ex *group, void *user) {
    (void)group;
    (void)user;
    return noted(FN_rdma_join_multicast_ex, "rdma_join_multicast_ex", id, NULL);
}

int rdma_leave_multicast(struct rdma_cm_id *id, struct sockaddr *group) {
    (void)group;
    return noted(FN_rdma_leave_multicast, "rdma_leave_multicast", id, NULL);
}

int rdma_migrate_id(struct rdma_cm_id *id, struct rdma_event_channel *channel) {
    int error = begin(FN_rdma_migrate_id);
    if (!error && !usable(id, "rdma_migrate_id")) error = EINVAL;
    if (!error) {
        struct fake_id *fake = (struct fake_id *)id;
        note("rdma_migrate_id id%d", fake->number);
        move_events(fake, channel);
        await_acknowledgements(fake);
        id->channel = channel;
    }
    return end(error);
}

int rdma_disconnect(struct rdma_cm_id *id) {
    return noted(FN_rdma_disconnect, "rdma_disconnect", id, NULL);
}

/* What leads a queue pair of the fake libibverbs to any state. */
int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask) {
    int result = noted(FN_rdma_init_qp_attr, "rdma_init_qp_attr", id, NULL);
    if (!result) {
        enum ibv_qp_state state = attr->qp_state;
        *attr = (struct ibv_qp_attr){
            .qp_state = state, .port_num = 1, .path_mtu = IBV_MTU_1024, .dest_qp_num = 99, .timeout = 14};
        attr->ah_attr.is_global = 1;
        attr->ah_attr.port_num = 1;
        attr->ah_attr.grh.sgid_index = 1;
        memcpy(attr->ah_attr.grh.dgid.raw, (uint8_t[16]){[10] = 0xff, 0xff, 10, 9, 0, 2}, 16);
        *mask = IBV_QP_STATE;
    }
    return result;
}

/* The number of the last one, be it of a request. */
int fake_cm_newest(void) {
    return made;
}

void forget_identifiers(void) {
    for (struct fake_id *id = identifiers; id; id = id->next) id->live = false;
    made = 0;
}
