/*
 * A librdmacm that the tests can predict: each function notes its name, its arguments and the errno that it is about to fail with,
 * another one in each call.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <rdma/rsocket.h>

char said[300];
static int number = 200;

#define FUNCTION(type, name, parameters, result, format, ...)                                            \
	type name parameters                                                                             \
	{                                                                                                \
		snprintf(said, sizeof(said), "%s" format ", errno %d", __func__, ##__VA_ARGS__, ++number); \
		errno = number;                                                                          \
		return result;                                                                           \
	}

FUNCTION(struct rdma_event_channel *, rdma_create_event_channel, (void), NULL, "")
FUNCTION(int, rdma_create_id, (struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context,
	 enum rdma_port_space ps), -1, " %p %p %p %x", channel, id, context, ps)
FUNCTION(int, rdma_create_ep, (struct rdma_cm_id **id, struct rdma_addrinfo *res, struct ibv_pd *pd,
	 struct ibv_qp_init_attr *qp_init_attr), -1, " %p %p %p %p", id, res, pd, qp_init_attr)
FUNCTION(int, rdma_destroy_id, (struct rdma_cm_id *id), -1, " %p", id)
FUNCTION(int, rdma_bind_addr, (struct rdma_cm_id *id, struct sockaddr *addr), -1, " %p %p", id, addr)
FUNCTION(int, rdma_resolve_addr, (struct rdma_cm_id *id, struct sockaddr *src_addr, struct sockaddr *dst_addr,
	 int timeout_ms), -1, " %p %p %p %x", id, src_addr, dst_addr, timeout_ms)
FUNCTION(int, rdma_resolve_route, (struct rdma_cm_id *id, int timeout_ms), -1, " %p %x", id, timeout_ms)
FUNCTION(struct ibv_context **, rdma_get_devices, (int *num_devices), NULL, " %p", num_devices)
FUNCTION(int, rdma_set_option, (struct rdma_cm_id *id, int level, int optname, void *optval, size_t optlen), -1,
	 " %p %x %x %p %lx", id, level, optname, optval, optlen)
FUNCTION(int, rdma_migrate_id, (struct rdma_cm_id *id, struct rdma_event_channel *channel), -1, " %p %p", id, channel)
FUNCTION(int, rdma_getaddrinfo, (const char *node, const char *service, const struct rdma_addrinfo *hints,
	 struct rdma_addrinfo **res), -1, " %p %p %p %p", node, service, hints, res)
FUNCTION(int, rdma_listen, (struct rdma_cm_id *id, int backlog), -1, " %p %x", id, backlog)
FUNCTION(int, rdma_get_request, (struct rdma_cm_id *listen, struct rdma_cm_id **id), -1, " %p %p", listen, id)
FUNCTION(int, rdma_connect, (struct rdma_cm_id *id, struct rdma_conn_param *conn_param), -1, " %p %p", id, conn_param)
FUNCTION(int, rdma_establish, (struct rdma_cm_id *id), -1, " %p", id)
FUNCTION(int, rdma_accept, (struct rdma_cm_id *id, struct rdma_conn_param *conn_param), -1, " %p %p", id, conn_param)
FUNCTION(int, rdma_reject, (struct rdma_cm_id *id, const void *private_data, uint8_t private_data_len), -1,
	 " %p %p %x", id, private_data, private_data_len)
FUNCTION(int, rdma_reject_ece, (struct rdma_cm_id *id, const void *private_data, uint8_t private_data_len), -1,
	 " %p %p %x", id, private_data, private_data_len)
FUNCTION(int, rdma_notify, (struct rdma_cm_id *id, enum ibv_event_type event), -1, " %p %x", id, event)
FUNCTION(int, rdma_disconnect, (struct rdma_cm_id *id), -1, " %p", id)
FUNCTION(int, rdma_get_cm_event, (struct rdma_event_channel *channel, struct rdma_cm_event **event), -1, " %p %p",
	 channel, event)
FUNCTION(int, rdma_ack_cm_event, (struct rdma_cm_event *event), -1, " %p", event)
FUNCTION(int, rdma_set_local_ece, (struct rdma_cm_id *id, struct ibv_ece *ece), -1, " %p %p", id, ece)
FUNCTION(int, rdma_get_remote_ece, (struct rdma_cm_id *id, struct ibv_ece *ece), -1, " %p %p", id, ece)
FUNCTION(int, rdma_init_qp_attr, (struct rdma_cm_id *id, struct ibv_qp_attr *qp_attr, int *qp_attr_mask), -1,
	 " %p %p %p", id, qp_attr, qp_attr_mask)
FUNCTION(int, rdma_create_qp, (struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *qp_init_attr), -1,
	 " %p %p %p", id, pd, qp_init_attr)
FUNCTION(int, rdma_create_qp_ex, (struct rdma_cm_id *id, struct ibv_qp_init_attr_ex *qp_init_attr), -1, " %p %p", id,
	 qp_init_attr)
FUNCTION(int, rdma_create_srq, (struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_srq_init_attr *attr), -1,
	 " %p %p %p", id, pd, attr)
FUNCTION(int, rdma_create_srq_ex, (struct rdma_cm_id *id, struct ibv_srq_init_attr_ex *attr), -1, " %p %p", id, attr)
FUNCTION(int, rdma_join_multicast, (struct rdma_cm_id *id, struct sockaddr *addr, void *context), -1, " %p %p %p", id,
	 addr, context)
FUNCTION(int, rdma_join_multicast_ex, (struct rdma_cm_id *id, struct rdma_cm_join_mc_attr_ex *mc_join_attr,
	 void *context), -1, " %p %p %p", id, mc_join_attr, context)
FUNCTION(int, rdma_leave_multicast, (struct rdma_cm_id *id, struct sockaddr *addr), -1, " %p %p", id, addr)
FUNCTION(int, rsocket, (int domain, int type, int protocol), -1, " %x %x %x", domain, type, protocol)
FUNCTION(int, rbind, (int socket, const struct sockaddr *addr, socklen_t addrlen), -1, " %x %p %x", socket, addr, addrlen)
FUNCTION(int, rlisten, (int socket, int backlog), -1, " %x %x", socket, backlog)
FUNCTION(int, raccept, (int socket, struct sockaddr *addr, socklen_t *addrlen), -1, " %x %p %p", socket, addr, addrlen)
FUNCTION(int, rconnect, (int socket, const struct sockaddr *addr, socklen_t addrlen), -1, " %x %p %x", socket, addr, addrlen)
FUNCTION(int, rshutdown, (int socket, int how), -1, " %x %x", socket, how)
FUNCTION(int, rclose, (int socket), -1, " %x", socket)
FUNCTION(int, rpoll, (struct pollfd *fds, nfds_t nfds, int timeout), -1, " %p %lx %x", fds, nfds, timeout)
FUNCTION(int, rselect, (int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds, struct timeval *timeout), -1,
	 " %x %p %p %p %p", nfds, readfds, writefds, exceptfds, timeout)
FUNCTION(int, rgetpeername, (int socket, struct sockaddr *addr, socklen_t *addrlen), -1, " %x %p %p", socket, addr, addrlen)
FUNCTION(int, rgetsockname, (int socket, struct sockaddr *addr, socklen_t *addrlen), -1, " %x %p %p", socket, addr, addrlen)
FUNCTION(int, rsetsockopt, (int socket, int level, int optname, const void *optval, socklen_t optlen), -1,
	 " %x %x %x %p %x", socket, level, optname, optval, optlen)
FUNCTION(int, rgetsockopt, (int socket, int level, int optname, void *optval, socklen_t *optlen), -1,
	 " %x %x %x %p %p", socket, level, optname, optval, optlen)
FUNCTION(ssize_t, rrecv, (int socket, void *buf, size_t len, int flags), -1, " %x %p %lx %x", socket, buf, len, flags)
FUNCTION(ssize_t, rrecvfrom, (int socket, void *buf, size_t len, int flags, struct sockaddr *src_addr,
	 socklen_t *addrlen), -1, " %x %p %lx %x %p %p", socket, buf, len, flags, src_addr, addrlen)
FUNCTION(ssize_t, rrecvmsg, (int socket, struct msghdr *msg, int flags), -1, " %x %p %x", socket, msg, flags)
FUNCTION(ssize_t, rsend, (int socket, const void *buf, size_t len, int flags), -1, " %x %p %lx %x", socket, buf, len, flags)
FUNCTION(ssize_t, rsendto, (int socket, const void *buf, size_t len, int flags, const struct sockaddr *dest_addr,
	 socklen_t addrlen), -1, " %x %p %lx %x %p %x", socket, buf, len, flags, dest_addr, addrlen)
FUNCTION(ssize_t, rsendmsg, (int socket, const struct msghdr *msg, int flags), -1, " %x %p %x", socket, msg, flags)
FUNCTION(ssize_t, rread, (int socket, void *buf, size_t count), -1, " %x %p %lx", socket, buf, count)
FUNCTION(ssize_t, rreadv, (int socket, const struct iovec *iov, int iovcnt), -1, " %x %p %x", socket, iov, iovcnt)
FUNCTION(ssize_t, rwrite, (int socket, const void *buf, size_t count), -1, " %x %p %lx", socket, buf, count)
FUNCTION(ssize_t, rwritev, (int socket, const struct iovec *iov, int iovcnt), -1, " %x %p %x", socket, iov, iovcnt)
FUNCTION(off_t, riomap, (int socket, void *buf, size_t len, int prot, int flags, off_t offset), -1,
	 " %x %p %lx %x %x %lx", socket, buf, len, prot, flags, offset)
FUNCTION(int, riounmap, (int socket, void *buf, size_t len), -1, " %x %p %lx", socket, buf, len)
FUNCTION(size_t, riowrite, (int socket, const void *buf, size_t count, off_t offset, int flags), -1,
	 " %x %p %lx %lx %x", socket, buf, count, offset, flags)

int rfcntl(int socket, int cmd, ...)
{
	va_list more;
	va_start(more, cmd);
	snprintf(said, sizeof(said), "%s %x %x %x, errno %d", __func__, socket, cmd, va_arg(more, int), ++number);
	va_end(more);
	errno = number;
	return -1;
}

/* What came after release 44; the header may be older. */
#ifdef NEWER
struct epoll_event;
FUNCTION(int, rdma_resolve_addrinfo, (struct rdma_cm_id *id, const char *node, const char *service,
	 const struct rdma_addrinfo *hints), -1, " %p %p %p %p", id, node, service, hints)
FUNCTION(int, rdma_query_addrinfo, (struct rdma_cm_id *id, struct rdma_addrinfo **info), -1, " %p %p", id, info)
FUNCTION(int, rdma_write_cm_event, (struct rdma_cm_id *id, enum rdma_cm_event_type event, int status, uint64_t arg),
	 -1, " %p %x %x %lx", id, event, status, arg)
FUNCTION(int, repoll_create, (int flags), -1, " %x", flags)
FUNCTION(int, repoll_ctl, (int epfd, int op, int fd, struct epoll_event *event), -1, " %x %x %x %p", epfd, op, fd, event)
FUNCTION(int, repoll_wait, (int epfd, struct epoll_event *events, int maxevents, int timeout), -1, " %x %p %x %x",
	 epfd, events, maxevents, timeout)
#endif
