package io.github.verbs4j.cm;

/** What {@link Listener#serve} does with a request ({@code RDMA_CM_EVENT_CONNECT_REQUEST}). It may block. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Accepts or rejects a request, or passes it on to who will.
     *
     * @param request of a peer; if this throws it is closed, which rejects it unless it was accepted
     * @throws Exception is told to the uncaught exception handler of the thread, which prints it by default
     */
    void handle(ConnectionRequest request) throws Exception;
}
