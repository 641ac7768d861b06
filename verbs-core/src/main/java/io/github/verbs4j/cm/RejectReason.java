package io.github.verbs4j.cm;

/** {@code ib_cm_rej_reason}: why a connection was rejected, as InfiniBand and RoCE tell it. */
public enum RejectReason {
    /** 1: the peer has no queue pair to spare. */
    NO_QP(1, "the peer has no queue pair to spare"),
    /** 2: the peer has no end-to-end context to spare. */
    NO_EEC(2, "the peer has no end-to-end context to spare"),
    /** 3: the peer is out of resources. */
    NO_RESOURCES(3, "the peer is out of resources"),
    /** 4: an answer of ours did not reach the peer in time. */
    TIMEOUT(4, "an answer of ours did not reach the peer in time"),
    /** 5: the peer does not know such a request. */
    UNSUPPORTED(5, "the peer does not know such a request"),
    /** 6: the peer does not know the connection. */
    INVALID_COMM_ID(6, "the peer does not know the connection"),
    /** 7: the peer knows another life of the connection. */
    INVALID_COMM_INSTANCE(7, "the peer knows another life of the connection"),
    /** 8: nobody listens on the port. */
    INVALID_SERVICE_ID(8, "nobody listens on the port"),
    /** 9: the peer does not have this kind of connection. */
    INVALID_TRANSPORT_TYPE(9, "the peer does not have this kind of connection"),
    /** 10: the peer believes our queue pair to be connected still. */
    STALE_CONN(10, "the peer believes our queue pair to be connected still"),
    /** 11: the peer has no such reliable datagram channel. */
    RDC_NOT_EXIST(11, "the peer has no such reliable datagram channel"),
    /** 12: the GID is not one of the peer. */
    INVALID_GID(12, "the GID is not one of the peer"),
    /** 13: the LID is not one of the peer. */
    INVALID_LID(13, "the LID is not one of the peer"),
    /** 14: the peer does not have this service level. */
    INVALID_SL(14, "the peer does not have this service level"),
    /** 15: the peer does not have this traffic class. */
    INVALID_TRAFFIC_CLASS(15, "the peer does not have this traffic class"),
    /** 16: the peer does not take this hop limit. */
    INVALID_HOP_LIMIT(16, "the peer does not take this hop limit"),
    /** 17: the peer does not take this rate. */
    INVALID_PACKET_RATE(17, "the peer does not take this rate"),
    /** 18: the alternate GID is not one of the peer. */
    INVALID_ALT_GID(18, "the alternate GID is not one of the peer"),
    /** 19: the alternate LID is not one of the peer. */
    INVALID_ALT_LID(19, "the alternate LID is not one of the peer"),
    /** 20: the peer does not have the alternate service level. */
    INVALID_ALT_SL(20, "the peer does not have the alternate service level"),
    /** 21: the peer does not have the alternate traffic class. */
    INVALID_ALT_TRAFFIC_CLASS(21, "the peer does not have the alternate traffic class"),
    /** 22: the peer does not take the alternate hop limit. */
    INVALID_ALT_HOP_LIMIT(22, "the peer does not take the alternate hop limit"),
    /** 23: the peer does not take the alternate rate. */
    INVALID_ALT_PACKET_RATE(23, "the peer does not take the alternate rate"),
    /** 24: the request is to go to another port of the peer. */
    PORT_CM_REDIRECT(24, "the request is to go to another port of the peer"),
    /** 25: the connection is to be made to another port of the peer. */
    PORT_REDIRECT(25, "the connection is to be made to another port of the peer"),
    /** 26: the peer does not take this MTU. */
    INVALID_MTU(26, "the peer does not take this MTU"),
    /** 27: the peer cannot serve so many reads. */
    INSUFFICIENT_RESP_RESOURCES(27, "the peer cannot serve so many reads"),
    /** 28: the program at the peer rejected it, or ended before it accepted. */
    CONSUMER_DEFINED(28, "the program at the peer rejected it, or ended before it accepted"),
    /** 29: the peer does not take this number of RNR retries. */
    INVALID_RNR_RETRY(29, "the peer does not take this number of RNR retries"),
    /** 30: the peer has such a request already. */
    DUPLICATE_LOCAL_COMM_ID(30, "the peer has such a request already"),
    /** 31: the peer does not know this version of the protocol. */
    INVALID_CLASS_VERSION(31, "the peer does not know this version of the protocol"),
    /** 32: the peer does not take this flow label. */
    INVALID_FLOW_LABEL(32, "the peer does not take this flow label"),
    /** 33: the peer does not take the alternate flow label. */
    INVALID_ALT_FLOW_LABEL(33, "the peer does not take the alternate flow label"),
    /** 35: the peer does not take the options of our device (ECE). */
    VENDOR_OPTION_NOT_SUPPORTED(35, "the peer does not take the options of our device (ECE)"),
    /** A reason that this version has no name for. */
    UNKNOWN(-1, "the peer gave a reason that has no name here");

    private final int code;
    private final String text;

    RejectReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** {@return the number of the reason, -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return what it means} */
    public String text() {
        return text;
    }

    /**
     * {@return the reason of a number, {@link #UNKNOWN} if it has no name here}
     *
     * @param code the status of a REJECTED event
     */
    public static RejectReason ofCode(int code) {
        for (RejectReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return UNKNOWN;
    }

    /** The reason that answers a request for datagrams, which has a status of its own ({@code ib_cm_sidr_status}). */
    static RejectReason ofLookup(int status) {
        return switch (status) {
            case 1 -> INVALID_SERVICE_ID;
            case 2 -> CONSUMER_DEFINED;
            case 3 -> NO_QP;
            case 4 -> PORT_REDIRECT;
            case 5 -> INVALID_CLASS_VERSION;
            default -> UNKNOWN;
        };
    }
}
