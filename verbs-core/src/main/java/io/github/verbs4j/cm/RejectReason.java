package io.github.verbs4j.cm;

/** {@code ib_cm_rej_reason}: why a connection was rejected, as InfiniBand and RoCE tell it. */
public enum RejectReason {
    /** 1: the peer has no queue pair to spare. */
    NO_QP(1, "the peer has no queue pair to spare", "let the peer close connections that it does not need"),
    /** 2: the peer has no end-to-end context to spare. */
    NO_EEC(2, "the peer has no end-to-end context to spare", "let the peer close connections that it does not need"),
    /** 3: the peer is out of resources. */
    NO_RESOURCES(
            3,
            "the peer is out of resources",
            "let the peer close connections, or see its limits on memory and queue pairs"),
    /** 4: the peer gave up before it had our answer. */
    TIMEOUT(
            4,
            "the peer gave up before it had our answer: it closed its connector, or its process ended; or the answer was"
                    + " lost",
            "answer sooner than the peer gives up; if it waits long enough, see whether packets are lost on the way"),
    /** 5: the peer does not know such a request. */
    UNSUPPORTED(
            5, "the peer does not know such a request", "see whether both ends speak of the same kind of connection"),
    /** 6: the peer does not know the connection. */
    INVALID_COMM_ID(6, "the peer does not know the connection", "connect again: the peer began anew meanwhile"),
    /** 7: the peer knows another life of the connection. */
    INVALID_COMM_INSTANCE(
            7, "the peer knows another life of the connection", "connect again: the peer began anew meanwhile"),
    /** 8: nobody listens on the port. */
    INVALID_SERVICE_ID(
            8,
            "nobody listens on the port",
            "start the server, or give the port that it listens on: ports of librdmacm are not those of TCP;\nthe peer lists its own with: rdma resource show cm_id"),
    /** 9: the peer does not have this kind of connection. */
    INVALID_TRANSPORT_TYPE(
            9,
            "the peer does not have this kind of connection",
            "see whether both ends speak of the same kind of connection"),
    /** 10: the peer believes our queue pair to be connected still. */
    STALE_CONN(
            10,
            "the peer believes our queue pair to be connected still",
            "connect with another queue pair: this one was connected to the peer a moment ago"),
    /** 11: the peer has no such reliable datagram channel. */
    RDC_NOT_EXIST(
            11,
            "the peer has no such reliable datagram channel",
            "see whether both ends speak of the same kind of connection"),
    /** 12: the GID is not one of the peer. */
    INVALID_GID(12, "the GID is not one of the peer", "resolve the address again: the peer has another address now"),
    /** 13: the LID is not one of the peer. */
    INVALID_LID(13, "the LID is not one of the peer", "resolve the address again: the fabric was configured anew"),
    /** 14: the peer does not have this service level. */
    INVALID_SL(
            14,
            "the peer does not have this service level",
            "see the quality of service that the subnet manager gives"),
    /** 15: the peer does not have this traffic class. */
    INVALID_TRAFFIC_CLASS(15, "the peer does not have this traffic class", "choose another type of service"),
    /** 16: the peer does not take this hop limit. */
    INVALID_HOP_LIMIT(16, "the peer does not take this hop limit", "see the routers between the two ends"),
    /** 17: the peer does not take this rate. */
    INVALID_PACKET_RATE(17, "the peer does not take this rate", "see the rates of both links: rdma link"),
    /** 18: the alternate GID is not one of the peer. */
    INVALID_ALT_GID(
            18, "the alternate GID is not one of the peer", "see the alternate path that the subnet manager gives"),
    /** 19: the alternate LID is not one of the peer. */
    INVALID_ALT_LID(
            19, "the alternate LID is not one of the peer", "see the alternate path that the subnet manager gives"),
    /** 20: the peer does not have the alternate service level. */
    INVALID_ALT_SL(
            20,
            "the peer does not have the alternate service level",
            "see the alternate path that the subnet manager gives"),
    /** 21: the peer does not have the alternate traffic class. */
    INVALID_ALT_TRAFFIC_CLASS(
            21,
            "the peer does not have the alternate traffic class",
            "see the alternate path that the subnet manager gives"),
    /** 22: the peer does not take the alternate hop limit. */
    INVALID_ALT_HOP_LIMIT(
            22,
            "the peer does not take the alternate hop limit",
            "see the alternate path that the subnet manager gives"),
    /** 23: the peer does not take the alternate rate. */
    INVALID_ALT_PACKET_RATE(
            23, "the peer does not take the alternate rate", "see the alternate path that the subnet manager gives"),
    /** 24: the request is to go to another port of the peer. */
    PORT_CM_REDIRECT(24, "the request is to go to another port of the peer", "connect to the address of that port"),
    /** 25: the connection is to be made to another port of the peer. */
    PORT_REDIRECT(
            25, "the connection is to be made to another port of the peer", "connect to the address of that port"),
    /** 26: the peer does not take this MTU. */
    INVALID_MTU(26, "the peer does not take this MTU", "give both interfaces the same MTU: ip link"),
    /** 27: the peer cannot serve so many reads. */
    INSUFFICIENT_RESP_RESOURCES(
            27, "the peer cannot serve so many reads", "ask for fewer: ConnectionOptions.withReads"),
    /** 28: the program at the peer rejected it, or ended before it accepted. */
    CONSUMER_DEFINED(
            28,
            "the program at the peer rejected it, or ended before it accepted",
            "see the private data that came with it, and the log of the peer"),
    /** 29: the peer does not take this number of RNR retries. */
    INVALID_RNR_RETRY(
            29, "the peer does not take this number of RNR retries", "ask for another: ConnectionOptions.withRnr"),
    /** 30: the peer has such a request already. */
    DUPLICATE_LOCAL_COMM_ID(30, "the peer has such a request already", "connect again"),
    /** 31: the peer does not know this version of the protocol. */
    INVALID_CLASS_VERSION(
            31, "the peer does not know this version of the protocol", "see the versions of the drivers of both ends"),
    /** 32: the peer does not take this flow label. */
    INVALID_FLOW_LABEL(32, "the peer does not take this flow label", "see the routers between the two ends"),
    /** 33: the peer does not take the alternate flow label. */
    INVALID_ALT_FLOW_LABEL(
            33,
            "the peer does not take the alternate flow label",
            "see the alternate path that the subnet manager gives"),
    /** 35: the peer does not take the options of our device (ECE). */
    VENDOR_OPTION_NOT_SUPPORTED(
            35, "the peer does not take the options of our device (ECE)", "connect without these options"),
    /** A reason that this version has no name for. */
    UNKNOWN(
            -1,
            "the peer gave a reason that has no name here",
            "look it up by its number in the specification of InfiniBand, and look into the log of the peer");

    private final int code;
    private final String text;
    private final String remedy;

    RejectReason(int code, String text, String remedy) {
        this.code = code;
        this.text = text;
        this.remedy = remedy;
    }

    /** {@return the number of the reason, -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return what it means} */
    public String text() {
        return text;
    }

    /** {@return what to do about it, one line or more} */
    public String remedy() {
        return remedy;
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
