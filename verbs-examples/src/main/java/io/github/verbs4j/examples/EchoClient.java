package io.github.verbs4j.examples;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.Connector;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Clients of the {@link EchoServer}, all connected at the same time, each a virtual thread that sends what no other client sends, and
 * holds the answers against it. Each is written as one client alone would be; they share the protection domain and the connection
 * manager.
 */
public final class EchoClient {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A burst of a thousand requests would overflow the kernel's queue for them, and what it drops is sent again only after seconds. */
    private static final int CONNECTING_AT_A_TIME = 64;

    private static final int BYTES = EchoServer.MESSAGE_BYTES;
    private static final long QUESTION = 1;
    private static final long ANSWER = 2;

    private final ConnectionManager manager;
    private final ProtectionDomain domain;
    private final InetSocketAddress server;
    private final int messages;
    /** Nobody talks before all are connected, and nobody goes before all have talked. */
    private final CyclicBarrier together;

    private final Semaphore connecting = new Semaphore(CONNECTING_AT_A_TIME);

    private EchoClient(
            ConnectionManager manager,
            ProtectionDomain domain,
            InetSocketAddress server,
            int messages,
            CyclicBarrier together) {
        this.manager = manager;
        this.domain = domain;
        this.server = server;
        this.messages = messages;
        this.together = together;
    }

    /**
     * Runs the program.
     *
     * @param arguments the address and port of the server, how many clients, and how many messages each sends
     * @throws InterruptedException if the thread is interrupted
     * @throws ExecutionException if a client fails
     */
    public static void main(String... arguments) throws InterruptedException, ExecutionException {
        if (arguments.length != 4) {
            System.err.println("usage: EchoClient ADDRESS PORT CLIENTS MESSAGES");
            System.exit(2);
        }
        InetSocketAddress server = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int clients = Integer.parseInt(arguments[2]);
        int messages = Integer.parseInt(arguments[3]);
        try (ConnectionManager manager = ConnectionManager.open();
                DeviceContext context = deviceTowards(server, manager).open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            Progress progress = new Progress(clients);
            CyclicBarrier together = new CyclicBarrier(clients, progress);
            runAll(clients, new EchoClient(manager, domain, server, messages, together));
            progress.run();
        }
    }

    private static Device deviceTowards(InetSocketAddress server, ConnectionManager manager)
            throws InterruptedException {
        try (Connector connector = manager.connector(server)) {
            return Device.named(connector.resolve(PATIENCE).device());
        }
    }

    /** The first failure ends them all. */
    private static void runAll(int clients, EchoClient client) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletionService<Void> running = new ExecutorCompletionService<>(threads);
            for (int i = 0; i < clients; i++) {
                int number = i;
                running.submit(() -> client.run(number));
            }
            try {
                for (int i = 0; i < clients; i++) {
                    running.take().get();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private Void run(int number) throws Exception {
        try (CompletionQueue queue = domain.context().createCompletionQueue(2);
                RcQueuePair pair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(1, 1));
                MemoryRegion memory = domain.allocate(2 * BYTES, AccessFlag.LOCAL_WRITE);
                SendQueue sends = SendQueue.over(pair);
                ReceiveQueue receives = ReceiveQueue.over(pair);
                Completions completions = Completions.over(queue, 2);
                Connector connector = manager.connector(server)) {
            try (Connection connection = connect(connector, pair, receives, memory)) {
                together.await();
                SplittableRandom random = new SplittableRandom(number);
                for (int i = 0; i < messages; i++) {
                    byte[] question = new byte[random.nextInt(1, BYTES + 1)];
                    random.nextBytes(question);
                    memory.segment().copyFrom(MemorySegment.ofArray(question));
                    sends.send(QUESTION, memory, 0, question.length).signaled().post();
                    requireEcho(question, memory, awaitAnswer(connection, completions));
                    receives.receive(ANSWER, memory, BYTES, BYTES).post();
                }
                together.await();
            }
        }
        return null;
    }

    private Connection connect(Connector connector, RcQueuePair pair, ReceiveQueue receives, MemoryRegion memory)
            throws InterruptedException {
        connecting.acquire();
        try {
            connector.resolve(PATIENCE).initialize(pair);
            receives.receive(ANSWER, memory, BYTES, BYTES).post(); // before the server may send
            return connector.connect(ConnectionOptions.defaults(), PATIENCE);
        } finally {
            connecting.release();
        }
    }

    /** The question has arrived, and the answer too, in whatever order we hear of it. */
    private static long awaitAnswer(Connection connection, Completions completions) throws InterruptedException {
        long length = 0;
        for (int pending = 2; pending > 0; ) {
            int found = completions.await(WaitStrategy.EVENT, PATIENCE);
            if (found == 0) {
                throw new IllegalStateException("no answer within " + PATIENCE + ": " + connection);
            }
            pending -= found;
            while (completions.next()) {
                completions.requireSuccess();
                if (completions.id() == ANSWER) {
                    length = completions.byteLength();
                }
            }
        }
        return length;
    }

    private static void requireEcho(byte[] question, MemoryRegion memory, long length) {
        MemorySegment answer = memory.segment().asSlice(BYTES, length);
        long wrong = answer.mismatch(MemorySegment.ofArray(question));
        if (wrong != -1) {
            throw new IllegalStateException("the answer of " + length + " bytes to a question of " + question.length
                    + " differs from it at byte " + wrong);
        }
    }

    /** Tells how long all of them took for what they do together. */
    private static final class Progress implements Runnable {
        private final int clients;
        private final Iterator<String> parts =
                List.of("are connected", "have their answers", "are gone").iterator();
        private long since = System.nanoTime();

        Progress(int clients) {
            this.clients = clients;
        }

        @Override
        public void run() {
            long now = System.nanoTime();
            System.out.printf("%d clients %s after %.1f s%n", clients, parts.next(), (now - since) / 1e9);
            since = now;
        }
    }
}
