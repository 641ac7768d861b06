package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.verbs4j_h;

/** {@code rdma_port_space}: what an identifier is for; each has ports of its own. */
enum PortSpace {
    /** {@code RDMA_PS_TCP}: reliable connections. */
    RDMA_PS_TCP(verbs4j_h.RDMA_PS_TCP()),
    /** {@code RDMA_PS_UDP}: datagrams and multicast groups. */
    RDMA_PS_UDP(verbs4j_h.RDMA_PS_UDP());

    private final int code;

    PortSpace(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
