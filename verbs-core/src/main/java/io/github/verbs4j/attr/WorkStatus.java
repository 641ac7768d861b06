package io.github.verbs4j.attr;

/** {@code ibv_wc_status}: how a work request ended, what that means, and what to look at. */
public enum WorkStatus implements Coded {
    /** {@code IBV_WC_SUCCESS}. */
    SUCCESS(0, "it succeeded", ""),
    /** {@code IBV_WC_LOC_LEN_ERR}. */
    LOC_LEN_ERR(
            1,
            "a length does not fit: a message larger than the posted receive, or than the port's maximum",
            "compare the peer's message length with the length of the receive that took it"),
    /** {@code IBV_WC_LOC_QP_OP_ERR}. */
    LOC_QP_OP_ERR(
            2,
            "the queue pair could not process the request",
            "look for an operation that this device or queue pair type does not have; Soft-RoCE also says this of a"
                    + " message larger than the posted receive, and of memory whose region is closed"),
    /** {@code IBV_WC_LOC_EEC_OP_ERR}. */
    LOC_EEC_OP_ERR(3, "the end-to-end context could not process the request", "reliable datagrams are obsolete"),
    /** {@code IBV_WC_LOC_PROT_ERR}. */
    LOC_PROT_ERR(
            4,
            "local memory is not covered by a live memory region of this protection domain",
            "check that the region was still open, and registered with LOCAL_WRITE if the device writes to it"),
    /** {@code IBV_WC_WR_FLUSH_ERR}. */
    WR_FLUSH_ERR(
            5,
            "it was not executed: the queue pair was already in the error state",
            "look at the first failure of the queue pair, this is only its echo"),
    /** {@code IBV_WC_MW_BIND_ERR}. */
    MW_BIND_ERR(
            6, "a memory window could not be bound", "check window type, region flags (MEMORY_WINDOW_BIND) and bounds"),
    /** {@code IBV_WC_BAD_RESP_ERR}. */
    BAD_RESP_ERR(7, "the responder answered with an unexpected opcode", "check that both ends agree on the transport"),
    /** {@code IBV_WC_LOC_ACCESS_ERR}. */
    LOC_ACCESS_ERR(
            8,
            "an incoming write with immediate violated local access rights",
            "check the access flags of the region and of the queue pair"),
    /** {@code IBV_WC_REM_INV_REQ_ERR}. */
    REM_INV_REQ_ERR(
            9,
            "the responder found the request invalid",
            "check that the peer's receive is large enough and that its queue pair allows the operation"),
    /** {@code IBV_WC_REM_ACCESS_ERR}. */
    REM_ACCESS_ERR(
            10,
            "the responder refused access to its memory",
            "check remote key, address and length, whether the peer's region is still open, and its access flags"),
    /** {@code IBV_WC_REM_OP_ERR}. */
    REM_OP_ERR(11, "the responder could not complete the operation", "look at the peer's first failed completion"),
    /** {@code IBV_WC_RETRY_EXC_ERR}. */
    RETRY_EXC_ERR(
            12,
            "the peer did not acknowledge: all transport retries were used",
            "check that the peer is alive and in RTR, and GID, MTU, VLAN and firewall (UDP port 4791) on the way"),
    /** {@code IBV_WC_RNR_RETRY_EXC_ERR}. */
    RNR_RETRY_EXC_ERR(
            13,
            "the peer had no receive posted: all RNR retries were used",
            "post receives before the peer sends, or raise rnrRetry (7 = for ever)"),
    /** {@code IBV_WC_LOC_RDD_VIOL_ERR}. */
    LOC_RDD_VIOL_ERR(14, "reliable datagram domain mismatch", "reliable datagrams are obsolete"),
    /** {@code IBV_WC_REM_INV_RD_REQ_ERR}. */
    REM_INV_RD_REQ_ERR(15, "invalid reliable datagram request", "reliable datagrams are obsolete"),
    /** {@code IBV_WC_REM_ABORT_ERR}. */
    REM_ABORT_ERR(16, "the responder aborted the operation", "look at the peer"),
    /** {@code IBV_WC_INV_EECN_ERR}. */
    INV_EECN_ERR(17, "invalid end-to-end context number", "reliable datagrams are obsolete"),
    /** {@code IBV_WC_INV_EEC_STATE_ERR}. */
    INV_EEC_STATE_ERR(18, "invalid end-to-end context state", "reliable datagrams are obsolete"),
    /** {@code IBV_WC_FATAL_ERR}. */
    FATAL_ERR(19, "the transport failed for good", "look at the kernel log and the device's async events"),
    /** {@code IBV_WC_RESP_TIMEOUT_ERR}. */
    RESP_TIMEOUT_ERR(20, "the responder did not answer in time", "check the peer and the path"),
    /** {@code IBV_WC_GENERAL_ERR}. */
    GENERAL_ERR(21, "the transport failed", "look at the vendor error"),
    /** {@code IBV_WC_TM_ERR}. */
    TM_ERR(22, "tag matching failed", "look at the vendor error"),
    /** {@code IBV_WC_TM_RNDV_INCOMPLETE}. */
    TM_RNDV_INCOMPLETE(23, "a rendezvous message needs to be completed by software", "see ibv_post_srq_ops"),
    /** A status that this version has no name for. */
    UNKNOWN(-1, "a status without a name", "look it up in infiniband/verbs.h of the installed rdma-core");

    private static final WorkStatus[] VALUES = values();
    private final int code;
    private final String meaning;
    private final String hint;

    WorkStatus(int code, String meaning, String hint) {
        this.code = code;
        this.meaning = meaning;
        this.hint = hint;
    }

    /** {@return the number of {@code ibv_wc_status}} */
    @Override
    public int code() {
        return code;
    }

    /** {@return what it means, half a sentence} */
    public String meaning() {
        return meaning;
    }

    /** {@return what to look at, empty for success} */
    public String hint() {
        return hint;
    }

    /**
     * {@return the constant of a number, {@link #UNKNOWN} for one that this version has no name for}
     *
     * @param code a number of {@code ibv_wc_status}
     */
    public static WorkStatus ofCode(int code) {
        return Coded.find(VALUES, code, UNKNOWN);
    }
}
