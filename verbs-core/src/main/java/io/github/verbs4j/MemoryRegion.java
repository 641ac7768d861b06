package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.LocalKey;
import io.github.verbs4j.attr.MemoryAdvice;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_mr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.MemoryMapping;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * {@code ibv_mr}: memory that the device may use.
 *
 * <p>Closing it while work that names it is under way is safe: the device then ends that work with
 * {@code LOC_PROT_ERR} ({@code LOC_QP_OP_ERR} on Soft-RoCE), or the peer's with {@code REM_ACCESS_ERR}, and never touches
 * the memory again.
 *
 * <p>Thread-safe; who writes the bytes when is up to the caller.
 */
public final class MemoryRegion extends Resource {
    private final ProtectionDomain domain;
    private final MemorySegment handle;
    private final MemorySegment segment;
    private final Set<AccessFlag> access;
    private final Arena arena;
    private final long address;
    private final long length;
    private final int localKey;
    private final int remoteKey;
    private final boolean writable;
    private boolean deregistered;
    /**
     * The length while it is open, -1 after: one comparison then tells both. Not volatile, which would cost every request:
     * the thread that closes sees it at once, and another that still stages work learns of it from the device.
     */
    private long usable;

    /** Over memory of the process, which work names by another address if that is given. */
    MemoryRegion(
            ProtectionDomain domain,
            MemorySegment handle,
            MemorySegment segment,
            long address,
            Set<AccessFlag> access,
            Arena arena) {
        this(domain, handle, segment, address, segment.byteSize(), segment.address(), access, arena);
    }

    MemoryRegion(
            ProtectionDomain domain,
            MemorySegment handle,
            MemorySegment segment,
            long address,
            long length,
            long given,
            Set<AccessFlag> access,
            Arena arena) {
        this.domain = domain;
        this.handle = handle;
        this.segment = segment;
        this.access = Collections.unmodifiableSet(access);
        this.arena = arena;
        this.address = address;
        this.length = length;
        this.usable = length;
        this.writable = access.contains(AccessFlag.LOCAL_WRITE);
        MemorySegment mr = Pointers.segment(handle, ibv_mr.sizeof());
        this.localKey = ibv_mr.lkey(mr);
        this.remoteKey = ibv_mr.rkey(mr);
        boolean good = false;
        try {
            Abi.check(
                    "ibv_mr",
                    "context",
                    ibv_mr.context(mr).address() == domain.context().handle().address());
            Abi.check("ibv_mr", "pd", ibv_mr.pd(mr).address() == domain.handle().address());
            Abi.check("ibv_mr", "addr", ibv_mr.addr(mr).address() == given);
            Abi.check("ibv_mr", "length", ibv_mr.length(mr) == length);
            good = true;
        } finally {
            if (!good) {
                deregistering(name(handle, domain), domain).tryReturned(() -> verbs_h.ibv_dereg_mr(handle));
            }
        }
        super(Lifetime.ofMemory(name(handle, domain), segment, length, domain.lifetime()));
    }

    static String name(MemorySegment handle, ProtectionDomain domain) {
        MemorySegment mr = Pointers.segment(handle, ibv_mr.sizeof());
        return "MemoryRegion " + ibv_mr.handle(mr) + " (" + ibv_mr.length(mr) + " bytes) of "
                + domain.context().device().name();
    }

    private static Call deregistering(Object region, ProtectionDomain domain) {
        return Call.on(
                        region,
                        () -> VerbsException.of("ibv_dereg_mr")
                                .device(domain.context().device().name())
                                .argument("region", region))
                .explained((failure, errno) -> failure.cause("a memory window may still be bound to it")
                        .next("close the window, or take its key back with invalidate() and poll the completion; then"
                                + " close the region again"));
    }

    /** {@return the protection domain that it belongs to} */
    public ProtectionDomain domain() {
        return domain;
    }

    /** {@return the memory; that of {@link ProtectionDomain#allocate(long, AccessFlag...) allocate} ends with the region, that of a DMA buffer is empty} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the address by which work names its first byte: its own, or as chosen by {@link ProtectionDomain#registerAt}} */
    public long address() {
        return address;
    }

    /** {@return its length in bytes} */
    public long length() {
        return length;
    }

    /** {@return what may be done to it} */
    public Set<AccessFlag> access() {
        return access;
    }

    /** {@return the key for this end's own work requests ({@code lkey})} */
    public LocalKey localKey() {
        return new LocalKey(localKey);
    }

    /** {@return the key that opens it to the peer ({@code rkey})} */
    public RemoteKey remoteKey() {
        return new RemoteKey(remoteKey);
    }

    /**
     * {@return address, length and remote key in one, to be sent to the peer}
     *
     * @throws IllegalStateException if it was registered without any access for the peer
     */
    public RemoteRegion remote() {
        if (Collections.disjoint(access, AccessFlag.ofPeers())) {
            throw new IllegalStateException(this + " was registered with " + access
                    + ": the peer may do nothing here; it needs REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC");
        }
        return new RemoteRegion(address, length, remoteKey());
    }

    /**
     * {@return how large the pages of its memory are and on which NUMA nodes they lie, as the kernel tells} For people who want to
     * know, not for the data path: see {@link Host#memoryMapping}. Empty if it cannot be seen, as that of a DMA buffer.
     *
     * @throws IllegalStateException if it is closed
     */
    public Optional<MemoryMapping> mapping() {
        return lifetime().whileOpen("mapping", () -> Host.local().memoryMapping(segment.address()));
    }

    /**
     * Tells the device what is going to be used ({@code ibv_advise_mr}); for memory that is paged on demand.
     *
     * @param advice what for
     * @param offset from where, bytes
     * @param length how much, bytes, 1 to 4,294,967,295
     * @param wait whether to return only when it is done ({@code IBV_ADVISE_MR_FLAG_FLUSH})
     * @throws IndexOutOfBoundsException if the part is not inside the memory
     * @throws IllegalArgumentException if the length is out of range
     * @throws IllegalStateException if it is closed
     * @throws UnsupportedCapabilityException if device or provider takes no advice
     * @throws VerbsException if the device refuses
     */
    public void advise(MemoryAdvice advice, long offset, long length, boolean wait) {
        Objects.requireNonNull(advice, "advice");
        lifetime().whileOpen("advise", () -> {
            check(offset, length);
            Registration.advise(this, advice, offset, length, wait);
            return this;
        });
    }

    /**
     * {@return {@code struct ibv_mr *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /**
     * Takes the memory back from the device ({@code ibv_dereg_mr}), then frees it if it came from
     * {@link ProtectionDomain#allocate(long, AccessFlag...) allocate}. Closing twice is harmless.
     *
     * @throws VerbsException if the device refuses; the memory then stays
     * @throws IllegalStateException if another native call still uses the segment; the device has let go of it by then,
     *     close once more
     */
    @Override
    public void close() {
        lifetime().close(() -> {
            usable = -1;
            if (!deregistered) {
                deregister();
            }
            if (arena != null) {
                arena.close();
            }
        });
    }

    private void deregister() {
        boolean refused = true;
        try {
            deregistering(this, domain).returned(() -> verbs_h.ibv_dereg_mr(handle));
            refused = false;
        } finally {
            usable = refused ? length : -1;
        }
        deregistered = true;
    }

    /** The check of every work request: open, and inside the bounds. */
    void check(long offset, long bytes) {
        if ((offset | bytes) < 0 || offset > usable - bytes) {
            throw refuse(offset, bytes);
        }
    }

    private RuntimeException refuse(long offset, long bytes) {
        if (usable < 0) {
            return closed();
        }
        return new IndexOutOfBoundsException(
                "offset=" + offset + ", length=" + bytes + " is outside of " + this + ": 0.." + length);
    }

    private IllegalStateException closed() {
        return new IllegalStateException(this + " is closed");
    }

    /** For the first work request of a queue that names it. */
    void requireDomain(ProtectionDomain user) {
        if (domain != user) {
            throw usable < 0
                    ? closed()
                    : new IllegalArgumentException(this + " belongs to " + domain + ", the queue pair to " + user
                            + ": register the memory there");
        }
    }

    /** For work that the device writes the result of. */
    void requireWritable() {
        if (!writable) {
            throw new IllegalArgumentException(
                    this + " was registered with " + access + ": the device writes here, so it needs LOCAL_WRITE");
        }
    }

    int localKeyValue() {
        return localKey;
    }
}
