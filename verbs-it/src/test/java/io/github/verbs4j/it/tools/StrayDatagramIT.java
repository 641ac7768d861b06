package io.github.verbs4j.it.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.DatagramSendQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Anybody who knows the queue key can send to a queue pair for datagrams: a ping-pong heeds its peer only. */
class StrayDatagramIT {
    private static final int KEY = 0x1111_1111;
    private static final int SIZE = 8;

    @Test
    void shouldHeedItsPeerOnly() throws IOException {
        int port = TcpPort.free();
        CompletableFuture<Shell.Result> server =
                Tool.start("pingpong", "ud", "-s", "" + SIZE, "-n", "1", "-p", "" + port);
        TcpPort.awaitListener(port);

        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = context.createCompletionQueue(16);
                UdQueuePair peer =
                        domain.createUd(QueuePairOptions.sharing(queue).depth(1, 1));
                UdQueuePair stranger =
                        domain.createUd(QueuePairOptions.sharing(queue).depth(1, 1));
                DatagramSendQueue ofPeer = DatagramSendQueue.over(peer);
                DatagramSendQueue ofStranger = DatagramSendQueue.over(stranger);
                Completions completions = Completions.over(queue, 1)) {
            GidEntry gid = Rdma.gid(context);
            stranger.initialize(gid, KEY);
            stranger.activate();
            QueuePairAddress mine = peer.initialize(gid, KEY);
            peer.activate();
            try (AddressHandle way = peer.createAddressHandle(mine)) {
                DatagramPeer to = new DatagramPeer(way, meet(port, mine), KEY);
                ofStranger.send(1, memory, 0, SIZE - 1, to).signaled().post();
                Done.next(completions).requireSuccess(1, WorkOpcode.SEND);
                ofPeer.send(2, memory, 0, SIZE, to).signaled().post();
                Done.next(completions).requireSuccess(2, WorkOpcode.SEND);
            }
        }

        assertEquals(0, Tool.await(server).status(), () -> Tool.await(server).output());
    }

    /** As {@code ibv_ud_pingpong} does; tells the number of the server's queue pair. */
    private static int meet(int port, QueuePairAddress mine) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String address = String.format(
                    "%04x:%06x:%06x:%s\0",
                    mine.lid(),
                    mine.queuePairNumber(),
                    mine.packetSequenceNumber(),
                    mine.gid().toHex());
            socket.getOutputStream().write(address.getBytes(StandardCharsets.US_ASCII));
            byte[] told = socket.getInputStream().readNBytes(address.length());
            socket.getOutputStream().write("done\0".getBytes(StandardCharsets.US_ASCII));
            return Integer.parseInt(new String(told, 5, 6, StandardCharsets.US_ASCII), 16);
        }
    }
}
