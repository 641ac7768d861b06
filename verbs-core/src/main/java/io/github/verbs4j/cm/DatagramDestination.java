package io.github.verbs4j.cm;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import java.util.Arrays;
import java.util.Objects;

/**
 * {@code rdma_ud_param}: where datagrams go to, a queue pair of a peer or all of a multicast group.
 *
 * <pre>{@code
 * try (AddressHandle way = domain.createAddressHandle(destination.way())) {
 *     datagrams.send(1, memory, 0, 64, destination.peer(way)).signaled();
 * }
 * }</pre>
 *
 * @param way {@code ah_attr}: the way to the port, what {@link ProtectionDomain#createAddressHandle} takes
 * @param queuePairNumber {@code qp_num}: the peer's, or {@link DatagramPeer#MULTICAST}
 * @param queueKey {@code qkey}: what datagrams must carry to be taken there
 * @param privateData what the peer sent along, filled up with zeros to what the transport carries; nothing of a group
 */
public record DatagramDestination(AddressVector way, int queuePairNumber, int queueKey, byte[] privateData) {
    /**
     * {@code RDMA_UDP_QKEY}: the queue key that librdmacm tells peers at IP addresses, and nothing else. A queue pair that
     * was led to INIT with it ({@link UdQueuePair#initialize}) may serve any number of requests and groups.
     */
    public static final int QUEUE_KEY = 0x0123_4567;

    /** Keeps a copy of the data. */
    public DatagramDestination {
        Objects.requireNonNull(privateData, "privateData");
        Objects.requireNonNull(way, "way");
        privateData = privateData.clone();
    }

    /** {@return whether it is equal in all, private data byte by byte} */
    @Override
    public boolean equals(Object other) {
        return other instanceof DatagramDestination(AddressVector path, int number, int key, byte[] data)
                && way.equals(path)
                && queuePairNumber == number
                && queueKey == key
                && Arrays.equals(privateData, data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(way, queuePairNumber, queueKey, Arrays.hashCode(privateData));
    }

    @Override
    public String toString() {
        return "DatagramDestination[way=" + way + ", queuePairNumber=" + queuePairNumber
                + ", queueKey=0x%08x, privateData=".formatted(queueKey) + Failure.readable(privateData) + "]";
    }

    /** {@return a copy of the private data} */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * {@return this, as a send queue takes it}
     *
     * @param handle made of {@link #way} in the protection domain of the sending queue pair; yours to close
     * @throws IllegalArgumentException if the handle leads elsewhere
     * @throws IllegalStateException if it is closed
     */
    public DatagramPeer peer(AddressHandle handle) {
        Objects.requireNonNull(handle, "handle");
        if (!handle.isOpen()) {
            throw new IllegalStateException("peer: " + handle + " is closed");
        }
        Gid destination = handle.way().destination();
        if (!destination.equals(way.destination()) || handle.way().lid() != way.lid()) {
            throw new IllegalArgumentException("handle=" + handle + " does not lead to " + way.destination()
                    + ": make it with domain.createAddressHandle(destination.way())");
        }
        return new DatagramPeer(handle, queuePairNumber, queueKey);
    }
}
