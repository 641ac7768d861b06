package io.github.verbs4j;

import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.WindowVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.MemorySegment;

/**
 * {@code ibv_mw}: a window on a part of a memory region, with a remote key of its own. Binding it is a request on a queue
 * pair, and so much cheaper than a registration: {@link SendQueue#bind} for type 2, {@link SendQueue#bindNow} for type 1.
 *
 * <pre>{@code
 * sends.bind(1, window, memory, 4096, 512, Set.of(AccessFlag.REMOTE_WRITE)).signaled();
 * sends.post();
 * RemoteRegion opened = window.remote();    // for the peer, once the bind has completed
 * sends.invalidate(2, opened.key());        // and shut again
 * }</pre>
 *
 * <p>While it is bound its region cannot be closed: take its key back, or close it, first. A bind that failed leads its queue
 * pair to ERR, and nobody knows the window's key any more: close it and allocate another.
 *
 * <p>Thread-safe.
 */
public final class MemoryWindow extends Resource {
    private final ProtectionDomain domain;
    private final MemorySegment handle;
    private final MemorySegment struct;
    private final MemoryWindowType type;

    /** What the last bind shows, be it staged or posted. */
    private boolean bound;

    private long address;
    private long length;
    private int key;

    /** Of a bind that is staged: who has it, on what, and what the window showed before. */
    private StagedSends stagedBy;

    private MemoryRegion stagedOn;
    private boolean boundBefore;
    private long addressBefore;
    private long lengthBefore;
    private int keyBefore;

    MemoryWindow(ProtectionDomain domain, MemorySegment handle, MemoryWindowType type) {
        this.domain = domain;
        this.handle = handle;
        MemorySegment struct = Pointers.segment(handle, ibv_mw.sizeof());
        this.struct = struct;
        this.type = type;
        this.key = ibv_mw.rkey(struct);
        boolean good = false;
        try {
            Abi.check(
                    "ibv_mw",
                    "pd",
                    ibv_mw.pd(struct).address() == domain.handle().address());
            Abi.check("ibv_mw", "type", ibv_mw.type(struct) == type.code());
            good = true;
        } finally {
            if (!good) {
                freeing(name(handle, type, domain), domain).tryReturned(() -> WindowVerbs.ibv_dealloc_mw(handle));
            }
        }
        super(new Lifetime(name(handle, type, domain), null, domain.lifetime()));
    }

    static String name(MemorySegment handle, MemoryWindowType type, ProtectionDomain domain) {
        return "MemoryWindow " + ibv_mw.handle(Pointers.segment(handle, ibv_mw.sizeof())) + " (" + type + ") of "
                + domain.context().device().name();
    }

    private static Call freeing(Object window, ProtectionDomain domain) {
        return Call.on(
                window,
                () -> VerbsException.of("ibv_dealloc_mw")
                        .device(domain.context().device().name())
                        .argument("window", window));
    }

    /** {@return the protection domain that it belongs to} */
    public ProtectionDomain domain() {
        return domain;
    }

    /** {@return how it is bound} */
    public MemoryWindowType type() {
        return type;
    }

    /**
     * {@return what the last bind opens: address, length and remote key in one, to be sent to the peer} Known as soon as the
     * bind is staged, of use to the peer once it has completed; a message posted behind the bind may carry it.
     *
     * @throws IllegalStateException if it was never bound, or a window of type 1 was bound to nothing last
     */
    public synchronized RemoteRegion remote() {
        if (!bound) {
            throw new IllegalStateException(this + " is bound to nothing: bind it first");
        }
        return new RemoteRegion(address, length, new RemoteKey(key));
    }

    /**
     * {@return {@code struct ibv_mw *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /**
     * Frees it ({@code ibv_dealloc_mw}), bound or not: its key opens nothing any more. Closing twice is harmless.
     *
     * @throws IllegalStateException if a bind of it is staged
     * @throws VerbsException if the device refuses
     */
    @Override
    public void close() {
        lifetime().close(() -> freeing(this, domain).returned(() -> WindowVerbs.ibv_dealloc_mw(handle)));
    }

    void requireDomain(ProtectionDomain user) {
        if (domain != user) {
            throw new IllegalArgumentException(
                    this + " belongs to " + domain + ", the queue pair to " + user + ": allocate the window there");
        }
    }

    /** A bind of type 2: C follows the pointers to window and region when it is posted, so both stay open till then. */
    synchronized int stage(StagedSends by, MemoryRegion region, long start, long bytes) {
        if (stagedBy != null) {
            throw new IllegalStateException(
                    this + " has a bind staged in " + stagedBy + ": post() or discard() it first");
        }
        lifetime().hold("bind", by);
        boolean held = false;
        try {
            region.lifetime().hold("bind", this);
            held = true;
        } finally {
            if (!held) {
                lifetime().remove(by);
            }
        }
        stagedBy = by;
        stagedOn = region;
        boundBefore = bound;
        addressBefore = address;
        lengthBefore = length;
        keyBefore = key;
        show(start, bytes, WindowVerbs.ibv_inc_rkey(key));
        return key;
    }

    /** The struct keeps the last key: some providers send it along with the next bind. */
    synchronized void posted() {
        ibv_mw.rkey(struct, key);
        unstage();
    }

    synchronized void dropped() {
        show(addressBefore, lengthBefore, keyBefore);
        bound = boundBefore;
        unstage();
    }

    private void unstage() {
        stagedOn.lifetime().remove(this);
        lifetime().remove(stagedBy);
        stagedOn = null;
        stagedBy = null;
    }

    /** A bind of type 1, to nothing if there are no bytes; the library makes the key. */
    synchronized void bind(long start, long bytes, Runnable call) {
        call.run();
        show(start, bytes, ibv_mw.rkey(struct));
    }

    private void show(long start, long bytes, int newKey) {
        bound = bytes > 0;
        address = start;
        length = bytes;
        key = newKey;
    }
}
