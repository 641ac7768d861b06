package io.github.verbs4j.it.trace;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.cm.ConnectionException;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Registers a lot, asks for too much, connects where nobody listens, and forgets to close something. */
final class Traced {
    static final int LARGE = 64 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int TOO_DEEP = 1 << 24;
    private static final InetSocketAddress NOBODY = new InetSocketAddress("10.9.0.1", 7999);

    private Traced() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion large = domain.allocate(LARGE, AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = context.createCompletionQueue(16);
                RcQueuePair pair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(4, 4))) {
            askForTooMuch(
                    domain, QueuePairOptions.sharing(queue).depth(TOO_DEEP, 1).allowOverrun());
            connectToNobody(pair);
            System.out.println("used " + large);
        }
        forget();
    }

    private static void askForTooMuch(ProtectionDomain domain, QueuePairOptions options) {
        try {
            domain.createRc(options).close();
            System.out.println("was made with " + options);
        } catch (VerbsException refused) {
            System.out.println(refused.errno().orElseThrow());
        }
    }

    private static void connectToNobody(RcQueuePair pair) throws InterruptedException {
        try (ConnectionManager manager = ConnectionManager.open();
                Connector connector = manager.connector(NOBODY)) {
            connector.resolve(PATIENCE).initialize(pair);
            connector.connect(ConnectionOptions.defaults(), PATIENCE).close();
            System.out.println("somebody listens on " + NOBODY);
        } catch (ConnectionException nobody) {
            System.out.println(nobody.event().orElseThrow());
        }
    }

    private static void forget() {
        Rdma.open();
    }
}
