package io.github.verbs4j.it.cm;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.EndpointOptions;
import io.github.verbs4j.cm.Listener;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Resources;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Two queue pairs of this process, a listener, and how they get connected. Closing it closes all that was made with it. */
final class TwoEnds implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(10);
    static final ConnectionOptions DEFAULTS = ConnectionOptions.defaults();

    private final Resources resources = new Resources();
    private final Link link = add(Link.builder().unconnected());
    private final ConnectionManager manager = add(ConnectionManager.open());
    private final Listener listener;

    private TwoEnds(String address, EndpointOptions options) {
        listener = add(manager.listen(new InetSocketAddress(address, 0), 4, options));
    }

    static TwoEnds listeningOn(String address, EndpointOptions options) {
        return new TwoEnds(address, options);
    }

    static TwoEnds listening() {
        return listeningOn("10.9.0.1", EndpointOptions.defaults());
    }

    <T extends AutoCloseable> T add(T resource) {
        return resources.add(resource);
    }

    Link link() {
        return link;
    }

    ConnectionManager manager() {
        return manager;
    }

    Listener listener() {
        return listener;
    }

    /** Asks for a connection. */
    CompletableFuture<Connection> connecting(Connector connector) throws InterruptedException {
        add(connector).resolve(PATIENCE).initialize(link.client().queuePair());
        return connector.connectAsync(DEFAULTS, PATIENCE);
    }

    /** The request that comes next. */
    ConnectionRequest request() throws InterruptedException {
        return add(listener.await(PATIENCE).orElseThrow());
    }

    Connection accept(ConnectionRequest request) throws InterruptedException {
        request.initialize(link.server().queuePair());
        return add(request.accept(DEFAULTS, PATIENCE));
    }

    @Override
    public void close() {
        resources.close();
    }
}
