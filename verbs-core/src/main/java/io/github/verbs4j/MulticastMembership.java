package io.github.verbs4j;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.ibv_gid;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

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
                        MemorySegment gid = raw(arena, group);
                        Call.on(queuePair, () -> asked("ibv_attach_mcast", queuePair, group, lid))
                                .explained((failure, errno) -> explainAttach(failure, errno, queuePair))
                                .returned(() -> verbs_h.ibv_attach_mcast(queuePair.handle(), gid, (short) lid));
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

    private static void explainAttach(VerbsException.Builder failure, int errno, UdQueuePair queuePair) {
        DeviceAttributes limits = queuePair.domain().context().attributes();
        switch (new Errno(errno).name()) {
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
            default -> {} // the error number is explained as that of any call
        }
    }

    private static void explainDetach(VerbsException.Builder failure, int errno) {
        if (errno == INVALID) {
            failure.cause("the device does not know that the queue pair is in the group: maybe it was detached by the"
                            + " handle")
                    .next("nothing to do: the membership is closed");
        }
    }

    private static VerbsException.Builder asked(String operation, UdQueuePair queuePair, Gid group, int lid) {
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
        AtomicReference<VerbsException> unknown = new AtomicReference<>();
        lifetime().close(() -> {
            try {
                detach();
            } catch (VerbsException refused) {
                if (!refused.is(Errno.EINVAL)) {
                    throw refused;
                }
                unknown.set(refused); // it stays so, and would keep the queue pair open for ever
            }
            queuePair.left(this);
        });
        if (unknown.get() != null) {
            throw unknown.get();
        }
    }

    private void detach() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = raw(arena, group);
            Call.on(queuePair, () -> asked("ibv_detach_mcast", queuePair, group, lid))
                    .explained(MulticastMembership::explainDetach)
                    .returned(() -> verbs_h.ibv_detach_mcast(queuePair.handle(), gid, (short) lid));
        }
    }
}
