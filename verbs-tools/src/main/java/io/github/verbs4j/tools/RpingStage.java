package io.github.verbs4j.tools;

/** What an end of an rping waits for; each names the completion that tells, and is told when it does not come. */
enum RpingStage {
    /** At the server: nothing follows a client's last ping but its disconnecting. */
    SOURCE(RpingEnd.RECEIVE, "the client's announcement of a ping"),
    /** At the server. */
    READ(RpingEnd.READ, "the end of the RDMA read of the ping"),
    /** At the client. */
    READ_DONE(RpingEnd.RECEIVE, "the server's word that it has read the ping"),
    /** At the server. */
    SINK(RpingEnd.RECEIVE, "the client's announcement of where the answer goes"),
    /** At the server. */
    WRITE(RpingEnd.WRITE, "the end of the RDMA write of the answer"),
    /** At the client. */
    WRITE_DONE(RpingEnd.RECEIVE, "the server's word that it has written the answer");

    private final long id;
    private final String text;

    RpingStage(long id, String text) {
        this.id = id;
        this.text = text;
    }

    /** Of the request whose completion is awaited. */
    long id() {
        return id;
    }

    @Override
    public String toString() {
        return text;
    }
}
