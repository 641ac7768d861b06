package io.github.verbs4j.it.rdma;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import java.util.function.UnaryOperator;

/** Two queue pairs of this process and one device, connected to each other. */
public final class Link implements AutoCloseable {
    private final Resources resources = new Resources();
    private final End client;
    private final End server;
    private final RcPath path;

    private Link(Builder how) {
        path = how.path;
        boolean made = false;
        try {
            DeviceContext shared = how.separateContexts ? null : resources.add(Rdma.open());
            client = resources.add(new End(how, shared));
            server = resources.add(new End(how, shared));
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    /** {@return a connected link with 64 KiB of memory at each end, 64 sends and 64 receives} */
    public static Link connected() {
        return builder().connected();
    }

    /** {@return what a link can differ in} */
    public static Builder builder() {
        return new Builder();
    }

    /** Connects both ends, which are in RESET. */
    public void connect() {
        QueuePairAddress ofClient = client.initialize();
        QueuePairAddress ofServer = server.initialize();
        client.connect(ofServer, path);
        server.connect(ofClient, path);
    }

    /** {@return the end that does things} */
    public End client() {
        return client;
    }

    /** {@return the end that things are done to} */
    public End server() {
        return server;
    }

    @Override
    public void close() {
        resources.close();
    }

    /** How a link is made. */
    public static final class Builder {
        UnaryOperator<QueuePairOptions> options = UnaryOperator.identity();
        RcPath path = RcPath.defaults();
        int completions = 1024;
        long bytes = 64 << 10;
        boolean separateQueues;
        boolean separateContexts;

        private Builder() {}

        /**
         * {@return this, with other queue pairs}
         *
         * @param change of the default options
         */
        public Builder options(UnaryOperator<QueuePairOptions> change) {
            options = change;
            return this;
        }

        /**
         * {@return this, with another path}
         *
         * @param value of both ends
         */
        public Builder path(RcPath value) {
            path = value;
            return this;
        }

        /**
         * {@return this, with other memory}
         *
         * @param length of each end, bytes
         */
        public Builder memory(long length) {
            bytes = length;
            return this;
        }

        /**
         * {@return this, with other completion queues}
         *
         * @param entries of each
         */
        public Builder completions(int entries) {
            completions = entries;
            return this;
        }

        /** {@return this, with a completion queue for sends and another for receives} */
        public Builder separateQueues() {
            separateQueues = true;
            return this;
        }

        /** {@return this, with a device context of its own for each end} */
        public Builder separateContexts() {
            separateContexts = true;
            return this;
        }

        /** {@return the link, both queue pairs in RESET} */
        public Link unconnected() {
            return new Link(this);
        }

        /** {@return the link, both queue pairs in RTS} */
        public Link connected() {
            Link link = new Link(this);
            boolean connected = false;
            try {
                link.connect();
                connected = true;
                return link;
            } finally {
                if (!connected) {
                    link.close();
                }
            }
        }
    }
}
