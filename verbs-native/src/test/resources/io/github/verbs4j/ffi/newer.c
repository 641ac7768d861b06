/*
 * What libibverbs got after release 44, without the header, which may be older: each function notes its name and arguments in said[],
 * which inlines.c has, and fails with an errno of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

extern char said[300];

#define NUMBER(value) ((unsigned long long)(value))
#define SAY(format, ...) snprintf(said, sizeof(said), "%s" format, __func__, ##__VA_ARGS__)

#define FUNCTION(type, name, parameters, number, result, format, ...) \
	type name parameters;                                          \
	type name parameters                                           \
	{                                                              \
		SAY(format, __VA_ARGS__);                              \
		errno = (number);                                      \
		return (type)(result);                                 \
	}

FUNCTION(void *, ibv_reg_mr_ex, (void *pd, void *attr), 101, 0, " %p %p", pd, attr)
FUNCTION(void *, ibv_alloc_dmah, (void *context, void *attr), 102, 0, " %p %p", context, attr)
FUNCTION(int, ibv_dealloc_dmah, (void *dmah), 0, 103, " %p", dmah)
FUNCTION(int, ibv_dm_export_dmabuf_fd, (void *dm), 104, -1, " %p", dm)
FUNCTION(void *, ibv_alloc_buf, (void *pd, size_t size, void **buf), 105, 0, " %p %zx %p", pd, size, buf)
FUNCTION(void, ibv_free_buf, (void *buf), 0, 0, " %p", buf)
FUNCTION(void *, ibv_reg_buf_mr, (void *pd, void *buf, void *addr, size_t length, int access), 106, 0, " %p %p %p %zx %x", pd,
	 buf, addr, length, access)
FUNCTION(int, ibv_export_buf_dmabuf_fd, (void *buf), 107, -1, " %p", buf)
FUNCTION(int, ibv_query_port_speed, (void *context, uint32_t port, uint64_t *speed), 0, 108, " %p %x %p", context, port, speed)
FUNCTION(const char *, ibv_wr_opcode_str, (int opcode), 0, "opcode", " %x", opcode)
FUNCTION(int, _ibv_query_comp_cntr_caps, (void *context, void *caps, size_t size), 0, 109, " %p %p %zu", context, caps, size)
FUNCTION(void *, ibv_create_comp_cntr, (void *context, void *attr), 110, 0, " %p %p", context, attr)
FUNCTION(int, ibv_destroy_comp_cntr, (void *counter), 0, 111, " %p", counter)
FUNCTION(int, ibv_qp_attach_comp_cntr, (void *qp, void *counter, void *attr), 0, 112, " %p %p %p", qp, counter, attr)
FUNCTION(int, ibv_set_comp_cntr, (void *counter, uint64_t value), 0, 113, " %p %llx", counter, NUMBER(value))
FUNCTION(int, ibv_set_err_comp_cntr, (void *counter, uint64_t value), 0, 114, " %p %llx", counter, NUMBER(value))
FUNCTION(int, ibv_inc_comp_cntr, (void *counter, uint64_t amount), 0, 115, " %p %llx", counter, NUMBER(amount))
FUNCTION(int, ibv_inc_err_comp_cntr, (void *counter, uint64_t amount), 0, 116, " %p %llx", counter, NUMBER(amount))
FUNCTION(int, ibv_read_comp_cntr, (void *counter, uint64_t *value), 0, 117, " %p %p", counter, value)
FUNCTION(int, ibv_read_err_comp_cntr, (void *counter, uint64_t *value), 0, 118, " %p %p", counter, value)
