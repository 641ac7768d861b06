/*
 * The inline functions of rdma_cma.h and rdma_verbs.h as C itself calls them, one c_NAME each, over a provider that adds what it
 * was asked for to said[], which inlines.c has. The tests call the same function in Java: there must be no difference.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <infiniband/verbs.h>

/* With rights that are constants C calls the frozen symbol, which does the same. */
#undef ibv_reg_mr
#define ibv_reg_mr(pd, addr, length, access) ibv_reg_mr_iova2(pd, addr, length, (uintptr_t)(addr), access)

#include <rdma/rdma_verbs.h>

extern char said[300];
extern long long last[8];
extern struct ibv_pd pd;
extern struct ibv_mr mr;
extern struct ibv_qp qp;
extern struct ibv_srq srq;
extern struct ibv_cq cq;
extern struct ibv_wc wc;
extern char memory[8];

struct rdma_cm_id cm_id;
struct ibv_cq other_cq;
struct ibv_comp_channel channel;
struct ibv_comp_channel other_channel;
struct ibv_sge elements[2] = { { 0xf000000000000001, 0xf0000002, 0xf0000003 }, { 4, 5, 6 } };

#define NUMBER(value) ((unsigned long long)(value))
#define ADD(format, ...) \
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s" format "; ", __func__, ##__VA_ARGS__)

/* What a poll answers, one after the other. */
enum cm_kind { READY, REFUSED, AFTER_ARMING, AFTER_EVENT, NO_EVENT, BROKEN, SHARED };
static const int answers[][3] = { { 1 }, { 0 }, { 0, 2 }, { 0, 0, 1 }, { 0, 0 }, { -5 }, { 1 } };
static enum cm_kind now;
static int polls;

static int result(void)
{
	return now == REFUSED ? EBUSY : 0;
}

static void add_elements(const struct ibv_sge *list, int count)
{
	for (int i = 0; i < count; i++)
		ADD(" %llx %x %x", NUMBER(list[i].addr), list[i].length, list[i].lkey);
}

static int cm_post_send(struct ibv_qp *q, struct ibv_send_wr *w, struct ibv_send_wr **bad_wr)
{
	ADD(" %p %llx %p %d %d %x", q, NUMBER(w->wr_id), w->next, w->num_sge, w->opcode, w->send_flags);
	add_elements(w->sg_list, w->num_sge);
	if (w->opcode != IBV_WR_SEND)
		ADD(" to %llx %x", NUMBER(w->wr.rdma.remote_addr), w->wr.rdma.rkey);
	if (q->qp_type == IBV_QPT_UD)
		ADD(" to %p %x %x", w->wr.ud.ah, w->wr.ud.remote_qpn, w->wr.ud.remote_qkey);
	*bad_wr = w;
	return result();
}

static int cm_post_recv(struct ibv_qp *q, struct ibv_recv_wr *w, struct ibv_recv_wr **bad_wr)
{
	ADD(" %p %llx %p %d", q, NUMBER(w->wr_id), w->next, w->num_sge);
	add_elements(w->sg_list, w->num_sge);
	*bad_wr = w;
	return result();
}

static int cm_post_srq_recv(struct ibv_srq *s, struct ibv_recv_wr *w, struct ibv_recv_wr **bad_wr)
{
	ADD(" %p %llx %p %d", s, NUMBER(w->wr_id), w->next, w->num_sge);
	add_elements(w->sg_list, w->num_sge);
	*bad_wr = w;
	return result();
}

static int cm_poll_cq(struct ibv_cq *c, int entries, struct ibv_wc *w)
{
	ADD(" %p %d %p", c, entries, w);
	return answers[now][polls++];
}

static int cm_req_notify_cq(struct ibv_cq *c, int solicited)
{
	ADD(" %p %d", c, solicited);
	return result();
}

/* Exported functions that the inline ones call. */
int ibv_dereg_mr(struct ibv_mr *m)
{
	ADD(" %p", m);
	return result();
}

void ibv_ack_cq_events(struct ibv_cq *c, unsigned int events)
{
	ADD(" %p %u", c, events);
}

int event_of(struct ibv_comp_channel *from, struct ibv_cq **queue, void **context)
{
	ADD(" %p", from);
	*queue = from == &channel ? &cq : &other_cq;
	*context = &cm_id;
	return 0;
}

static struct verbs_context cm_device = {
	.sz = sizeof(struct verbs_context),
	.context.abi_compat = __VERBS_ABI_IS_EXTENDED,
	.context.ops = {
		.post_send = cm_post_send,
		.post_recv = cm_post_recv,
		.post_srq_recv = cm_post_srq_recv,
		.poll_cq = cm_poll_cq,
		.req_notify_cq = cm_req_notify_cq,
	},
};

/* An identifier as it is before a call. */
void cm_use(int kind)
{
	said[0] = 0;
	memset(last, 0, sizeof(last));
	polls = 0;
	now = kind;
	pd.context = mr.context = qp.context = srq.context = cq.context = other_cq.context = &cm_device.context;
	qp.qp_type = IBV_QPT_RC;
	mr.addr = memory;
	mr.length = 0xffffffff;
	mr.lkey = 0xf0000007;
	cm_id.pd = &pd;
	cm_id.qp = &qp;
	cm_id.srq = kind == SHARED ? &srq : NULL;
	cm_id.send_cq = &cq;
	cm_id.recv_cq = &other_cq;
	cm_id.send_cq_channel = kind == NO_EVENT ? NULL : &channel;
	cm_id.recv_cq_channel = kind == NO_EVENT ? NULL : &other_channel;
}

#define CALL_AFTER(statement, name, function, ...)       \
	long long c_##name(void)                          \
	{                                                 \
		statement;                                \
		return (long long)function(__VA_ARGS__); \
	}
#define CALL(function, ...) CALL_AFTER(, function, function, __VA_ARGS__)
#define CONTEXT ((void *)0xf00000000000000a)

CALL(rdma_get_local_addr, &cm_id)
CALL(rdma_get_peer_addr, &cm_id)
CALL(rdma_seterrno, 0)
CALL_AFTER(, rdma_seterrno_failed, rdma_seterrno, 99)
CALL(rdma_reg_msgs, &cm_id, memory, 0x1f0000001)
CALL(rdma_reg_read, &cm_id, memory, 0x1f0000001)
CALL(rdma_reg_write, &cm_id, memory, 0x1f0000001)
CALL(rdma_dereg_mr, &mr)
CALL(rdma_post_recvv, &cm_id, CONTEXT, elements, 2)
CALL(rdma_post_sendv, &cm_id, CONTEXT, elements, 2, 0xf0000008)
CALL(rdma_post_readv, &cm_id, CONTEXT, elements, 2, 0xf0000008, 0xf000000000000009, 0xf000000b)
CALL(rdma_post_writev, &cm_id, CONTEXT, elements, 2, 0xf0000008, 0xf000000000000009, 0xf000000b)
CALL(rdma_post_recv, &cm_id, CONTEXT, memory, 0xf000000c, &mr)
CALL(rdma_post_send, &cm_id, CONTEXT, memory, 0xf000000c, &mr, 0xf0000008)
CALL_AFTER(, rdma_post_send_inline, rdma_post_send, &cm_id, CONTEXT, memory, 0xf000000c, NULL, 0xf0000008)
CALL(rdma_post_read, &cm_id, CONTEXT, memory, 0xf000000c, &mr, 0xf0000008, 0xf000000000000009, 0xf000000b)
CALL(rdma_post_write, &cm_id, CONTEXT, memory, 0xf000000c, &mr, 0xf0000008, 0xf000000000000009, 0xf000000b)
CALL_AFTER(, rdma_post_write_inline, rdma_post_write, &cm_id, CONTEXT, memory, 0xf000000c, NULL, 0xf0000008,
	   0xf000000000000009, 0xf000000b)
CALL_AFTER(qp.qp_type = IBV_QPT_UD, rdma_post_ud_send, rdma_post_ud_send, &cm_id, CONTEXT, memory, 0xf000000c, &mr,
	   0xf0000008, (void *)0xd, 0xf000000e)
CALL(rdma_get_send_comp, &cm_id, &wc)
CALL(rdma_get_recv_comp, &cm_id, &wc)
