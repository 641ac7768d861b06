/*
 * A provider of builders and of extended polling, whose structs C itself has filled: each function notes its name and
 * arguments in said[].
 */
#include <errno.h>
#include <stdio.h>
#include <infiniband/verbs.h>

char said[200];

#define SAY(...) snprintf(said, sizeof(said), __VA_ARGS__)

/* What a request carries besides its arguments, and that it is this queue pair. */
#define REQUEST(format, ...)                                                                                           \
	SAY("%s id %llx flags %x" format, qp == &full_qp ? __func__ : "another queue pair", (unsigned long long)qp->wr_id, \
	    qp->wr_flags, ##__VA_ARGS__)

#define ADDRESS(value) ((unsigned long long)(value))

extern struct ibv_qp_ex full_qp;
extern struct ibv_cq_ex full_cq;

static void wr_rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	REQUEST(" rkey %x at %llx", rkey, ADDRESS(remote_addr));
}

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	REQUEST(" rkey %x at %llx", rkey, ADDRESS(remote_addr));
}

static void wr_rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, __be32 imm_data)
{
	REQUEST(" rkey %x at %llx imm %x", rkey, ADDRESS(remote_addr), imm_data);
}

static void wr_send(struct ibv_qp_ex *qp)
{
	REQUEST("");
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	REQUEST(" imm %x", imm_data);
}

static void wr_send_inv(struct ibv_qp_ex *qp, uint32_t rkey)
{
	REQUEST(" rkey %x", rkey);
}

static void wr_send_tso(struct ibv_qp_ex *qp, void *header, uint16_t size, uint16_t mss)
{
	REQUEST(" header %llx size %x mss %x", ADDRESS(header), size, mss);
}

static void wr_atomic_cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, uint64_t compare, uint64_t swap)
{
	REQUEST(" rkey %x at %llx compare %llx swap %llx", rkey, ADDRESS(remote_addr), ADDRESS(compare), ADDRESS(swap));
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, uint64_t add)
{
	REQUEST(" rkey %x at %llx add %llx", rkey, ADDRESS(remote_addr), ADDRESS(add));
}

static void wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, const void *value)
{
	REQUEST(" rkey %x at %llx value %llx", rkey, ADDRESS(remote_addr), ADDRESS(value));
}

static void wr_bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *info)
{
	REQUEST(" window %llx rkey %x to %llx", ADDRESS(mw), rkey, ADDRESS(info));
}

static void wr_local_inv(struct ibv_qp_ex *qp, uint32_t rkey)
{
	REQUEST(" rkey %x", rkey);
}

static void wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t remote_qpn, uint32_t remote_qkey)
{
	REQUEST(" to %llx number %x key %x", ADDRESS(ah), remote_qpn, remote_qkey);
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn)
{
	REQUEST(" number %x", remote_srqn);
}

static void wr_set_inline_data_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_data_buf *list)
{
	REQUEST(" count %zx of %llx", count, ADDRESS(list));
}

static void wr_set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *list)
{
	REQUEST(" count %zx of %llx", count, ADDRESS(list));
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	REQUEST(" data %llx length %zx", ADDRESS(addr), length);
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	REQUEST(" lkey %x at %llx length %x", lkey, ADDRESS(addr), length);
}

static void wr_start(struct ibv_qp_ex *qp)
{
	REQUEST("");
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	REQUEST("");
	return ENOSPC;
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	REQUEST("");
}

struct ibv_qp_ex full_qp = {
	.wr_rdma_read = wr_rdma_read,
	.wr_rdma_write = wr_rdma_write,
	.wr_rdma_write_imm = wr_rdma_write_imm,
	.wr_send = wr_send,
	.wr_send_imm = wr_send_imm,
	.wr_send_inv = wr_send_inv,
	.wr_send_tso = wr_send_tso,
	.wr_atomic_cmp_swp = wr_atomic_cmp_swp,
	.wr_atomic_fetch_add = wr_atomic_fetch_add,
	.wr_atomic_write = wr_atomic_write,
	.wr_bind_mw = wr_bind_mw,
	.wr_local_inv = wr_local_inv,
	.wr_set_ud_addr = wr_set_ud_addr,
	.wr_set_xrc_srqn = wr_set_xrc_srqn,
	.wr_set_inline_data_list = wr_set_inline_data_list,
	.wr_set_sge_list = wr_set_sge_list,
	.wr_set_inline_data = wr_set_inline_data,
	.wr_set_sge = wr_set_sge,
	.wr_start = wr_start,
	.wr_complete = wr_complete,
	.wr_abort = wr_abort,
};

/* Of a queue pair for which nothing was asked. */
struct ibv_qp_ex empty_qp;

#define POLLING() SAY("%s", cq == &full_cq ? __func__ : "another completion queue")

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	SAY("%s mask %x", cq == &full_cq ? __func__ : "another completion queue", attr->comp_mask);
	return ENOENT;
}

static int next_poll(struct ibv_cq_ex *cq)
{
	POLLING();
	return EINVAL;
}

static void end_poll(struct ibv_cq_ex *cq)
{
	POLLING();
}

#define READ(type, name, value)             \
	static type name(struct ibv_cq_ex *cq)  \
	{                                       \
		POLLING();                          \
		return (value);                     \
	}

READ(enum ibv_wc_opcode, read_opcode, IBV_WC_RECV_RDMA_WITH_IMM)
READ(uint32_t, read_vendor_err, 0xf0000001)
READ(uint32_t, read_byte_len, 0xf0000002)
READ(__be32, read_imm_data, 0xf0000003)
READ(uint32_t, read_qp_num, 0xf0000004)
READ(uint32_t, read_src_qp, 0xf0000005)
READ(unsigned int, read_wc_flags, 0xf0000006)
READ(uint32_t, read_slid, 0xf0000007)
READ(uint8_t, read_sl, 0xf1)
READ(uint8_t, read_dlid_path_bits, 0xf2)
READ(uint64_t, read_completion_ts, 0xf000000000000008)
READ(uint16_t, read_cvlan, 0xf003)
READ(uint32_t, read_flow_tag, 0xf0000009)
READ(uint64_t, read_completion_wallclock_ns, 0xf00000000000000a)

static void read_tm_info(struct ibv_cq_ex *cq, struct ibv_wc_tm_info *tm_info)
{
	POLLING();
	tm_info->tag = 0xf00000000000000b;
}

struct ibv_cq_ex full_cq = {
	.status = IBV_WC_RETRY_EXC_ERR,
	.wr_id = 0xf00000000000000c,
	.start_poll = start_poll,
	.next_poll = next_poll,
	.end_poll = end_poll,
	.read_opcode = read_opcode,
	.read_vendor_err = read_vendor_err,
	.read_byte_len = read_byte_len,
	.read_imm_data = read_imm_data,
	.read_qp_num = read_qp_num,
	.read_src_qp = read_src_qp,
	.read_wc_flags = read_wc_flags,
	.read_slid = read_slid,
	.read_sl = read_sl,
	.read_dlid_path_bits = read_dlid_path_bits,
	.read_completion_ts = read_completion_ts,
	.read_cvlan = read_cvlan,
	.read_flow_tag = read_flow_tag,
	.read_tm_info = read_tm_info,
	.read_completion_wallclock_ns = read_completion_wallclock_ns,
};

/* Of a completion queue for which nothing was asked. */
struct ibv_cq_ex empty_cq;
