package io.github.verbs4j.cm;

import java.net.InetSocketAddress;

/**
 * {@code rdma_cm_id} of {@code RDMA_PS_TCP} that listens: its requests are for reliable connections.
 *
 * <pre>{@code
 * try (ConnectionManager manager = ConnectionManager.open();
 *      ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();  // its close() waits for the handlers
 *      Listener listener = manager.listen(new InetSocketAddress("10.9.0.1", 7471), 1024)) {
 *     listener.serve(threads, request -> {
 *         request.initialize(reset);
 *         try (Connection connection = request.accept(ConnectionOptions.defaults(), Duration.ofSeconds(5))) {
 *             connection.disconnected().get();
 *         }
 *     });
 *     System.in.read();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Listener extends RequestListener<ConnectionRequest> {
    private final EndpointOptions options;

    private Listener(
            ConnectionManager manager, Identifier identifier, InetSocketAddress address, EndpointOptions options) {
        super(manager, identifier, address, options);
        this.options = options;
    }

    static Listener listening(
            ConnectionManager manager,
            Identifier identifier,
            InetSocketAddress address,
            int backlog,
            EndpointOptions options) {
        Listener listener = new Listener(manager, identifier, address, options);
        listener.listen(backlog);
        return listener;
    }

    @Override
    ConnectionRequest request(Identifier made, ConnectionEvent event) {
        options.setAckTimeoutOn(made);
        return new ConnectionRequest(manager, made, event);
    }
}
