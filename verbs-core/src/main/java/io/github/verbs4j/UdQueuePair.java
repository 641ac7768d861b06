package io.github.verbs4j;

import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.RoutingHeader;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;

/**
 * A queue pair of type {@code IBV_QPT_UD}: unreliable datagrams, to and from any number of peers. A message is one packet;
 * it may be lost, and it is dropped in silence if it comes with another queue key than this one's, or when no receive is
 * posted.
 *
 * <p>{@link #initialize} leads it to INIT and tells what peers must know, {@link #activate} to RTR and RTS. Each of
 * its receives needs {@link RoutingHeader#BYTES} more than the message.
 *
 * <p>Thread-safe.
 */
public final class UdQueuePair extends QueuePair {
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
        return initialize(gid, Transition.to(QueuePairState.INIT).queueKey(queueKey), 0);
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
}
