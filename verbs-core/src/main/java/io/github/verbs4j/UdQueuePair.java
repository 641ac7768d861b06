package io.github.verbs4j;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.AddressVerbs;
import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.internal.AddressVectors;
import io.github.verbs4j.internal.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A queue pair of type {@code IBV_QPT_UD}: unreliable datagrams, to and from any number of peers. A message is one packet;
 * it may be lost, and it is dropped in silence if it comes with another queue key than this one's, or when no receive is
 * posted.
 *
 * <p>{@link #initialize} leads it to INIT and tells what peers must know, {@link #activate} to RTR and RTS. Its sends are
 * posted through a {@link DatagramSendQueue}; each of its receives needs {@link RoutingHeader#BYTES} more than the message.
 *
 * <p>Thread-safe.
 */
public final class UdQueuePair extends QueuePair {
    private static final int HOPS = 64;

    /** The open ones. */
    private final List<MulticastMembership> memberships = new ArrayList<>(0);

    UdQueuePair(ProtectionDomain domain, QueuePairCreation.Made made) {
        super(domain, made);
    }

    /**
     * Leads it to INIT: receives may be posted.
     *
     * @param gid our address, of {@link DeviceContext#gids}; decides the port
     * @param queueKey what datagrams must carry to be taken, 32 bits; the highest bit is for privileged processes
     * @return what peers must know, besides the queue key
     * @throws IllegalStateException if it is not in RESET, or the port is not active
     * @throws VerbsException if the device refuses
     */
    public QueuePairAddress initialize(GidEntry gid, int queueKey) {
        return initialize(gid, queueKey, 0);
    }

    /**
     * Leads it to INIT in a partition of its port; else like {@link #initialize(GidEntry, int)}.
     *
     * @param gid our address, of {@link DeviceContext#gids}; decides the port
     * @param queueKey what datagrams must carry to be taken, 32 bits
     * @param partitionKeyIndex row of the port's partition key table, from 0
     * @return what peers must know, besides the queue key
     */
    public QueuePairAddress initialize(GidEntry gid, int queueKey, int partitionKeyIndex) {
        return initialize(
                gid, Transition.to(QueuePairState.INIT).queueKey(queueKey).partitionKeyIndex(partitionKeyIndex), 0);
    }

    /**
     * Leads it to RTR and RTS: datagrams may be sent and arrive.
     *
     * @throws IllegalStateException if it was not initialized
     * @throws VerbsException if the device refuses; {@link #reset} it then
     */
    public void activate() {
        makeReady(
                "activate",
                mine -> Transition.to(QueuePairState.RTR),
                mine -> Transition.to(QueuePairState.RTS).sendPacketSequenceNumber(mine.packetSequenceNumber()));
    }

    /**
     * {@return the way from our port to a peer's ({@code ibv_create_ah}), with 64 hops and nothing special for the network}
     *
     * @param peer what the peer's {@code initialize} told
     * @throws IllegalStateException if this was not initialized
     * @throws IllegalArgumentException if the peer is on another link layer
     * @throws VerbsException if the device refuses
     */
    public AddressHandle createAddressHandle(QueuePairAddress peer) {
        Objects.requireNonNull(peer, "peer");
        QueuePairAddress mine = place("createAddressHandle").address();
        return domain().createAddressHandle(way(mine, peer, 0, HOPS, 0, 0));
    }

    /**
     * {@return the way back to the sender of a datagram ({@code ibv_create_ah_from_wc})} Its queue pair is
     * {@link Completions#sourceQueuePairNumber}.
     *
     * @param completions at the completion of a receive of this queue pair
     * @param memory of that receive
     * @param offset of that receive
     * @throws IllegalStateException if the completion is not that, or failed, or this was not initialized
     * @throws IndexOutOfBoundsException if fewer than {@link RoutingHeader#BYTES} are there
     * @throws VerbsException if the device refuses, or there is no routing header
     */
    public AddressHandle createAddressHandle(Completions completions, MemoryRegion memory, long offset) {
        Objects.requireNonNull(completions, "completions");
        Objects.requireNonNull(memory, "memory");
        int port = place("createAddressHandle").gid().port();
        if (completions.queuePairNumber() != number()) {
            throw new IllegalStateException("completion of request " + completions.id() + " is of queue pair "
                    + completions.queuePairNumber() + ", not of " + this);
        }
        MemorySegment completion = completions.received();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(RoutingHeader.BYTES, 8);
            MemorySegment.copy(memory.segment(), offset, header, 0, RoutingHeader.BYTES);
            return domain().createAddressHandle(wayBack(arena, port, completion, header));
        }
    }

    private AddressVector wayBack(Arena arena, int port, MemorySegment completion, MemorySegment header) {
        MemorySegment found = ibv_ah_attr.allocate(arena);
        MemorySegment context = domain().context().handle();
        Call.on(
                        this,
                        () -> VerbsException.of("ibv_init_ah_from_wc")
                                .device(device())
                                .argument("queue pair", this)
                                .argument("port_num", port))
                .explained(
                        (failure, number) -> failure.cause("what is in front of the message is no routing header, or"
                                        + " its destination is none of our GIDs any more")
                                .next(
                                        "give the memory and offset that the receive was staged with, before they are used again"))
                .notNegative(errno ->
                        AddressVerbs.ibv_init_ah_from_wc(errno, context, (byte) port, completion, header, found));
        return AddressVectors.read(found);
    }

    /**
     * Takes the datagrams of a multicast group from now on ({@code ibv_attach_mcast}).
     *
     * @param group its GID
     * @param lid its LID on InfiniBand, 0 on Ethernet
     * @return what ends it
     * @throws IllegalArgumentException if the LID has more than 16 bits
     * @throws IllegalStateException if it is in the group already; names the membership
     * @throws VerbsException if the device refuses
     */
    public MulticastMembership attach(Gid group, int lid) {
        Objects.requireNonNull(group, "group");
        if (lid < 0 || lid > 0xffff) {
            throw new IllegalArgumentException("lid=" + lid + " is not in 0..65535");
        }
        synchronized (memberships) {
            requireOutside(group, lid);
            MulticastMembership membership = MulticastMembership.create(this, group, lid);
            memberships.add(membership);
            return membership;
        }
    }

    /** The kernel attaches once, however often it is asked, and detaches once. */
    private void requireOutside(Gid group, int lid) {
        for (MulticastMembership open : memberships) {
            if (open.isIn(group, lid)) {
                throw new IllegalStateException(
                        "attach: " + this + " is in " + group + " already, by " + open + "; close that one first");
            }
        }
    }

    /** It is closed. */
    void left(MulticastMembership membership) {
        synchronized (memberships) {
            memberships.remove(membership);
        }
    }
}
