/*
 * The inline functions of the header as C itself calls them, one c_NAME each, over a provider that says what it was asked
 * for in said[]. The tests call the same function in Java with the same arguments: there must be no difference.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <infiniband/verbs.h>

char said[300];

#define NUMBER(value) ((unsigned long long)(value))
#define SAY(format, ...) snprintf(said, sizeof(said), "%s" format, __func__, ##__VA_ARGS__)

/* What the arguments point to. */
struct ibv_pd pd;
struct ibv_pd other_pd;
struct ibv_mr mr;
struct ibv_mw mw;
struct ibv_mw_bind mw_bind;
struct ibv_dm dm;
struct ibv_td td;
struct ibv_xrcd xrcd;
struct ibv_srq srq;
struct ibv_qp qp;
struct ibv_cq cq;
struct ibv_wq wq;
struct ibv_rwq_ind_table table;
struct ibv_flow flow;
struct ibv_flow_action action;
struct ibv_counters counters;
struct ibv_srq_init_attr_ex srq_attr;
struct ibv_qp_init_attr_ex qp_attr;
struct ibv_cq_init_attr_ex cq_attr;
struct ibv_wq_init_attr wq_attr;
struct ibv_query_device_ex_input input;
struct ibv_device_attr_ex device_attr;
struct ibv_port_attr port_attr;
struct ibv_gid_entry gid_entry;
struct ibv_wc wc;
/* Whatever nobody looks into. */
char attr[8];
char memory[8];
void *bad;
unsigned int rights = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING;

static int failing;

#define CREATE(type, name, parameters, format, ...)     \
	static type *name parameters                    \
	{                                               \
		SAY(format, __VA_ARGS__);               \
		errno = ENOSPC;                         \
		return failing ? NULL : (type *)0x5a50; \
	}

#define DO(name, parameters, format, ...)    \
	static int name parameters           \
	{                                    \
		SAY(format, __VA_ARGS__);    \
		return failing ? EBUSY : 0; \
	}

CREATE(struct ibv_mw, alloc_mw, (struct ibv_pd *p, enum ibv_mw_type type), " %p %d", p, type)
DO(dealloc_mw, (struct ibv_mw *w), " %p", w)
DO(bind_mw, (struct ibv_qp *q, struct ibv_mw *w, struct ibv_mw_bind *b), " %p %p %p", q, w, b)
DO(poll_cq, (struct ibv_cq *c, int n, struct ibv_wc *w), " %p %d %p", c, n, w)
DO(req_notify_cq, (struct ibv_cq *c, int solicited), " %p %d", c, solicited)
DO(post_srq_recv, (struct ibv_srq *s, struct ibv_recv_wr *w, struct ibv_recv_wr **b), " %p %p %p", s, w, b)
DO(post_send, (struct ibv_qp *q, struct ibv_send_wr *w, struct ibv_send_wr **b), " %p %p %p", q, w, b)
DO(post_recv, (struct ibv_qp *q, struct ibv_recv_wr *w, struct ibv_recv_wr **b), " %p %p %p", q, w, b)

/* Newer headers append to the struct. */
DO(query_port, (struct ibv_context *c, uint8_t port, struct ibv_port_attr *a, size_t n), " %p %u %p %d", c, port, a, n >= 52)
DO(advise_mr, (struct ibv_pd *p, enum ib_uverbs_advise_mr_advice advice, uint32_t flags, struct ibv_sge *s, uint32_t n),
   " %p %d %x %p %x", p, advice, flags, s, n)
CREATE(struct ibv_mr, alloc_null_mr, (struct ibv_pd *p), " %p", p)
DO(read_counters, (struct ibv_counters *c, uint64_t *v, uint32_t n, uint32_t flags), " %p %p %x %x", c, v, n, flags)
DO(attach_counters_point_flow, (struct ibv_counters *c, struct ibv_counter_attach_attr *a, struct ibv_flow *f), " %p %p %p",
   c, a, f)
CREATE(struct ibv_counters, create_counters, (struct ibv_context *c, struct ibv_counters_init_attr *a), " %p %p", c, a)
DO(destroy_counters, (struct ibv_counters *c), " %p", c)
CREATE(struct ibv_mr, reg_dm_mr, (struct ibv_pd *p, struct ibv_dm *d, uint64_t offset, size_t n, unsigned int flags),
       " %p %p %llx %zx %x", p, d, NUMBER(offset), n, flags)
CREATE(struct ibv_dm, alloc_dm, (struct ibv_context *c, struct ibv_alloc_dm_attr *a), " %p %p", c, a)
DO(free_dm, (struct ibv_dm *d), " %p", d)
DO(memcpy_to_dm, (struct ibv_dm *d, uint64_t offset, const void *host, size_t n), " %p %llx %p %zx", d, NUMBER(offset), host, n)
DO(memcpy_from_dm, (void *host, struct ibv_dm *d, uint64_t offset, size_t n), " %p %p %llx %zx", host, d, NUMBER(offset), n)
DO(modify_flow_action_esp, (struct ibv_flow_action *f, struct ibv_flow_action_esp_attr *a), " %p %p", f, a)
DO(destroy_flow_action, (struct ibv_flow_action *f), " %p", f)
CREATE(struct ibv_flow_action, create_flow_action_esp, (struct ibv_context *c, struct ibv_flow_action_esp_attr *a), " %p %p",
       c, a)
DO(modify_qp_rate_limit, (struct ibv_qp *q, struct ibv_qp_rate_limit_attr *a), " %p %p", q, a)
CREATE(struct ibv_pd, alloc_parent_domain, (struct ibv_context *c, struct ibv_parent_domain_init_attr *a), " %p %p", c, a)
DO(dealloc_td, (struct ibv_td *t), " %p", t)
CREATE(struct ibv_td, alloc_td, (struct ibv_context *c, struct ibv_td_init_attr *a), " %p %p", c, a)
DO(modify_cq, (struct ibv_cq *c, struct ibv_modify_cq_attr *a), " %p %p", c, a)
DO(post_srq_ops, (struct ibv_srq *s, struct ibv_ops_wr *o, struct ibv_ops_wr **b), " %p %p %p", s, o, b)
DO(destroy_rwq_ind_table, (struct ibv_rwq_ind_table *t), " %p", t)
CREATE(struct ibv_rwq_ind_table, create_rwq_ind_table, (struct ibv_context *c, struct ibv_rwq_ind_table_init_attr *a),
       " %p %p", c, a)
DO(destroy_wq, (struct ibv_wq *w), " %p", w)
DO(modify_wq, (struct ibv_wq *w, struct ibv_wq_attr *a), " %p %p", w, a)
DO(post_wq_recv, (struct ibv_wq *w, struct ibv_recv_wr *r, struct ibv_recv_wr **b), " %p %p %p", w, r, b)
DO(query_rt_values, (struct ibv_context *c, struct ibv_values_ex *v), " %p %p", c, v)
CREATE(struct ibv_cq_ex, create_cq_ex, (struct ibv_context *c, struct ibv_cq_init_attr_ex *a), " %p %p", c, a)
DO(destroy_flow, (struct ibv_flow *f), " %p", f)
CREATE(struct ibv_flow, create_flow, (struct ibv_qp *q, struct ibv_flow_attr *a), " %p %p", q, a)
CREATE(struct ibv_qp, open_qp, (struct ibv_context *c, struct ibv_qp_open_attr *a), " %p %p", c, a)
CREATE(struct ibv_qp, create_qp_ex, (struct ibv_context *c, struct ibv_qp_init_attr_ex *a), " %p %p", c, a)
DO(get_srq_num, (struct ibv_srq *s, uint32_t *n), " %p %p", s, n)
CREATE(struct ibv_srq, create_srq_ex, (struct ibv_context *c, struct ibv_srq_init_attr_ex *a), " %p %p", c, a)
CREATE(struct ibv_xrcd, open_xrcd, (struct ibv_context *c, struct ibv_xrcd_init_attr *a), " %p %p", c, a)
DO(close_xrcd, (struct ibv_xrcd *x), " %p", x)

/* The header itself fills part of this one. */
static struct ibv_wq *create_wq(struct ibv_context *c, struct ibv_wq_init_attr *a)
{
	SAY(" %p %p", c, a);
	errno = ENOSPC;
	return failing ? NULL : &wq;
}

static int query_device_ex(struct ibv_context *c, const struct ibv_query_device_ex_input *i, struct ibv_device_attr_ex *a,
			   size_t n)
{
	SAY(" %p %p %p %zu", c, i, a, n);
	return failing ? ENOSYS : EPERM;
}

/* What an inline one falls back to; other such functions leave their arguments in last[]. */
int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *a)
{
	SAY(" %p %p", c, a);
	a->max_qp = 7;
	return 0;
}

static const struct verbs_context known = {
	.query_port = query_port,
	.advise_mr = advise_mr,
	.alloc_null_mr = alloc_null_mr,
	.read_counters = read_counters,
	.attach_counters_point_flow = attach_counters_point_flow,
	.create_counters = create_counters,
	.destroy_counters = destroy_counters,
	.reg_dm_mr = reg_dm_mr,
	.alloc_dm = alloc_dm,
	.free_dm = free_dm,
	.modify_flow_action_esp = modify_flow_action_esp,
	.destroy_flow_action = destroy_flow_action,
	.create_flow_action_esp = create_flow_action_esp,
	.modify_qp_rate_limit = modify_qp_rate_limit,
	.alloc_parent_domain = alloc_parent_domain,
	.dealloc_td = dealloc_td,
	.alloc_td = alloc_td,
	.modify_cq = modify_cq,
	.post_srq_ops = post_srq_ops,
	.destroy_rwq_ind_table = destroy_rwq_ind_table,
	.create_rwq_ind_table = create_rwq_ind_table,
	.destroy_wq = destroy_wq,
	.modify_wq = modify_wq,
	.create_wq = create_wq,
	.query_rt_values = query_rt_values,
	.create_cq_ex = create_cq_ex,
	.query_device_ex = query_device_ex,
	.ibv_destroy_flow = destroy_flow,
	.ibv_create_flow = create_flow,
	.open_qp = open_qp,
	.create_qp_ex = create_qp_ex,
	.get_srq_num = get_srq_num,
	.create_srq_ex = create_srq_ex,
	.open_xrcd = open_xrcd,
	.close_xrcd = close_xrcd,
	.sz = sizeof(struct verbs_context),
	.context.abi_compat = __VERBS_ABI_IS_EXTENDED,
	.context.ops = {
		.alloc_mw = alloc_mw,
		.bind_mw = bind_mw,
		.dealloc_mw = dealloc_mw,
		.poll_cq = poll_cq,
		.req_notify_cq = req_notify_cq,
		.post_srq_recv = post_srq_recv,
		.post_send = post_send,
		.post_recv = post_recv,
	},
};

static struct verbs_context device;
#define HERE (&device.context)

enum kind { FULL, FAILING, SILENT, OLD, UNMARKED };

static void set_attributes(void)
{
	mw.type = IBV_MW_TYPE_1;
	mw.pd = mr.pd = &pd;
	mw_bind = (struct ibv_mw_bind){ .bind_info = { .mr = &mr, .addr = 1, .length = 2 } };
	srq_attr = (struct ibv_srq_init_attr_ex){ .pd = &pd, .srq_type = IBV_SRQT_XRC };
	srq_attr.comp_mask = IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_TYPE;
	qp_attr = (struct ibv_qp_init_attr_ex){ .pd = &pd };
	qp_attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	wq_attr.wq_context = attr;
	input.comp_mask = 0;
	bad = NULL;
}

static void set_functions(int present)
{
	dm.memcpy_to_dm = present ? memcpy_to_dm : NULL;
	dm.memcpy_from_dm = present ? memcpy_from_dm : NULL;
	wq.post_recv = present ? post_wq_recv : NULL;
}

/* All objects as they are before a call, on a device of some kind. */
void use(int kind)
{
	said[0] = 0;
	device = known;
	if (kind == SILENT) {
		memset(&device, 0, sizeof(device));
		device.sz = sizeof(device);
		HERE->abi_compat = __VERBS_ABI_IS_EXTENDED;
	}
	if (kind == OLD)
		device.sz = sizeof(device.context);
	if (kind == UNMARKED)
		HERE->abi_compat = NULL;
	failing = kind == FAILING;
	memset(&wq, 0xee, sizeof(wq));
	memset(&device_attr, 0xee, sizeof(device_attr));
	memset(&port_attr, 0xee, sizeof(port_attr));
	pd.context = mw.context = dm.context = td.context = xrcd.context = srq.context = qp.context = cq.context = wq.context =
		table.context = flow.context = action.context = counters.context = HERE;
	set_attributes();
	set_functions(kind != SILENT);
}

/* The device that use() made. */
void *used(void)
{
	return HERE;
}

#define CALL_AFTER(statement, name, function, ...)       \
	long long c_##name(void)                          \
	{                                                 \
		statement;                                \
		return (long long)function(__VA_ARGS__); \
	}
#define CALL(function, ...) CALL_AFTER(, function, function, __VA_ARGS__)

CALL(ibv_alloc_mw, &pd, IBV_MW_TYPE_2)
CALL(ibv_dealloc_mw, &mw)
CALL(ibv_bind_mw, &qp, &mw, &mw_bind)
CALL_AFTER(mw.type = IBV_MW_TYPE_2, ibv_bind_mw_of_type_2, ibv_bind_mw, &qp, &mw, &mw_bind)
CALL_AFTER(mw_bind.bind_info.mr = NULL, ibv_bind_mw_without_region, ibv_bind_mw, &qp, &mw, &mw_bind)
CALL_AFTER(memset(&mw_bind, 0, sizeof(mw_bind)), ibv_bind_mw_to_nothing, ibv_bind_mw, &qp, &mw, &mw_bind)
CALL_AFTER(mr.pd = &other_pd, ibv_bind_mw_of_other_domain, ibv_bind_mw, &qp, &mw, &mw_bind)
CALL(ibv_inc_rkey, 0xf23456ff)
CALL(ibv_alloc_dm, HERE, (void *)attr)
CALL(ibv_free_dm, &dm)
CALL(ibv_memcpy_to_dm, &dm, 0xf000000000000001, memory, 0x1f0000002)
CALL(ibv_memcpy_from_dm, memory, &dm, 0xf000000000000001, 0x1f0000002)
CALL(ibv_reg_dm_mr, &pd, &dm, 0xf000000000000001, 0x1f0000002, 0xf0000003)
CALL(ibv_reg_mr, &pd, memory, 0x1f0000001, rights)
CALL(ibv_reg_mr_iova, &pd, memory, 0x1f0000001, 0xf000000000000002, rights)
CALL(ibv_alloc_null_mr, &pd)
CALL(ibv_advise_mr, &pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, 0xf0000001, (void *)attr, 0xf0000002)
CALL(ibv_alloc_td, HERE, (void *)attr)
CALL(ibv_dealloc_td, &td)
CALL(ibv_alloc_parent_domain, HERE, (void *)attr)
CALL(ibv_open_xrcd, HERE, (void *)attr)
CALL(ibv_close_xrcd, &xrcd)
CALL(ibv_open_qp, HERE, (void *)attr)
CALL(ibv_get_srq_num, &srq, (void *)memory)
CALL(ibv_create_srq_ex, HERE, &srq_attr)
CALL_AFTER(srq_attr.srq_type = IBV_SRQT_BASIC, ibv_create_srq_ex_basic, ibv_create_srq_ex, HERE, &srq_attr)
CALL_AFTER(srq_attr.comp_mask = IBV_SRQ_INIT_ATTR_PD, ibv_create_srq_ex_untyped, ibv_create_srq_ex, HERE, &srq_attr)
CALL_AFTER(srq_attr.comp_mask = 0, ibv_create_srq_ex_without_domain, ibv_create_srq_ex, HERE, &srq_attr)
CALL(ibv_post_srq_recv, &srq, (void *)attr, (void *)&bad)
CALL(ibv_post_srq_ops, &srq, (void *)attr, (void *)&bad)
CALL(ibv_create_flow, &qp, (void *)attr)
CALL(ibv_destroy_flow, &flow)
CALL(ibv_create_flow_action_esp, HERE, (void *)attr)
CALL(ibv_modify_flow_action_esp, &action, (void *)attr)
CALL(ibv_destroy_flow_action, &action)
CALL(ibv_create_counters, HERE, (void *)attr)
CALL(ibv_destroy_counters, &counters)
CALL(ibv_attach_counters_point_flow, &counters, (void *)attr, &flow)
CALL(ibv_read_counters, &counters, (void *)memory, 0xf0000001, 0xf0000002)
CALL(ibv_create_wq, HERE, &wq_attr)
CALL(ibv_modify_wq, &wq, (void *)attr)
CALL(ibv_destroy_wq, &wq)
CALL(ibv_post_wq_recv, &wq, (void *)attr, (void *)&bad)
CALL(ibv_create_rwq_ind_table, HERE, (void *)attr)
CALL(ibv_destroy_rwq_ind_table, &table)
CALL(ibv_create_qp_ex, HERE, &qp_attr)
CALL_AFTER(qp_attr.comp_mask = IBV_QP_INIT_ATTR_PD, ibv_create_qp_ex_with_domain, ibv_create_qp_ex, HERE, &qp_attr)
CALL(ibv_create_cq_ex, HERE, &cq_attr)
CALL(ibv_modify_cq, &cq, (void *)attr)
CALL(ibv_modify_qp_rate_limit, &qp, (void *)attr)
CALL(ibv_query_device_ex, HERE, &input, &device_attr)
CALL(ibv_query_rt_values_ex, HERE, (void *)attr)
CALL_AFTER(input.comp_mask = 1, ibv_query_device_ex_with_mask, ibv_query_device_ex, HERE, &input, &device_attr)
CALL_AFTER(, ibv_query_device_ex_without_input, ibv_query_device_ex, HERE, NULL, &device_attr)
CALL(ibv_query_port, HERE, 0xff, &port_attr)
CALL(ibv_query_gid_ex, HERE, 0xf0000001, 0xf0000002, &gid_entry, 0xf0000003)
CALL(ibv_query_gid_table, HERE, &gid_entry, 0x1f0000001, 0xf0000002)
CALL(ibv_is_qpt_supported, 1 << IBV_QPT_UD, IBV_QPT_UD)
CALL_AFTER(, ibv_is_qpt_supported_not, ibv_is_qpt_supported, 1 << IBV_QPT_UD, IBV_QPT_RC)
CALL(ibv_flow_label_to_udp_sport, 0xfabcde)
CALL(ibv_post_send, &qp, (void *)attr, (void *)&bad)
CALL(ibv_post_recv, &qp, (void *)attr, (void *)&bad)
CALL(ibv_poll_cq, &cq, 16, &wc)
CALL(ibv_req_notify_cq, &cq, 1)

/* Exported ones whose arguments could change places unnoticed. */
CALL(ibv_reg_dmabuf_mr, &pd, 0xf000000000000001, 0x1f0000002, 0xf000000000000003, 4, 5)
CALL(ibv_rereg_mr, &mr, 1, &pd, memory, 0x1f0000002, 3)
CALL(ibv_create_ah_from_wc, &pd, &wc, (void *)memory, 0xff)
CALL(ibv_init_ah_from_wc, HERE, 0xff, &wc, (void *)memory, (void *)attr)

static void flush(struct ibv_qp_ex *q, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type, uint8_t level)
{
	SAY(" %x %llx %zx %x %x", rkey, NUMBER(remote_addr), len, type, level);
}

/* A queue pair as rdma-core 45 and newer have it: one function more. */
struct {
	char before[offsetof(struct ibv_qp_ex, wr_atomic_write) + sizeof(void *)];
	void (*wr_flush)(struct ibv_qp_ex *, uint32_t, uint64_t, size_t, uint8_t, uint8_t);
} flushing_qp = { .wr_flush = flush };
