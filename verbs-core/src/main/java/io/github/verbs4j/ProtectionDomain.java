package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_pd;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * {@code ibv_pd}: a protection domain; memory and queue pairs work together only within one.
 *
 * <p>Thread-safe.
 */
public final class ProtectionDomain extends Resource {
    private final DeviceContext context;
    private final MemorySegment handle;

    ProtectionDomain(DeviceContext context, MemorySegment handle) {
        this.context = context;
        this.handle = handle;
        MemorySegment pd = Pointers.segment(handle, ibv_pd.sizeof());
        boolean good = ibv_pd.context(pd).address() == context.handle().address();
        if (!good) {
            freeing(name(handle, context.device()), context.device()).tryReturned(() -> verbs_h.ibv_dealloc_pd(handle));
        }
        Abi.check("ibv_pd", "context", good);
        super(new Lifetime(name(handle, context.device()), null, context.lifetime()));
    }

    static String name(MemorySegment handle, Device device) {
        return "ProtectionDomain " + ibv_pd.handle(Pointers.segment(handle, ibv_pd.sizeof())) + " of " + device.name();
    }

    private static Call freeing(Object domain, Device device) {
        return Call.on(domain, () -> VerbsException.of("ibv_dealloc_pd").device(device.name()));
    }

    /** {@return the open device that it belongs to} */
    public DeviceContext context() {
        return context;
    }

    /**
     * {@return fresh, zeroed, page-aligned memory, registered ({@code ibv_reg_mr})} This is the front door: its pages are
     * freed only after the device has let go of them.
     *
     * @param bytes any length above 0, over 4 GiB included
     * @param flags what may be done to it
     * @throws IllegalArgumentException if the length is not above 0, or REMOTE_WRITE or REMOTE_ATOMIC comes without
     *     LOCAL_WRITE
     * @throws VerbsException if the memory cannot be had or pinned, with the limits of this process
     */
    public MemoryRegion allocate(long bytes, AccessFlag... flags) {
        Set<AccessFlag> access = Registration.checkFlags(flags);
        Registration.checkLength(bytes);
        return Lifetime.create("allocate", () -> Registration.allocate(this, bytes, access), lifetime());
    }

    /**
     * {@return fresh, zeroed memory on a NUMA node, in pages of a size, registered} Where it has come to lie is told by
     * {@link MemoryRegion#mapping}.
     *
     * @param bytes any length above 0; in huge pages the region is as long as all of them together
     * @param placement which node, which pages
     * @param flags what may be done to it
     * @throws IllegalArgumentException if this machine has no such node; or as {@link #allocate(long, AccessFlag...)}
     * @throws VerbsException if there are not enough huge pages of that size, with how many there are and how to reserve
     *     them; or as {@link #allocate(long, AccessFlag...)}
     */
    public MemoryRegion allocate(long bytes, Placement placement, AccessFlag... flags) {
        Objects.requireNonNull(placement, "placement");
        Set<AccessFlag> access = Registration.checkFlags(flags);
        Registration.checkLength(bytes);
        return Lifetime.create("allocate", () -> Registration.allocate(this, bytes, placement, access), lifetime());
    }

    /**
     * {@return memory of the caller's, registered ({@code ibv_reg_mr})} It must stay where it is until the device has let
     * go of it, so only memory that nobody can free is taken: of the global arena, or of an automatic one, which the
     * region then keeps reachable.
     *
     * @param memory native memory of any length above 0
     * @param flags what may be done to it
     * @throws IllegalArgumentException if the memory is on the heap, belongs to an arena that can be closed, is empty, or
     *     is read-only and to be written; or as in {@link #allocate(long, AccessFlag...)}
     * @throws VerbsException if it cannot be pinned, with the limits of this process
     */
    public MemoryRegion register(MemorySegment memory, AccessFlag... flags) {
        Set<AccessFlag> access = Registration.checkFlags(flags);
        Registration.checkMemory(memory, access);
        Registration.checkNotClosable(memory);
        return Lifetime.create("register", () -> Registration.register(this, memory, access, null), lifetime());
    }

    /**
     * {@return memory of the caller's, registered ({@code ibv_reg_mr}), whoever may free it}
     *
     * <p>Unsafe: if the memory is freed (its arena closed) before the region, the device goes on reading and writing
     * pages that may belong to something else by then. It exists for memory that other code owns, a mapped file or a
     * pool with confined arenas; close the region before the arena.
     *
     * @param memory native memory of any length above 0
     * @param flags what may be done to it
     * @throws IllegalArgumentException if the memory is on the heap, empty, or read-only and to be written; or as in
     *     {@link #allocate(long, AccessFlag...)}
     * @throws VerbsException if it cannot be pinned, with the limits of this process
     */
    public MemoryRegion registerUnchecked(MemorySegment memory, AccessFlag... flags) {
        Set<AccessFlag> access = Registration.checkFlags(flags);
        Registration.checkMemory(memory, access);
        return Lifetime.create(
                "registerUnchecked", () -> Registration.register(this, memory, access, null), lifetime());
    }

    /**
     * {@return memory of the caller's, registered under an address of the caller's choice ({@code ibv_reg_mr_iova})} That is
     * by what work requests and the peer name its first byte; 0 makes the peer count from 0, for example.
     *
     * @param address the address ({@code iova}), as far from the start of a page as the memory is
     * @param memory as of {@link #register}
     * @param flags what may be done to it
     * @throws IllegalArgumentException if the address lies differently in its page, or the memory would go beyond the last
     *     address; or as in {@link #register}
     * @throws VerbsException if it cannot be pinned, with the limits of this process
     */
    public MemoryRegion registerAt(long address, MemorySegment memory, AccessFlag... flags) {
        Set<AccessFlag> access = Registration.checkFlags(flags);
        Registration.checkMemory(memory, access);
        Registration.checkNotClosable(memory);
        Registration.checkAddress(memory, address);
        Registration.checkFits(address, memory.byteSize());
        return Lifetime.create(
                "registerAt", () -> Registration.register(this, memory, address, access, null), lifetime());
    }

    /**
     * {@return memory of another device, registered ({@code ibv_reg_dmabuf_mr})} It has no segment here; who owns the
     * descriptor keeps it open until the region is closed.
     *
     * @param descriptor file descriptor of a DMA buffer
     * @param offset from where, bytes
     * @param length how much, bytes, above 0
     * @param address by what work names its first byte ({@code iova})
     * @param flags what may be done to it
     * @throws IllegalArgumentException if a number is negative or the length 0, or the memory would go beyond the last
     *     address, or of the flags as in {@link #allocate(long, AccessFlag...)}
     * @throws UnsupportedCapabilityException if kernel, device or provider take no DMA buffers
     * @throws VerbsException if the device refuses
     */
    public MemoryRegion registerDmaBuffer(int descriptor, long offset, long length, long address, AccessFlag... flags) {
        Set<AccessFlag> access = Registration.checkFlags(flags);
        if (descriptor < 0 || offset < 0 || length < 1) {
            throw new IllegalArgumentException("descriptor=" + descriptor + ", offset=" + offset + ", length=" + length
                    + ": none may be negative, nor the length 0");
        }
        Registration.checkFits(address, length);
        return Lifetime.create(
                "registerDmaBuffer",
                () -> Registration.registerDmaBuffer(this, descriptor, offset, length, address, access),
                lifetime());
    }

    /**
     * {@return a new memory window ({@code ibv_alloc_mw}), bound to nothing}
     *
     * @param type how it is to be bound; type 2 can do more
     * @throws UnsupportedCapabilityException if the device has no windows of that type
     * @throws VerbsException if the device refuses
     */
    public MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
        return MemoryWindows.allocate(this, Objects.requireNonNull(type, "type"));
    }

    /**
     * {@return a new queue pair for reliable connections ({@code ibv_create_qp}), in RESET}
     *
     * @param options its completion queues and how much it holds
     * @throws IllegalArgumentException if a completion queue is of another device context, or could overrun (see
     *     {@link QueuePairOptions#allowOverrun})
     * @throws VerbsException if the device refuses, with what was asked and what is allowed
     */
    public RcQueuePair createRc(QueuePairOptions options) {
        return QueuePairCreation.rc(this, Objects.requireNonNull(options, "options"));
    }

    /**
     * {@return a new queue pair for unreliable connections ({@code ibv_create_qp}), in RESET}
     *
     * @param options its completion queues and how much it holds
     * @throws IllegalArgumentException as {@link #createRc}
     * @throws VerbsException as {@link #createRc}
     */
    public UcQueuePair createUc(QueuePairOptions options) {
        return QueuePairCreation.uc(this, Objects.requireNonNull(options, "options"));
    }

    /**
     * {@return a new queue pair for datagrams ({@code ibv_create_qp}), in RESET}
     *
     * @param options its completion queues and how much it holds
     * @throws IllegalArgumentException as {@link #createRc}
     * @throws VerbsException as {@link #createRc}
     */
    public UdQueuePair createUd(QueuePairOptions options) {
        return QueuePairCreation.ud(this, Objects.requireNonNull(options, "options"));
    }

    /**
     * {@return a new shared receive queue ({@code ibv_create_srq})}
     *
     * @param depth receives that it must hold, 1 to {@link DeviceAttributes#maxSharedReceiveRequests}; it may hold more
     * @param segments pieces of memory in one receive, 0 to {@link DeviceAttributes#maxSharedReceiveSegments}
     * @throws IllegalArgumentException if the depth is less than 1 or the segments are negative
     * @throws UnsupportedCapabilityException if the device has no shared receive queues
     * @throws VerbsException if the device refuses, with what was asked and what is allowed
     */
    public SharedReceiveQueue createSharedReceiveQueue(int depth, int segments) {
        return SharedReceiveQueueCreation.create(this, depth, segments);
    }

    /**
     * {@return a new address handle ({@code ibv_create_ah})} {@link UdQueuePair#createAddressHandle} is simpler.
     *
     * @param way from a port of this device to one of a peer, or to a multicast group
     * @throws IllegalArgumentException if there is no such port, or the destination is missing on Ethernet
     * @throws VerbsException if the device refuses
     */
    public AddressHandle createAddressHandle(AddressVector way) {
        return AddressHandle.create(this, Objects.requireNonNull(way, "way"));
    }

    /**
     * {@return {@code struct ibv_pd *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /**
     * Frees the domain ({@code ibv_dealloc_pd}). Closing twice is harmless.
     *
     * @throws IllegalStateException if memory or queue pairs in it are still open
     * @throws VerbsException if the device refuses
     */
    @Override
    public void close() {
        lifetime().close(() -> freeing(this, context.device()).returned(() -> verbs_h.ibv_dealloc_pd(handle)));
    }
}
