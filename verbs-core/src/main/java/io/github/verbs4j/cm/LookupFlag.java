package io.github.verbs4j.cm;

/** {@code rai_flags} and the like: what {@link AddressInformation#lookup} looks for. */
public enum LookupFlag {
    /** {@code RAI_PASSIVE}: an address to listen on. */
    PASSIVE,
    /** {@code RAI_NUMERICHOST}: the name is an address; no name service is asked. */
    NUMERIC_HOST,
    /** {@code RAI_NOROUTE}: no route is looked up beside the addresses, which takes time where a route service (ibacm) runs. */
    NO_ROUTE,
    /** {@code RDMA_PS_UDP}: for datagrams, not for reliable connections. */
    DATAGRAMS,
    /** {@code AF_INET}: IPv4 only. */
    IPV4,
    /** {@code AF_INET6}: IPv6 only. */
    IPV6
}
