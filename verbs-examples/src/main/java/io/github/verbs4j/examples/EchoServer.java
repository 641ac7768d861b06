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
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.ConnectionRequest;
import io.github.verbs4j.cm.Listener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A server for thousands of clients, which sends every message back to whom it came from.
 *
 * <p>A client costs a queue pair and a virtual thread, and no memory for messages: all share one queue of receives, enough for what is
 * under way at a time, and one completion queue. The thread that runs the server reads that queue and does nothing else: it hands
 * messages to the threads of their clients ({@link EchoSession}), and posts receives anew whose messages were answered.
 */
public final class EchoServer {
    /** The longest message, bytes. */
    public static final int MESSAGE_BYTES = 4096;

    /** Messages that the server has in hand at a time, of all clients; further ones wait at the clients. */
    private static final int RECEIVES = 512;

    private static final int MOST_CLIENTS = 4096;
    private static final int BACKLOG = 1024;
    private static final Duration TURN = Duration.ofMillis(50);

    private final ProtectionDomain domain;
    private final QueuePairOptions options;
    private final MemoryRegion memory;
    private final ReceiveQueue receives;
    private final Completions completions;
    private final InetSocketAddress address;
    private final Map<Integer, EchoSession> sessions = new ConcurrentHashMap<>();
    private final BlockingQueue<EchoSession> leaving = new LinkedBlockingQueue<>();
    private final AtomicInteger mostClients = new AtomicInteger();

    private EchoServer(
            ProtectionDomain domain,
            QueuePairOptions options,
            MemoryRegion memory,
            ReceiveQueue receives,
            Completions completions,
            InetSocketAddress address) {
        this.domain = domain;
        this.options = options;
        this.memory = memory;
        this.receives = receives;
        this.completions = completions;
        this.address = address;
    }

    /**
     * Runs the program.
     *
     * @param arguments the address of an interface with an RDMA device, and a port
     */
    public static void main(String... arguments) {
        if (arguments.length != 2) {
            System.err.println("usage: EchoServer ADDRESS PORT");
            System.exit(2);
        }
        run(
                new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])),
                server -> System.out.println("waiting for clients at " + server.address()));
    }

    /**
     * Serves clients until the thread is interrupted.
     *
     * @param address to listen at
     * @param started is told once clients may come
     */
    public static void run(InetSocketAddress address, Consumer<EchoServer> started) {
        try (ConnectionManager manager = ConnectionManager.open();
                DeviceContext context = deviceOf(address.getAddress(), manager).open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                SharedReceiveQueue shared = domain.createSharedReceiveQueue(RECEIVES, 1);
                CompletionQueue queue =
                        context.createCompletionQueue(shared.depth() + MOST_CLIENTS * EchoSession.ANSWERS);
                MemoryRegion memory = domain.allocate((long) RECEIVES * MESSAGE_BYTES, AccessFlag.LOCAL_WRITE);
                ReceiveQueue receives = ReceiveQueue.over(shared);
                Completions completions = Completions.over(queue, 64);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Listener listener = manager.listen(address, BACKLOG)) {
            QueuePairOptions options = QueuePairOptions.sharing(queue)
                    .depth(EchoSession.ANSWERS, 0)
                    .sharedReceives(shared);
            EchoServer server = new EchoServer(domain, options, memory, receives, completions, listener.address());
            for (int slot = 0; slot < RECEIVES; slot++) {
                server.stageReceive(slot);
            }
            receives.post(); // before the first client can come
            listener.serve(threads, server::serve);
            started.accept(server);
            server.serveUntilInterrupted(listener, threads);
        }
    }

    private static Device deviceOf(InetAddress address, ConnectionManager manager) {
        return manager.addresses().stream()
                .filter(one -> one.address().equals(address))
                .map(one -> Device.named(one.device()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        address + " has no RDMA device behind it; these have: " + manager.addresses()));
    }

    /** {@return where it listens} */
    public InetSocketAddress address() {
        return address;
    }

    /** {@return how many clients there were at the same time, at most} */
    public int mostClients() {
        return mostClients.get();
    }

    /** A client, in a virtual thread of its own; when this throws, the client is rejected. */
    private void serve(ConnectionRequest request) throws InterruptedException {
        try (RcQueuePair pair = domain.createRc(options)) {
            EchoSession session = new EchoSession(pair, memory);
            sessions.put(pair.number(), session);
            mostClients.accumulateAndGet(sessions.size(), Math::max);
            try {
                session.run(request);
            } finally {
                leave(session);
                sessions.remove(pair.number());
            }
        }
    }

    /**
     * Before a queue pair is closed its completions have to be read: some devices forget them otherwise, and with them the shared
     * receives that its messages took. It is in ERR, so once the queue was empty nothing of it can come any more.
     */
    private void leave(EchoSession session) {
        leaving.add(session);
        session.awaitRelease();
    }

    /** And after the interrupt until the last client is gone. */
    private void serveUntilInterrupted(Listener listener, ExecutorService threads) {
        while (!threads.isTerminated()) {
            int going = leaving.size();
            int found = 0;
            try {
                found = going > 0 ? completions.poll() : completions.await(WaitStrategy.ADAPTIVE, TURN);
            } catch (InterruptedException stop) {
                listener.close();
                threads.shutdownNow();
            }
            if (found > 0) {
                takeCompletions();
            } else {
                for (; going > 0; going--) {
                    leaving.remove().release(this::stageReceive);
                }
            }
            receives.post();
        }
    }

    private void takeCompletions() {
        while (completions.next()) {
            EchoSession session = sessions.get(completions.queuePairNumber());
            long id = completions.id();
            boolean good = completions.isSuccess();
            if (id < 0) { // an answer, which has arrived, or never will
                session.answered();
                stageReceive((int) ~id);
            } else if (good) {
                session.received((int) id, (int) completions.byteLength());
            } else {
                stageReceive((int) id);
            }
            if (!good) {
                session.end();
            }
        }
    }

    private void stageReceive(int slot) {
        receives.receive(slot, memory, (long) slot * MESSAGE_BYTES, MESSAGE_BYTES);
    }
}
