package io.github.verbs4j.it.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.util.ArrayList;
import java.util.List;

/** Clients, each connected to a queue pair of a server whose receives all come from one shared queue. */
final class Crowd implements AutoCloseable {
    static final int PIECE = 256;
    private static final int SENDS = 16;

    private final Resources resources = new Resources();
    private final DeviceContext context;
    private final SharedReceiveQueue shared;
    private final ReceiveQueue receives;
    private final MemoryRegion memory;
    private final Completions sent;
    private final List<SendQueue> clients = new ArrayList<>();
    private final List<RcQueuePair> clientPairs = new ArrayList<>();
    private final List<RcQueuePair> servers = new ArrayList<>();
    private final List<CompletionQueue> queues = new ArrayList<>();

    /**
     * Connects them.
     *
     * @param count of clients
     * @param queueCount completion queues of the server's queue pairs, in turn
     * @param depth receives to share
     * @param path of all
     */
    Crowd(int count, int queueCount, int depth, RcPath path) {
        boolean made = false;
        try {
            context = resources.add(Rdma.open());
            ProtectionDomain domain = resources.add(context.allocateProtectionDomain());
            memory = resources.add(domain.allocate((long) PIECE * (count + 2 * depth), AccessFlag.LOCAL_WRITE));
            CompletionQueue sendQueue = resources.add(context.createCompletionQueue(2 * SENDS * count));
            sent = resources.add(Completions.over(sendQueue, 16));
            shared = resources.add(domain.createSharedReceiveQueue(depth, 1));
            receives = resources.add(ReceiveQueue.over(shared));
            for (int i = 0; i < queueCount; i++) {
                queues.add(resources.add(context.createCompletionQueue(4 * shared.depth() + SENDS * count)));
            }
            for (int i = 0; i < count; i++) {
                connect(domain, sendQueue, queues.get(i % queueCount), path);
            }
            made = true;
        } finally {
            if (!made) {
                resources.close();
            }
        }
    }

    Crowd(int count, int queueCount, int depth) {
        this(count, queueCount, depth, RcPath.defaults());
    }

    private void connect(ProtectionDomain domain, CompletionQueue sendQueue, CompletionQueue queue, RcPath path) {
        RcQueuePair client = resources.add(
                domain.createRc(QueuePairOptions.sharing(sendQueue).depth(SENDS, 0)));
        RcQueuePair server = resources.add(
                domain.createRc(QueuePairOptions.sharing(queue).depth(SENDS, 0).sharedReceives(shared)));
        QueuePairAddress ofClient = client.initialize(Rdma.gid(context));
        QueuePairAddress ofServer = server.initialize(Rdma.gid(context));
        server.connect(ofClient, path);
        client.connect(ofServer, path);
        clients.add(resources.add(SendQueue.over(client)));
        clientPairs.add(client);
        servers.add(server);
    }

    /** Stages receives, one for each id, each into its own piece of memory, and posts what fits. */
    int post(long... ids) {
        for (long id : ids) {
            receives.receive(id, memory, piece(id), PIECE);
        }
        return receives.post();
    }

    /** Where the message of a receive goes. */
    long piece(long id) {
        return (clients.size() + id) * PIECE;
    }

    /** A client sends what is in its own piece of memory. */
    void send(int client, int length) {
        clients.get(client).send(client, memory, (long) client * PIECE, length).signaled();
        assertEquals(1, clients.get(client).post());
    }

    /** The next completion of the clients. */
    Done sent() {
        return Done.next(sent);
    }

    /** A reader of the n-th completion queue of the server. */
    Completions reader(int number) {
        return resources.add(Completions.over(queues.get(number), 16));
    }

    DeviceContext context() {
        return context;
    }

    SharedReceiveQueue shared() {
        return shared;
    }

    ReceiveQueue receives() {
        return receives;
    }

    MemoryRegion memory() {
        return memory;
    }

    RcQueuePair server(int number) {
        return servers.get(number);
    }

    RcQueuePair client(int number) {
        return clientPairs.get(number);
    }

    List<CompletionQueue> queues() {
        return queues;
    }

    @Override
    public void close() {
        resources.close();
    }
}
