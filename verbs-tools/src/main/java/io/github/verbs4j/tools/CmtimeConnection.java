package io.github.verbs4j.tools;

import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.Connector;
import java.util.concurrent.CompletableFuture;

/** One of a client's connections, step by step. */
final class CmtimeConnection implements AutoCloseable {
    private final CmtimeOptions options;
    private Connector connector;
    private RcQueuePair queuePair;
    private CompletableFuture<Connection> connection;

    CmtimeConnection(CmtimeOptions options) {
        this.options = options;
    }

    void create(ConnectionManager manager) {
        connector = Usage.connector(manager, options.address(), options.source());
    }

    CompletableFuture<?> resolveAddress() {
        return connector.resolveAddressAsync(options.resolving());
    }

    CompletableFuture<?> resolveRoute() {
        return connector.resolveRouteAsync(options.resolving());
    }

    String device() {
        return connector.device();
    }

    void createQueuePair(CmtimeDevice device) {
        queuePair = device.createQueuePair();
    }

    void initialize() {
        connector.initialize(queuePair);
    }

    CompletableFuture<?> connect() {
        connection = connector.connectAsync(ConnectionOptions.defaults(), options.patience());
        return connection;
    }

    CompletableFuture<?> disconnect() {
        return connection.resultNow().disconnectAsync(options.patience());
    }

    /** However far it has come. */
    @Override
    public void close() {
        if (connector != null) {
            connector.close();
        }
        if (connection != null) {
            connection.handle(CmtimeConnection::close).join(); // it has come, or fails since its connector is closed
        }
        if (queuePair != null) {
            queuePair.close();
        }
    }

    private static Void close(Connection made, Throwable failure) {
        if (made != null) {
            made.close();
        }
        return null;
    }
}
