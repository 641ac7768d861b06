/*
 * The one header that jextract reads: everything in io.github.verbs4j.ffi comes from here.
 * One header, so that a type that two of these headers use becomes one Java class.
 */
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <rdma/rsocket.h>
