/* Devices, contexts and what they report. */
#include "fake_ibverbs.h"

#include <endian.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct fake_device devices[MAX_DEVICES];

static bool has_port(const struct fake_device *device, uint32_t port) {
    return port > 0 && port <= device->attr.phys_port_cnt; /* all are alike, but for the GIDs */
}

static void set_gid(struct fake_device *device, uint32_t index, enum ibv_gid_type type, const uint8_t raw[16]) {
    struct ibv_gid_entry *entry = &device->gids[index];
    memcpy(entry->gid.raw, raw, 16);
    entry->gid_index = index;
    entry->gid_type = type;
    entry->ndev_ifindex = 2 + device->index;
}

static void reset_device(struct fake_device *device, int index) {
    memset(device, 0, sizeof *device);
    device->index = index;
    device->ibv.node_type = IBV_NODE_CA;
    device->ibv.transport_type = IBV_TRANSPORT_IB;
    snprintf(device->ibv.name, sizeof device->ibv.name, "fake%d", index);
    snprintf(device->ibv.dev_name, sizeof device->ibv.dev_name, "uverbs_fake%d", index);
    snprintf(device->ibv.dev_path, sizeof device->ibv.dev_path, "/sys/class/infiniband_verbs/uverbs_fake%d", index);
    snprintf(device->ibv.ibdev_path, sizeof device->ibv.ibdev_path, "/sys/class/infiniband/fake%d", index);

    struct ibv_device_attr *attr = &device->attr;
    strcpy(attr->fw_ver, "1.2.3");
    attr->node_guid = attr->sys_image_guid = htobe64(0x505400fffe123400ULL + index);
    attr->max_mr_size = UINT64_MAX;
    attr->page_size_cap = 0xfffff000;
    attr->vendor_id = 0xffffff;
    attr->max_qp = 65536;
    attr->max_qp_wr = 16384;
    attr->device_cap_flags = IBV_DEVICE_BAD_PKEY_CNTR | IBV_DEVICE_BAD_QKEY_CNTR | IBV_DEVICE_UD_AV_PORT_ENFORCE
                             | IBV_DEVICE_CURR_QP_STATE_MOD | IBV_DEVICE_SHUTDOWN_PORT | IBV_DEVICE_PORT_ACTIVE_EVENT
                             | IBV_DEVICE_SYS_IMAGE_GUID | IBV_DEVICE_RC_RNR_NAK_GEN | IBV_DEVICE_SRQ_RESIZE
                             | IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B;
    attr->max_sge = attr->max_sge_rd = MAX_SGE;
    attr->max_cq = attr->max_pd = attr->max_srq = 65536;
    attr->max_mr = attr->max_mw = 1 << 20;
    attr->max_cqe = 32767;
    attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = 128;
    attr->max_res_rd_atom = 1 << 16;
    attr->atomic_cap = IBV_ATOMIC_HCA;
    attr->max_mcast_grp = 8192;
    attr->max_mcast_qp_attach = 56;
    attr->max_total_mcast_qp_attach = 8192 * 56;
    attr->max_ah = 32767;
    attr->max_srq_wr = 16384;
    attr->max_srq_sge = 27;
    attr->max_pkeys = 1;
    attr->local_ca_ack_delay = 15;
    attr->phys_port_cnt = 1;
    device->extended.cq_mod_caps = (struct ibv_cq_moderation_caps){.max_cq_count = 65535, .max_cq_period = 65535};

    device->gid_port = 1;
    struct ibv_port_attr *port = &device->port;
    port->state = IBV_PORT_ACTIVE;
    port->max_mtu = IBV_MTU_4096;
    port->active_mtu = IBV_MTU_1024;
    port->gid_tbl_len = GID_TABLE_SIZE;
    port->port_cap_flags = IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS;
    port->max_msg_sz = 8 << 20;
    port->pkey_tbl_len = 1;
    port->max_vl_num = 1;
    port->active_width = 1;
    port->active_speed = 1;
    port->phys_state = 5;
    port->link_layer = IBV_LINK_LAYER_ETHERNET;

    const uint8_t host = (uint8_t)(index + 1);
    const uint8_t link_local[16] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x50, 0x54, 0, 0xff, 0xfe, 0x12, 0x34, host};
    const uint8_t mapped_ipv4[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9, 0, host};
    set_gid(device, 0, IBV_GID_TYPE_ROCE_V2, link_local);
    set_gid(device, 1, IBV_GID_TYPE_ROCE_V2, mapped_ipv4);
    set_gid(device, 3, IBV_GID_TYPE_ROCE_V1, mapped_ipv4);
}

void reset_devices(void) {
    for (int i = 0; i < MAX_DEVICES; i++) reset_device(&devices[i], i);
}

static struct fake_device *device_for(struct ibv_device *device, const char *call) {
    for (int i = 0; i < MAX_DEVICES; i++) {
        if (device != &devices[i].ibv) continue;
        if (devices[i].references > 0) return &devices[i];
        violation("%s: device %s is in no device list and not open: freed in the real library", call, device->name);
        return &devices[i];
    }
    violation("%s: %p is no device", call, (void *)device);
    return NULL;
}

struct ibv_device **ibv_get_device_list(int *count) {
    int error = begin(FN_ibv_get_device_list);
    struct fake_list *list = error ? NULL : new_object(KIND_LIST, sizeof *list);
    if (list) {
        for (int i = 0; i < script.devices && i < MAX_DEVICES; i++) {
            list->devices[i] = &devices[i].ibv;
            devices[i].references++;
        }
        note("ibv_get_device_list -> %s", NAME(list));
    }
    if (count) *count = list ? script.devices : 0;
    leave();
    if (!list) errno = error ? error : ENOMEM;
    return list ? list->devices : NULL;
}

void ibv_free_device_list(struct ibv_device **array) {
    begin(FN_ibv_free_device_list);
    if (usable(array, KIND_LIST, "ibv_free_device_list")) {
        struct fake_list *list = CONTAINER(array, struct fake_list, devices);
        for (int i = 0; list->devices[i]; i++) CONTAINER(list->devices[i], struct fake_device, ibv)->references--;
        note("ibv_free_device_list %s", NAME(list));
        end_object(&list->head);
    }
    leave();
}

const char *ibv_get_device_name(struct ibv_device *device) {
    int error = begin(FN_ibv_get_device_name);
    struct fake_device *found = error ? NULL : device_for(device, "ibv_get_device_name");
    leave();
    return found ? found->ibv.name : NULL;
}

__be64 ibv_get_device_guid(struct ibv_device *device) {
    int error = begin(FN_ibv_get_device_guid);
    struct fake_device *found = error ? NULL : device_for(device, "ibv_get_device_guid");
    leave();
    return found ? found->attr.node_guid : 0;
}

int ibv_get_device_index(struct ibv_device *device) {
    int error = begin(FN_ibv_get_device_index);
    struct fake_device *found = error ? NULL : device_for(device, "ibv_get_device_index");
    leave();
    return found ? found->index : -1;
}

static int query_port_op(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t length) {
    int error = begin(FN_query_port);
    if (!error && !context_usable(context, "query_port")) error = EINVAL;
    if (!error && !has_port(context_of(context)->device, port)) error = EINVAL;
    if (!error) {
        memset(attr, 0, length);
        memcpy(attr, &context_of(context)->device->port, length < sizeof *attr ? length : sizeof *attr);
    }
    leave();
    return error;
}

/* The exported one is the old call: it knows nothing of the last field. */
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
    int error = begin(FN_ibv_query_port);
    if (!error && !context_usable(context, "ibv_query_port")) error = EINVAL;
    if (!error && !has_port(context_of(context)->device, port)) error = EINVAL;
    if (!error) memcpy(attr, &context_of(context)->device->port, offsetof(struct ibv_port_attr, port_cap_flags2));
    leave();
    return error;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
    int error = begin(FN_ibv_query_device);
    if (!error && !context_usable(context, "ibv_query_device")) error = EINVAL;
    if (!error) *attr = context_of(context)->device->attr;
    leave();
    return error;
}

static int query_device_ex_op(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
                              struct ibv_device_attr_ex *attr, size_t length) {
    int error = begin(FN_query_device_ex);
    if (!error && !context_usable(context, "query_device_ex")) error = EINVAL;
    if (!error && ((input && input->comp_mask) || length < sizeof attr->orig_attr)) error = EINVAL;
    if (!error) {
        struct ibv_device_attr_ex answer = context_of(context)->device->extended;
        answer.orig_attr = context_of(context)->device->attr;
        answer.phys_port_cnt_ex = answer.orig_attr.phys_port_cnt;
        memset(attr, 0, length);
        memcpy(attr, &answer, length < sizeof answer ? length : sizeof answer);
    }
    leave();
    return error;
}

struct ibv_context *ibv_open_device(struct ibv_device *ibv) {
    int error = begin(FN_ibv_open_device);
    struct fake_device *device = device_for(ibv, "ibv_open_device");
    if (!error && !device) error = EINVAL;
    if (error) {
        note("ibv_open_device -> %s", errno_name(error));
        leave();
        errno = error;
        return NULL;
    }
    struct fake_context *context = new_object(KIND_CONTEXT, sizeof *context);
    struct ibv_context *public = &context->ibv.context;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) {
        error = errno;
        end_object(&context->head);
        leave();
        errno = error;
        return NULL;
    }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    context->device = device;
    context->async_read = ends[0];
    context->async_write = ends[1];
    device->references++;

    context->ibv.sz = script.context_size;
    context->ibv.query_port = script.op_removed[0] ? NULL : query_port_op;
    context->ibv.query_device_ex = script.op_removed[1] ? NULL : query_device_ex_op;
    context->ibv.create_cq_ex = script.op_removed[10] ? NULL : create_cq_ex_op;
    context->ibv.modify_cq = script.op_removed[11] ? NULL : modify_cq_op;
    context->ibv.create_qp_ex = create_qp_ex_op;
    public->ops.post_send = script.op_removed[2] ? NULL : post_send_op;
    public->ops.post_recv = script.op_removed[3] ? NULL : post_recv_op;
    public->ops.poll_cq = script.op_removed[4] ? NULL : poll_cq_op;
    public->ops.req_notify_cq = script.op_removed[5] ? NULL : req_notify_cq_op;
    public->ops.post_srq_recv = script.op_removed[6] ? NULL : post_srq_recv_op;
    public->ops.alloc_mw = script.op_removed[7] ? NULL : alloc_mw_op;
    public->ops.bind_mw = script.op_removed[8] ? NULL : bind_mw_op;
    public->ops.dealloc_mw = script.op_removed[9] ? NULL : dealloc_mw_op;
    context->ibv.advise_mr = script.op_removed[12] ? NULL : advise_mr_op;
    public->device = corrupt("context.device") ? &devices[1 - device->index].ibv : ibv;
    public->abi_compat = corrupt("context.abi_compat") ? NULL : __VERBS_ABI_IS_EXTENDED;
    public->cmd_fd = -1;
    public->async_fd = ends[0];
    public->num_comp_vectors = 2;
    pthread_mutex_init(&public->mutex, NULL);
    note("ibv_open_device %s -> %s", ibv->name, NAME(context));
    leave();
    return public;
}

int ibv_close_device(struct ibv_context *ibv) {
    int error = begin(FN_ibv_close_device);
    if (!error && !context_usable(ibv, "ibv_close_device")) error = EINVAL;
    if (!error) {
        struct fake_context *context = context_of(ibv);
        if (context->head.children)
            violation("ibv_close_device %s with %d live children", NAME(context), context->head.children);
        note("ibv_close_device %s", NAME(context));
        close(context->async_read);
        close(context->async_write);
        context->device->references--;
        end_object(&context->head);
    } else {
        note("ibv_close_device -> %s", errno_name(error));
    }
    leave();
    if (!error) return 0;
    errno = error;
    return -1;
}

static int read_gid(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
                    const char *call) {
    if (!context_usable(context, call) || index >= GID_TABLE_SIZE) return EINVAL;
    const struct fake_device *device = context_of(context)->device;
    if (!has_port(device, port)) return EINVAL;
    *entry = device->gids[index];
    entry->port_num = device->gid_port;
    return entry->ndev_ifindex && port == device->gid_port ? 0 : ENODATA;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid) {
    int error = begin(FN_ibv_query_gid);
    struct ibv_gid_entry entry = {.port_num = 0};
    if (!error) error = read_gid(context, port, index, &entry, "ibv_query_gid");
    if (error == ENODATA) error = 0; /* an empty entry reads as zeros */
    if (!error) *gid = entry.gid;
    leave();
    if (!error) return 0;
    errno = error;
    return -1;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
                      uint32_t flags, size_t entry_size) {
    int error = begin(FN__ibv_query_gid_ex);
    struct ibv_gid_entry found;
    if (!error && flags) error = EOPNOTSUPP;
    if (!error) error = read_gid(context, port, index, &found, "ibv_query_gid_ex");
    if (!error) memcpy(entry, &found, entry_size < sizeof found ? entry_size : sizeof found);
    leave();
    return error;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t capacity,
                             uint32_t flags, size_t entry_size) {
    int error = begin(FN__ibv_query_gid_table);
    size_t count = 0;
    if (!error && flags) error = EOPNOTSUPP;
    if (!error && !context_usable(context, "ibv_query_gid_table")) error = EINVAL;
    for (int i = 0; !error && i < GID_TABLE_SIZE; i++) {
        struct ibv_gid_entry entry = context_of(context)->device->gids[i];
        if (!entry.ndev_ifindex) continue;
        entry.port_num = context_of(context)->device->gid_port;
        if (count == capacity) {
            error = EINVAL;
        } else {
            memcpy((char *)entries + count++ * entry_size, &entry, entry_size < 32 ? entry_size : 32);
        }
    }
    leave();
    return error ? -error : (ssize_t)count;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey) {
    int error = begin(FN_ibv_query_pkey);
    if (!error && (!context_usable(context, "ibv_query_pkey") || port != 1 || index != 0)) error = EINVAL;
    if (!error) *pkey = htobe16(0xffff);
    leave();
    if (!error) return 0;
    errno = error;
    return -1;
}

int ibv_get_pkey_index(struct ibv_context *context, uint8_t port, __be16 pkey) {
    int error = begin(FN_ibv_get_pkey_index);
    if (!error && !context_usable(context, "ibv_get_pkey_index")) error = EINVAL;
    leave();
    return !error && port == 1 && pkey == htobe16(0xffff) ? 0 : -1;
}

int ibv_fork_init(void) {
    int error = begin(FN_ibv_fork_init);
    if (!error && script.fork_status == IBV_FORK_DISABLED) script.fork_status = IBV_FORK_ENABLED;
    leave();
    return error;
}

enum ibv_fork_status ibv_is_fork_initialized(void) {
    begin(FN_ibv_is_fork_initialized);
    enum ibv_fork_status status = script.fork_status;
    leave();
    return status;
}
