package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datagrams to two queue pairs, whose receives come from one shared queue. */
class UdSharedReceivesIT {
    private static final int PIECE = 256;

    private Datagrams client;
    private ReceiveQueue receives;
    private Completions completions;
    private List<UdQueuePair> servers;
    private List<DatagramPeer> peers;

    @BeforeEach
    void open() {
        client = new Datagrams();
        SharedReceiveQueue shared = client.add(client.domain.createSharedReceiveQueue(8, 1));
        receives = client.add(ReceiveQueue.over(shared));
        CompletionQueue queue = client.add(client.context.createCompletionQueue(64));
        completions = client.add(Completions.over(queue, 16));
        servers = List.of(server(shared, queue), server(shared, queue));
        peers = servers.stream()
                .map(server -> new DatagramPeer(
                        client.add(client.queuePair.createAddressHandle(client.address)),
                        server.number(),
                        Datagrams.KEY))
                .toList();
    }

    private UdQueuePair server(SharedReceiveQueue shared, CompletionQueue queue) {
        UdQueuePair server = client.add(client.domain.createUd(
                QueuePairOptions.sharing(queue).depth(1, 0).sharedReceives(shared)));
        server.initialize(Rdma.gid(client.context), Datagrams.KEY);
        server.activate();
        return server;
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Where the datagram of a receive goes. */
    private static long piece(int id) {
        return (1L + id) * PIECE;
    }

    private void post(int id) {
        receives.receive(id, client.memory, piece(id), PIECE);
        assertEquals(1, receives.post(), "receives posted");
    }

    private void send(int server, int length) {
        Bytes.fill(client.memory.segment(), 0, length, length);
        client.sends.send(7, client.memory, 0, length, peers.get(server)).signaled();
        client.post();
        client.await().requireSuccess(7, WorkOpcode.SEND);
    }

    private void take(int id, int server, int length) {
        Done received = Done.next(completions).requireSuccess(id, WorkOpcode.RECEIVE);
        assertEquals(servers.get(server).number(), received.number());
        assertEquals(RoutingHeader.BYTES + length, received.byteLength());
        assertEquals(client.queuePair.number(), completions.sourceQueuePairNumber());
        Bytes.verify(client.memory.segment(), piece(id) + RoutingHeader.BYTES, length, length);
    }

    @Test
    void shouldTakeReceivesInOrderWhicheverGetsTheDatagram() {
        int depth = receives.available();
        for (int round = 0; round < 3; round++) {
            for (int id = 0; id < depth; id++) {
                post(id);
            }
            for (int id = 0; id < depth; id++) {
                int server = id / 2 % 2;
                send(server, 50 + id);
                take(id, server, 50 + id);
            }
            assertEquals(depth, receives.available());
        }
    }

    /** A reliable sender would be told to try again. */
    @Test
    void shouldDropWhatFindsNoReceive() {
        send(0, 8);
        Watchdog.letPass();
        post(1);
        send(1, 16);
        take(1, 1, 16);
        assertEquals(0, completions.poll());
    }
}
