/*
 * A libibverbs that the tests can predict: each function notes its arguments in last[] and answers something of its own.
 */
#include <errno.h>
#include <string.h>
#include <infiniband/verbs.h>

#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

long long last[8];

#define FAIL(number, result) \
	do {                 \
		errno = (number); \
		return (result);  \
	} while (0)

#define NOTE(...)                                                    \
	do {                                                         \
		long long noted[8] = { __VA_ARGS__ };                \
		memcpy(last, noted, sizeof(last));                   \
	} while (0)

struct ibv_device **ibv_get_device_list(int *num_devices)
{
	FAIL(101, NULL);
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	FAIL(102, NULL);
}

int ibv_close_device(struct ibv_context *context)
{
	FAIL(103, -1);
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	FAIL(104, NULL);
}

/* Fails for a domain of NULL. */
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access)
{
	last[0] = (long long)pd;
	last[1] = (long long)addr;
	last[2] = length;
	last[3] = iova;
	last[4] = access;
	if (!pd)
		FAIL(105, NULL);
	return (struct ibv_mr *)0x1000;
}

/* The frozen symbols, which nothing should call. */
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	return (struct ibv_mr *)0x2000;
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access)
{
	return (struct ibv_mr *)0x2001;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	FAIL(106, NULL);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	last[0] = (long long)context;
	last[1] = cqe;
	last[2] = (long long)cq_context;
	last[3] = (long long)channel;
	last[4] = comp_vector;
	FAIL(107, NULL);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *qp_init_attr)
{
	last[0] = (long long)pd;
	last[1] = (long long)qp_init_attr;
	FAIL(108, NULL);
}

/* The member create_qp_ex of verbs_context: fails without a domain. */
struct ibv_qp *fake_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	last[0] = (long long)context;
	last[1] = (long long)attr;
	if (!(attr->comp_mask & IBV_QP_INIT_ATTR_PD))
		FAIL(110, NULL);
	return (struct ibv_qp *)0x3000;
}

/* The member create_cq_ex of verbs_context: fails for no entries. */
struct ibv_cq_ex *fake_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	last[0] = (long long)context;
	last[1] = (long long)attr;
	if (!attr->cqe)
		FAIL(111, NULL);
	return (struct ibv_cq_ex *)0x4000;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port_num, int index, __be16 *pkey)
{
	FAIL(109, -1);
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	FAIL(113, NULL);
}

struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc, struct ibv_grh *grh, uint8_t port_num)
{
	NOTE((long long)pd, (long long)wc, (long long)grh, port_num);
	FAIL(114, NULL);
}

int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num, struct ibv_wc *wc, struct ibv_grh *grh,
			struct ibv_ah_attr *ah_attr)
{
	NOTE((long long)context, port_num, (long long)wc, (long long)grh, (long long)ah_attr);
	FAIL(115, -1);
}

struct ibv_context *ibv_import_device(int cmd_fd)
{
	FAIL(116, NULL);
}

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t pd_handle)
{
	FAIL(117, NULL);
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t mr_handle)
{
	FAIL(118, NULL);
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t dm_handle)
{
	FAIL(119, NULL);
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access)
{
	NOTE((long long)pd, offset, length, iova, fd, access);
	FAIL(120, NULL);
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length, int access)
{
	NOTE((long long)mr, flags, (long long)pd, (long long)addr, length, access);
	FAIL(121, IBV_REREG_MR_ERR_CMD);
}

int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index, union ibv_gid *gid)
{
	FAIL(122, -1);
}

int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num, __be16 pkey)
{
	FAIL(123, -1);
}

int event_of(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context);

/* Fails for a channel of NULL. */
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	if (!channel)
		FAIL(110, -1);
	return event_of(channel, cq, cq_context);
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	FAIL(112, -1);
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *srq_init_attr)
{
	NOTE((long long)pd, (long long)srq_init_attr);
	FAIL(111, NULL);
}

/* The frozen symbol: it knows the 48 bytes of the first release. */
int ibv_query_port(struct ibv_context *context, uint8_t port_num, struct _compat_ibv_port_attr *port_attr)
{
	memset(port_attr, 0x11, 48);
	return 0;
}

/* The member query_port of verbs_context. */
int fake_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *port_attr, size_t length)
{
	last[0] = (long long)context;
	last[1] = port_num;
	last[2] = length;
	memset(port_attr, 0x22, length);
	return 0;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num, uint32_t gid_index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t entry_size)
{
	last[0] = port_num;
	last[1] = gid_index;
	last[2] = flags;
	last[3] = entry_size;
	return ENODATA;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max_entries,
			     uint32_t flags, size_t entry_size)
{
	last[0] = max_entries;
	last[1] = flags;
	last[2] = entry_size;
	return -ENOSPC;
}

int fake_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	last[0] = (long long)qp;
	last[1] = (long long)wr;
	*bad_wr = wr;
	return ENOMEM;
}

int fake_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	last[0] = (long long)qp;
	last[1] = (long long)wr;
	*bad_wr = wr;
	return EINVAL;
}

int fake_poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)
{
	last[0] = (long long)cq;
	last[1] = num_entries;
	wc[0].wr_id = 0x1234567890abcdef;
	return 1;
}

int fake_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	last[0] = (long long)cq;
	last[1] = solicited_only;
	return EOPNOTSUPP;
}
