package io.github.verbs4j.bench.start;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;

/** The steps in this process. */
final class JavaSteps implements Steps {
    private final Target target;
    private final Connection connection;

    JavaSteps(Target target) {
        this.target = target;
        this.connection = Connection.open(target);
    }

    @Override
    public long connect() {
        long start = System.nanoTime();
        Connection fresh = Connection.open(target);
        long took = System.nanoTime() - start;
        fresh.close();
        return took;
    }

    @Override
    public long pair() {
        long start = System.nanoTime();
        connection.domain().createRc(Connection.options(connection.queue())).close();
        return System.nanoTime() - start;
    }

    @Override
    public long register(long bytes) {
        long start = System.nanoTime();
        MemoryRegion region = connection.domain().allocate(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        long took = System.nanoTime() - start;
        region.close();
        return took;
    }

    @Override
    public void close() {
        connection.close();
    }
}
