/*
 * A librdmacm for unit tests: no kernel and no network; what happens is what a test delivers through the fake_cm_* calls of
 * script.c. The channel's descriptor is a pipe, so that it can be polled; rdma_destroy_id waits for acknowledgements, as the
 * real one does; and the address of what was destroyed is the next one's, as malloc would have it.
 */
#ifndef FAKE_RDMACM_H
#define FAKE_RDMACM_H

#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define PRIVATE_DATA 256
#define FIRST_PORT 40000 /* the first port of the kernel's choice */

/* Every call that is counted and can be made to fail. */
#define FAKE_FUNCTIONS(X)                                                                                              \
    X(rdma_create_event_channel) X(rdma_create_id) X(rdma_destroy_id) X(rdma_bind_addr) X(rdma_set_option)             \
    X(rdma_resolve_addr) X(rdma_resolve_route) X(rdma_listen) X(rdma_connect) X(rdma_establish) X(rdma_accept)         \
    X(rdma_notify) X(rdma_reject) X(rdma_reject_ece) X(rdma_disconnect) X(rdma_migrate_id) X(rdma_set_local_ece)       \
    X(rdma_get_remote_ece) X(rdma_join_multicast_ex) X(rdma_leave_multicast) X(rdma_init_qp_attr)           \
    X(rdma_get_cm_event) X(rdma_ack_cm_event)

enum function {
#define FAKE_FUNCTION_ID(name) FN_##name,
    FAKE_FUNCTIONS(FAKE_FUNCTION_ID)
#undef FAKE_FUNCTION_ID
    FUNCTION_COUNT
};

struct fake_event {
    struct rdma_cm_event cm;
    struct fake_id *owner; /* who counts it: of a request the listener, as in the real library */
    uint8_t private_data[PRIVATE_DATA];
    struct fake_event *next;
};

struct fake_channel {
    struct rdma_event_channel cm;
    int write_end;
    struct fake_event *first, **last;
    struct fake_channel *next_channel;
};

struct fake_id {
    struct rdma_cm_id cm;
    int number; /* counts from 1 since the last reset */
    bool live;
    unsigned reported, acknowledged;
    struct fake_id *next; /* all that were ever made, the newest first */
};

/* script.c */
void enter(void);
void leave(void);
void await_change(void); /* with the lock, which others have meanwhile; at most a second */
void changed(void);
int begin(enum function function); /* locks, counts; an errno if the script says that this call fails */
int end(int error);                /* unlocks; 0, or -1 and errno */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void violation(const char *format, ...) __attribute__((format(printf, 1, 2)));
void record(const struct rdma_conn_param *param);

/* identifiers.c */
extern struct fake_id *identifiers;
struct fake_id *new_identifier(struct rdma_event_channel *channel, enum rdma_port_space ps);
bool is_live(const struct rdma_cm_id *id);
void resolved(struct fake_id *id);
void forget_identifiers(void);

/* events.c */
void forget_channels(void);
void drop_events(struct fake_id *id); /* those that nobody has fetched */
void move_events(struct fake_id *id, struct rdma_event_channel *to);

#pragma GCC visibility pop

#endif
