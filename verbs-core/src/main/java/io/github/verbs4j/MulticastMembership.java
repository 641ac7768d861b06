package io.github.verbs4j;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.ibv_gid;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code ibv_attach_mcast}: a queue pair takes the datagrams of a multicast group, as long as this is open.
 *
 * <p>It tells the device, and nobody else: that the network delivers them is the work of a subnet manager or of IGMP.
 *
 * <p>Thread-safe.
 */
public final class MulticastMembership extends Resource {
    private static final int INVALID = Errno.EINVAL.number();

    private final UdQueuePair queuePair;
    private final Gid group;
    private final int lid;

    private MulticastMembership(UdQueuePair queuePair, Gid group, int lid) {
        this.queuePair = queuePair;
        this.group = group;
        this.lid = lid;
        super(new Lifetime("MulticastMembership in " + group + " of " + queuePair, null, queuePair.lifetime()));
    }

    static MulticastMembership create(UdQueuePair queuePair, Gid group, int lid) {
        return Lifetime.create(
                "attach",
                () -> {
                    try (Arena arena = Arena.ofConfined()) {
                        Outcome.returned(
                                verbs_h.ibv_attach_mcast(queuePair.handle(), raw(arena, group), (short) lid),
                                errno -> attachFailed(errno, queuePair, group, lid));
                    }
                    return new MulticastMembership(queuePair, group, lid);
                },
                queuePair.lifetime());
    }

    private static MemorySegment raw(Arena arena, Gid group) {
        MemorySegment gid = ibv_gid.allocate(arena);
        gid.copyFrom(MemorySegment.ofArray(group.toByteArray()));
        return gid;
    }

    private static VerbsException.Builder attachFailed(int errno, UdQueuePair queuePair, Gid group, int lid) {
        VerbsException.Builder failure = failed("ibv_attach_mcast", queuePair, group, lid);
        DeviceAttributes limits = queuePair.domain().context().attributes();
        return switch (new Errno(errno).name()) {
            case "EINVAL" ->
                failure.explain(new Explanation(
                        "the GID or LID is most likely not that of a multicast group",
                        "a group's GID begins with ff, or is ::ffff:224.0.0.0 to ::ffff:239.255.255.255",
                        List.of()));
            case "ENOMEM", "EAGAIN" ->
                failure.explain(new Explanation(
                        "the device takes no more: it has at most " + limits.maxMulticastGroups()
                                + " groups (max_mcast_grp) and " + limits.maxMulticastQueuePairs()
                                + " queue pairs in one (max_mcast_qp_attach)",
                        "close memberships that are no longer used; one queue pair can hear for several readers",
                        List.of()));
            default -> failure;
        };
    }

    private VerbsException.Builder detachFailed(int errno) {
        VerbsException.Builder failure = failed("ibv_detach_mcast", queuePair, group, lid);
        return errno == INVALID
                ? failure.cause("the device does not know that the queue pair is in the group: maybe it was detached by"
                                + " the handle")
                        .next("nothing to do: the membership is closed")
                : failure;
    }

    private static VerbsException.Builder failed(String operation, UdQueuePair queuePair, Gid group, int lid) {
        return VerbsException.of(operation)
                .device(queuePair.device())
                .argument("queue pair", queuePair)
                .argument("gid", group)
                .argument("lid", lid);
    }

    /** {@return the queue pair} */
    public UdQueuePair queuePair() {
        return queuePair;
    }

    /** {@return the group's GID} */
    public Gid group() {
        return group;
    }

    boolean isIn(Gid otherGroup, int otherLid) {
        return group.equals(otherGroup) && lid == otherLid;
    }

    /**
     * Leaves the group ({@code ibv_detach_mcast}). Closing twice is harmless.
     *
     * @throws VerbsException if the device refuses; with EINVAL it knows of no membership, and this is closed all the same
     */
    @Override
    public void close() {
        AtomicInteger result = new AtomicInteger();
        lifetime().close(() -> {
            result.set(detach());
            if (Math.abs(result.get()) != INVALID) { // which stays so, and would keep the queue pair open for ever
                Outcome.returned(result.get(), this::detachFailed);
            }
            queuePair.left(this);
        });
        Outcome.returned(result.get(), this::detachFailed);
    }

    private int detach() {
        try (Arena arena = Arena.ofConfined()) {
            return verbs_h.ibv_detach_mcast(queuePair.handle(), raw(arena, group), (short) lid);
        }
    }
}
