/* The channel and its events. A byte in the pipe stands for each event, or for one that was dropped. */
#include "fake_rdmacm.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct fake_channel *channels;

struct rdma_event_channel *rdma_create_event_channel(void) {
    int error = begin(FN_rdma_create_event_channel);
    int ends[2];
    if (!error && pipe2(ends, O_CLOEXEC)) error = errno;
    if (end(error)) return NULL;
    struct fake_channel *channel = calloc(1, sizeof *channel);
    if (!channel) abort();
    channel->cm.fd = ends[0];
    channel->write_end = ends[1];
    channel->last = &channel->first;
    enter();
    channel->next_channel = channels;
    channels = channel;
    note("rdma_create_event_channel");
    leave();
    return &channel->cm;
}

void rdma_destroy_event_channel(struct rdma_event_channel *cm) {
    enter();
    struct fake_channel **link = &channels;
    while (*link && &(*link)->cm != cm) link = &(*link)->next_channel;
    struct fake_channel *channel = *link;
    if (channel) {
        *link = channel->next_channel;
        for (struct fake_id *id = identifiers; id; id = id->next)
            if (id->live && id->cm.channel == cm)
                violation("rdma_destroy_event_channel: id%d is on it still", id->number);
        close(channel->cm.fd);
        close(channel->write_end);
        note("rdma_destroy_event_channel");
    } else {
        violation("rdma_destroy_event_channel: %p is no channel", (void *)cm);
    }
    leave();
}

static struct fake_event *pop(struct fake_channel *channel) {
    struct fake_event *event = channel->first;
    if (event) {
        channel->first = event->next;
        if (!channel->first) channel->last = &channel->first;
    }
    return event;
}

static void push(struct fake_channel *channel, struct fake_event *event) {
    event->next = NULL;
    *channel->last = event;
    channel->last = &event->next;
    if (write(channel->write_end, "", 1) != 1) violation("write to the pipe of a channel: errno %d", errno);
}

/* To a channel, or to nowhere. */
void move_events(struct fake_id *id, struct rdma_event_channel *to) {
    struct fake_channel *channel = (struct fake_channel *)id->cm.channel;
    struct fake_event **link = &channel->first;
    while (*link) {
        struct fake_event *event = *link;
        if (event->owner != id) {
            link = &event->next;
            continue;
        }
        *link = event->next;
        if (to) push((struct fake_channel *)to, event);
        else free(event);
    }
    channel->last = link;
}

void drop_events(struct fake_id *id) {
    move_events(id, NULL);
}

/* A request brings an identifier of its own, bound to the device. */
static void bring_identifier(struct fake_event *event) {
    struct fake_id *made = new_identifier(event->owner->cm.channel, event->owner->cm.ps);
    struct sockaddr_in *peer = (struct sockaddr_in *)&made->cm.route.addr.dst_storage;
    peer->sin_family = AF_INET;
    peer->sin_port = htons(FIRST_PORT);
    inet_pton(AF_INET, "10.9.0.2", &peer->sin_addr);
    resolved(made);
    event->cm.listen_id = &event->owner->cm;
    event->cm.id = &made->cm;
}

int rdma_get_cm_event(struct rdma_event_channel *cm, struct rdma_cm_event **fetched) {
    struct fake_channel *channel = (struct fake_channel *)cm;
    int error = begin(FN_rdma_get_cm_event);
    struct fake_event *event = NULL;
    while (!error && !event) {
        char byte;
        leave();
        error = read(cm->fd, &byte, 1) == 1 ? 0 : errno;
        enter();
        if (!error) event = pop(channel);
    }
    if (event) {
        event->owner->reported++;
        if (event->cm.event == RDMA_CM_EVENT_ADDR_RESOLVED) resolved(event->owner);
        if (event->cm.event == RDMA_CM_EVENT_CONNECT_REQUEST) bring_identifier(event);
        *fetched = &event->cm;
    }
    return end(error);
}

int rdma_ack_cm_event(struct rdma_cm_event *cm) {
    int error = begin(FN_rdma_ack_cm_event);
    if (!error) {
        struct fake_event *event = (struct fake_event *)cm;
        event->owner->acknowledged++;
        memset(event, 0xdd, sizeof *event); /* whoever reads on, reads nonsense */
        free(event);
        changed();
    }
    return end(error);
}

/* Puts an event into the channel of its identifier, unless that is gone; private data is copied. */
void fake_cm_deliver(const struct rdma_cm_event *like, const void *private_data, int length) {
    enter();
    if (is_live(like->id)) {
        struct fake_event *event = calloc(1, sizeof *event);
        if (!event) abort();
        event->cm = *like;
        event->owner = (struct fake_id *)like->id;
        memcpy(event->private_data, private_data, length);
        event->cm.param.conn.private_data = length ? event->private_data : NULL;
        event->cm.param.conn.private_data_len = (uint8_t)length;
        push((struct fake_channel *)like->id->channel, event);
    }
    leave();
}

/* Their descriptors stay: a thread may be in poll on them. */
void forget_channels(void) {
    channels = NULL;
}

int fake_cm_channels(void) {
    int count = 0;
    enter();
    for (struct fake_channel *channel = channels; channel; channel = channel->next_channel) count++;
    leave();
    return count;
}
