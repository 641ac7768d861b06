package io.github.verbs4j.cm;

/**
 * What {@link RequestListener#serve} does with a request ({@code RDMA_CM_EVENT_CONNECT_REQUEST}). It may block.
 *
 * @param <R> what a request is
 */
@FunctionalInterface
public interface RequestHandler<R extends Request> {
    /**
     * Accepts or rejects a request. One who passes it on, for somebody else to decide, calls {@link Request#defer} before this returns.
     *
     * @param request of a peer; it is closed, which rejects it unless it was accepted, if this throws, and if this returns while it
     *     is undecided and not deferred
     * @throws Exception is told to the uncaught exception handler of the thread, which prints it by default
     */
    void handle(R request) throws Exception;
}
