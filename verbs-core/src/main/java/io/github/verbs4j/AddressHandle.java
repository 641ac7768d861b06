package io.github.verbs4j;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.AddressVerbs;
import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.AddressVectors;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code ibv_ah}: the way to a port, for datagrams to any of its queue pairs. Made by
 * {@link ProtectionDomain#createAddressHandle} or by {@link UdQueuePair#createAddressHandle}.
 *
 * <p>Keep it until the sends that use it have completed; it cannot be closed while some are staged.
 *
 * <p>Thread-safe.
 */
public final class AddressHandle extends Resource {
    private static final int CLOSED = -1;

    private final ProtectionDomain domain;
    private final AddressVector way;
    private final MemorySegment handle;
    private final int longest;
    /** Batches of send queues that use it and are not posted: the provider will read it then. */
    private final AtomicInteger staged = new AtomicInteger();

    private AddressHandle(ProtectionDomain domain, AddressVector way, MemorySegment handle, int longest) {
        this.domain = domain;
        this.way = way;
        this.handle = handle;
        this.longest = longest;
        super(new Lifetime(name(domain, way), null, domain.lifetime()));
    }

    private static String name(ProtectionDomain domain, AddressVector way) {
        return "AddressHandle to " + (way.isGlobal() ? way.destination() : "LID " + way.lid()) + " of "
                + domain.context().device().name();
    }

    static AddressHandle create(ProtectionDomain domain, AddressVector way) {
        PortAttributes port = domain.context().port(way.port());
        if (port.linkLayer() == LinkLayer.ETHERNET && !way.isGlobal()) {
            throw new IllegalArgumentException(
                    way + " has no destination: on Ethernet (RoCE) a port is addressed by its GID");
        }
        return Lifetime.create(
                "createAddressHandle",
                () -> new AddressHandle(
                        domain, way, call(domain, way), port.activeMtu().bytes()),
                domain.lifetime());
    }

    private static MemorySegment call(ProtectionDomain domain, AddressVector way) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_ah_attr.allocate(arena);
            AddressVectors.write(attributes, way);
            return Call.on(
                            domain,
                            () -> VerbsException.of("ibv_create_ah")
                                    .device(domain.context().device().name())
                                    .argument("ah_attr", way))
                    .explained((failure, errno) -> explain(failure, errno, domain, way))
                    .pointer(
                            errno -> AddressVerbs.ibv_create_ah(errno, domain.handle(), attributes),
                            made -> name(domain, way));
        }
    }

    private static void explain(VerbsException.Builder failure, int errno, ProtectionDomain domain, AddressVector way) {
        if (errno == Errno.EINVAL.number() || errno == Errno.ENODATA.number()) {
            failure.explain(new Explanation(
                    "sgid_index=" + way.sourceGidIndex() + " is an empty row of the GID table, or the destination"
                            + " cannot be reached from it",
                    "take the row from gids(port), and a destination of the same IP version",
                    List.of()));
        } else if (AddressVectors.isUnreachable(errno)) {
            AddressVectors.explainUnreachable(failure);
        }
        failure.explain(domain.context().creation(errno));
    }

    /** {@return the protection domain that it belongs to} */
    public ProtectionDomain domain() {
        return domain;
    }

    /** {@return the way that it was made for} */
    public AddressVector way() {
        return way;
    }

    /** {@return the longest datagram that fits a packet of its port, bytes: the active MTU when it was made} */
    public int longestMessage() {
        return longest;
    }

    /**
     * {@return {@code struct ibv_ah *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /** For each send: the queue that asks keeps it open. */
    long pointer() {
        return handle.address();
    }

    /** From now on it stays open, until {@link #unstage}. */
    void stage() {
        int count = staged.get();
        while (count == CLOSED || !staged.compareAndSet(count, count + 1)) {
            if (count == CLOSED) {
                throw new IllegalStateException(this + " is closed");
            }
            count = staged.get();
        }
    }

    void unstage() {
        staged.decrementAndGet();
    }

    /**
     * Destroys it ({@code ibv_destroy_ah}). Closing twice is harmless.
     *
     * @throws IllegalStateException if a send that uses it is staged and not posted
     * @throws VerbsException if the device refuses
     */
    @Override
    public void close() {
        lifetime().close(() -> {
            if (!staged.compareAndSet(0, CLOSED)) {
                throw new IllegalStateException(this + " cannot be closed: sends that use it are staged and not posted;"
                        + " post() or discard() them first");
            }
            boolean destroyed = false;
            try {
                Call.on(
                                this,
                                () -> VerbsException.of("ibv_destroy_ah")
                                        .device(domain.context().device().name())
                                        .argument("address handle", this))
                        .returned(() -> verbs_h.ibv_destroy_ah(handle));
                destroyed = true;
            } finally {
                staged.set(destroyed ? CLOSED : 0);
            }
        });
    }
}
