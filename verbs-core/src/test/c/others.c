/* The rest of what libibverbs exports: what this device does not support, and what librdmacm needs to be loaded. */
#include "fake_ibverbs.h"

#include <string.h>

static void misuse(const char *call, const char *reason) {
    enter();
    violation("%s: %s", call, reason);
    leave();
}

static void *unsupported(void) {
    errno = EOPNOTSUPP;
    return NULL;
}

struct ibv_context *ibv_import_device(int cmd_fd) {
    (void)cmd_fd;
    return unsupported();
}

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t handle) {
    (void)context, (void)handle;
    return unsupported();
}

void ibv_unimport_pd(struct ibv_pd *pd) {
    (void)pd;
    misuse("ibv_unimport_pd", "nothing was imported");
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t handle) {
    (void)pd, (void)handle;
    return unsupported();
}

void ibv_unimport_mr(struct ibv_mr *mr) {
    (void)mr;
    misuse("ibv_unimport_mr", "nothing was imported");
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t handle) {
    (void)context, (void)handle;
    return unsupported();
}

void ibv_unimport_dm(struct ibv_dm *dm) {
    (void)dm;
    misuse("ibv_unimport_dm", "nothing was imported");
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *address, size_t length, int access) {
    (void)mr, (void)flags, (void)pd, (void)address, (void)length, (void)access;
    errno = EOPNOTSUPP;
    return IBV_REREG_MR_ERR_CMD;
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
    (void)qp;
    if (!script.ece.vendor_id) return EOPNOTSUPP;
    *ece = script.ece;
    return 0;
}

/* As mlx5 has it: options of another vendor are not taken over, and are no error. */
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
    (void)qp;
    if (!script.ece.vendor_id) return EOPNOTSUPP;
    if (ece->comp_mask) return EINVAL;
    script.ece.options = ece->vendor_id == script.ece.vendor_id ? ece->options : 0;
    return 0;
}

int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attr, uint8_t mac[6], uint16_t *vlan) {
    (void)context, (void)attr, (void)mac, (void)vlan;
    return -EOPNOTSUPP;
}

int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port, struct ibv_wc *wc, struct ibv_grh *grh,
                        struct ibv_ah_attr *attr) {
    (void)context;
    memset(attr, 0, sizeof *attr);
    attr->port_num = port;
    attr->dlid = wc->slid;
    attr->sl = wc->sl;
    if (!(wc->wc_flags & IBV_WC_GRH)) return 0;
    attr->is_global = 1;
    attr->grh.dgid = grh->sgid;
    attr->grh.sgid_index = 1;
    attr->grh.hop_limit = 64;
    return 0;
}

struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc, struct ibv_grh *grh, uint8_t port) {
    struct ibv_ah_attr attr;
    return ibv_init_ah_from_wc(pd->context, port, wc, grh, &attr) ? NULL : ibv_create_ah(pd, &attr);
}

/* ---- rates ---- */

/* Multiples of the base rate of 2.5 Gbit/s (0: none) and Mbit/s, by enum ibv_rate. */
static const struct {
    int multiple, mbps;
} rates[] = {[IBV_RATE_2_5_GBPS] = {1, 2500},    [IBV_RATE_5_GBPS] = {2, 5000},      [IBV_RATE_10_GBPS] = {4, 10000},
             [IBV_RATE_20_GBPS] = {8, 20000},    [IBV_RATE_30_GBPS] = {12, 30000},   [IBV_RATE_40_GBPS] = {16, 40000},
             [IBV_RATE_60_GBPS] = {24, 60000},   [IBV_RATE_80_GBPS] = {32, 80000},   [IBV_RATE_120_GBPS] = {48, 120000},
             [IBV_RATE_14_GBPS] = {0, 14062},    [IBV_RATE_56_GBPS] = {0, 56250},    [IBV_RATE_112_GBPS] = {0, 112500},
             [IBV_RATE_168_GBPS] = {0, 168750},  [IBV_RATE_25_GBPS] = {0, 25781},    [IBV_RATE_100_GBPS] = {0, 103125},
             [IBV_RATE_200_GBPS] = {0, 206250},  [IBV_RATE_300_GBPS] = {0, 309375},  [IBV_RATE_28_GBPS] = {0, 28125},
             [IBV_RATE_50_GBPS] = {0, 53125},    [IBV_RATE_400_GBPS] = {0, 425000},  [IBV_RATE_600_GBPS] = {0, 637500},
             [IBV_RATE_800_GBPS] = {0, 850000},  [IBV_RATE_1200_GBPS] = {0, 1275000}};

#define RATES (int)(sizeof rates / sizeof rates[0])

int ibv_rate_to_mult(enum ibv_rate rate) {
    return (int)rate < RATES && rates[rate].multiple ? rates[rate].multiple : -1;
}

enum ibv_rate mult_to_ibv_rate(int multiple) {
    for (int i = 0; multiple && i < RATES; i++)
        if (rates[i].multiple == multiple) return i;
    return IBV_RATE_MAX;
}

int ibv_rate_to_mbps(enum ibv_rate rate) {
    return (int)rate < RATES && rates[rate].mbps ? rates[rate].mbps : -1;
}

enum ibv_rate mbps_to_ibv_rate(int mbps) {
    for (int i = 0; mbps && i < RATES; i++)
        if (rates[i].mbps == mbps) return i;
    return IBV_RATE_MAX;
}

/* ---- not declared in verbs.h; librdmacm is linked to them ---- */

const char *ibv_get_sysfs_path(void) {
    return "/sys";
}

int ibv_read_sysfs_file(const char *directory, const char *file, char *buffer, size_t size) {
    (void)directory, (void)file, (void)buffer, (void)size;
    return -1;
}

void ibv_copy_ah_attr_from_kern(void *to, void *from) {
    (void)to, (void)from;
    misuse("ibv_copy_ah_attr_from_kern", "there is no kernel behind the fake");
}

void ibv_copy_qp_attr_from_kern(void *to, void *from) {
    (void)to, (void)from;
    misuse("ibv_copy_qp_attr_from_kern", "there is no kernel behind the fake");
}

void ibv_copy_path_rec_from_kern(void *to, void *from) {
    (void)to, (void)from;
    misuse("ibv_copy_path_rec_from_kern", "there is no kernel behind the fake");
}
