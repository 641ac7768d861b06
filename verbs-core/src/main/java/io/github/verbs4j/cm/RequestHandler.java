package io.github.verbs4j.cm;

/**
 * What {@link RequestListener#serve} does with a request ({@code RDMA_CM_EVENT_CONNECT_REQUEST}). It may block.
 *
 * @param <R> what a request is
 */
@FunctionalInterface
public interface RequestHandler<R extends Request> {
    /**
     * Accepts or rejects a request, or passes it on to who will.
     *
     * @param request of a peer; if this throws it is closed, which rejects it unless it was accepted
     * @throws Exception is told to the uncaught exception handler of the thread, which prints it by default
     */
    void handle(R request) throws Exception;
}
