package io.github.verbs4j.host;

import java.util.Objects;
import java.util.Set;

/**
 * What it means when a counter moves. The names are those of the InfiniBand specification and of the drivers rdma_rxe,
 * mlx5_ib, bnxt_re, irdma and mana_ib; what other drivers count is {@link #OTHER}.
 */
public enum CounterMeaning {
    /** A message came before a receive was posted; the sender waited and sent again. */
    RECEIVER_NOT_READY(
            "a message came before its receive was posted: post receives earlier, or more of them",
            // rdma_rxe: the requester's side, the responder's side
            "rcvd_rnr_err",
            "send_rnr_err",
            // mlx5_ib
            "rnr_nak_retry_err",
            "out_of_buffer",
            // bnxt_re
            "rnr_naks_rcvd",
            "rx_out_of_buffer",
            // mana_ib
            "requester_rnr_nak",
            "responder_rnr_nak"),
    /** Packets or their acknowledgements were lost, late or out of order, and were sent again. */
    RETRANSMISSION(
            "packets were lost or late and were sent again: look for drops on the path, and for flow control (PFC, ECN)",
            // rdma_rxe
            "completer_retry_err",
            "rcvd_seq_err",
            "duplicate_request",
            "out_of_seq_request",
            // mlx5_ib
            "packet_seq_err",
            "out_of_sequence",
            "local_ack_timeout_err",
            "implied_nak_seq_err",
            "roce_adp_retrans",
            "roce_adp_retrans_to",
            // bnxt_re, whose older drivers spell it so
            "to_retransmits",
            "seq_err_naks_rcvd",
            "missing_resp",
            "missin_resp",
            "dup_req",
            "oos_drop_count",
            "rx_out_of_sequence",
            // mana_ib
            "requester_timeout",
            "requester_oos_nak",
            "requester_implicit_nak",
            "responder_oos",
            "responder_dup_request"),
    /** A queue pair gave up after its last retry, and is in the error state. */
    GAVE_UP(
            "a queue pair gave up after its last retry: the peer or the path is gone, or its retries are too few",
            "retry_exceeded_err",
            "retry_rnr_exceeded_err",
            "req_transport_retries_exceeded",
            "req_rnr_retries_exceeded",
            "max_retry_exceeded"),
    /** Somebody was told to send more slowly, or could not send. */
    CONGESTION(
            "the network or the peer is slower than the sender: senders are being slowed down",
            "port_xmit_wait",
            "np_cnp_sent",
            "np_ecn_marked_roce_packets",
            "rp_cnp_handled",
            "rp_cnp_ignored",
            "rx_cnp_pkts",
            "tx_cnp_pkts",
            "rx_ecn_marked_pkts",
            "cnpSent",
            "cnpHandled",
            "cnpIgnored"),
    /** The port threw packets away. */
    DISCARDED(
            "the port threw packets away: a partition key, a full buffer or a link that is down",
            "port_xmit_discards",
            "port_xmit_constraint_errors",
            "port_rcv_constraint_errors",
            "port_rcv_switch_relay_errors",
            "VL15_dropped",
            "tx_roce_discards",
            "rx_roce_discards"),
    /** The cable, the transceiver or the link itself. */
    LINK(
            "the link went down or damages packets: look at cable, transceiver and switch port",
            "link_downed",
            "link_error_recovery",
            "symbol_error",
            "local_link_integrity_errors",
            "excessive_buffer_overrun_errors",
            "port_rcv_errors",
            "port_rcv_remote_physical_errors",
            "rx_icrc_encapsulated"),
    /** Traffic, or something that only its vendor can explain. */
    OTHER("");

    private final String explanation;
    private final Set<String> names;

    CounterMeaning(String explanation, String... names) {
        this.explanation = explanation;
        this.names = Set.of(names);
    }

    /** {@return what happened and where to look, in one line; empty of {@link #OTHER}} */
    public String explanation() {
        return explanation;
    }

    /**
     * {@return what a counter means}
     *
     * @param name the kernel's name, for example {@code out_of_sequence}
     */
    public static CounterMeaning of(String name) {
        Objects.requireNonNull(name, "name");
        for (CounterMeaning meaning : values()) {
            if (meaning.names.contains(name)) {
                return meaning;
            }
        }
        return OTHER;
    }
}
