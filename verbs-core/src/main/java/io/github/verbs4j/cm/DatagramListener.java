package io.github.verbs4j.cm;

import java.net.InetSocketAddress;

/**
 * {@code rdma_cm_id} of {@code RDMA_PS_UDP} that listens: its requests ask where to send datagrams to. One queue pair may serve them all.
 *
 * <pre>{@code
 * try (ConnectionManager manager = ConnectionManager.open();
 *      DatagramListener listener = manager.listenDatagrams(new InetSocketAddress("10.9.0.1", 7471), 64)) {
 *     try (DatagramRequest first = listener.await(Duration.ofMinutes(1)).orElseThrow()) {
 *         first.initialize(unconnected);             // INIT, with the queue key of librdmacm: receives may be posted
 *         receives.post();
 *         unconnected.activate();
 *         first.accept(unconnected, new byte[0]);
 *     }
 *     listener.serve(request -> request.accept(unconnected, new byte[0]));
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DatagramListener extends RequestListener<DatagramRequest> {
    private DatagramListener(
            ConnectionManager manager, Identifier identifier, InetSocketAddress address, EndpointOptions options) {
        super(manager, identifier, address, options);
    }

    static DatagramListener listening(
            ConnectionManager manager,
            Identifier identifier,
            InetSocketAddress address,
            int backlog,
            EndpointOptions options) {
        DatagramListener listener = new DatagramListener(manager, identifier, address, options);
        listener.listen(backlog);
        return listener;
    }

    @Override
    DatagramRequest request(Identifier made, ConnectionEvent event) {
        return new DatagramRequest(manager, made, event);
    }
}
