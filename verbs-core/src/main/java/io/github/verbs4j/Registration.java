package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryAdvice;
import io.github.verbs4j.attr.PageKind;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.event.RegistrationEvent;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.PageMemory;
import io.github.verbs4j.ffi.RegionVerbs;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.host.MemoryMapping;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.PlacedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** How memory becomes a region: which memory may, and the calls. */
final class Registration {
    private static final Set<String> NOT_CLOSABLE = Set.of("GlobalSession", "ImplicitSession", "HeapSession");

    private static final String ON_DEMAND = "on-demand paging";
    /** The smallest pages that there are. */
    private static final long PAGE_BYTES = 4096;
    /** The smallest ones that are called huge. */
    private static final long HUGE_PAGE_BYTES = 2 << 20;

    private static final long MAX_ADVISED = 0xffff_ffffL;

    private static final Explanation FLAGS = new Explanation(
            "the device or the kernel does not know one of the flags, or not for this memory",
            "leave out flags other than LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ and REMOTE_ATOMIC",
            List.of());

    private Registration() {}

    static Set<AccessFlag> checkFlags(AccessFlag... flags) {
        EnumSet<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : Objects.requireNonNull(flags, "flags")) {
            access.add(Objects.requireNonNull(flag, "flags contain null"));
        }
        if (access.contains(AccessFlag.ZERO_BASED)) {
            throw new IllegalArgumentException(
                    "flags=" + access + ": ZERO_BASED is for a device's own memory; providers"
                            + " disagree on what it means for memory of the process");
        }
        if (!access.contains(AccessFlag.LOCAL_WRITE)) {
            for (AccessFlag writing : List.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
                if (access.contains(writing)) {
                    throw new IllegalArgumentException("flags=" + access + ": " + writing
                            + " needs LOCAL_WRITE too (ibv_reg_mr refuses it alone)");
                }
            }
        }
        return access;
    }

    static void checkMemory(MemorySegment memory, Set<AccessFlag> access) {
        Objects.requireNonNull(memory, "memory");
        if (!memory.isNative()) {
            throw new IllegalArgumentException("memory=" + memory
                    + " is on the Java heap, where it moves; use ProtectionDomain.allocate, or native memory");
        }
        if (memory.byteSize() < 1) {
            throw new IllegalArgumentException("memory=" + memory + " is empty");
        }
        if (memory.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
            throw new IllegalArgumentException("memory=" + memory + " is read-only, yet flags=" + access);
        }
    }

    /**
     * Java does not tell whether an arena can be closed, other than by the class of the scope; a class that we do not
     * know is taken as closable. HeapSession is of direct byte buffers, which the segment keeps reachable.
     */
    static void checkNotClosable(MemorySegment memory) {
        String scope = memory.scope().getClass().getSimpleName();
        if (!NOT_CLOSABLE.contains(scope)) {
            throw new IllegalArgumentException("memory=" + memory
                    + " belongs to an arena that can be closed while the device still uses its pages; use"
                    + " ProtectionDomain.allocate(" + memory.byteSize()
                    + ", ...), memory of Arena.global() or Arena.ofAuto(), or registerUnchecked and see its warning");
        }
    }

    static void checkLength(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes=" + bytes + ": a memory region has at least 1");
        }
    }

    static MemoryRegion allocate(ProtectionDomain domain, long bytes, Set<AccessFlag> access) {
        return allocate(domain, access, arena -> {
            CapturedErrno errno = CapturedErrno.create();
            MemorySegment memory = PageMemory.map(errno, bytes, arena);
            if (memory.address() == 0) {
                throw VerbsException.of("mmap")
                        .errno(errno.value())
                        .argument("bytes", bytes)
                        .explain(Explanations.registration(new Errno(errno.value()), bytes))
                        .build();
            }
            return memory;
        });
    }

    static MemoryRegion allocate(ProtectionDomain domain, long bytes, Placement placement, Set<AccessFlag> access) {
        if (placement.pages() == PageKind.HUGE && access.contains(AccessFlag.ON_DEMAND)) {
            throw new IllegalArgumentException(
                    "flags=" + access + " in huge pages of the pool: the kernel never takes those"
                            + " away, so there is nothing to page on demand; leave out ON_DEMAND");
        }
        OptionalInt node = domain.context().device().numaNode();
        return allocate(domain, access, arena -> PlacedMemory.map(placement, node, bytes, arena));
    }

    private static MemoryRegion allocate(
            ProtectionDomain domain, Set<AccessFlag> access, Function<Arena, MemorySegment> pages) {
        Arena arena = Arena.ofShared();
        boolean registered = false;
        try {
            MemoryRegion region = register(domain, pages.apply(arena), access, arena);
            registered = true;
            return region;
        } finally {
            if (!registered) {
                arena.close();
            }
        }
    }

    /** As work will name it: by its own address unless another is wanted. */
    static MemoryRegion register(ProtectionDomain domain, MemorySegment memory, Set<AccessFlag> access, Arena arena) {
        return register(domain, memory, memory.address(), access, arena);
    }

    static MemoryRegion register(
            ProtectionDomain domain, MemorySegment memory, long iova, Set<AccessFlag> access, Arena arena) {
        requireOnDemandPaging(domain, access);
        RegistrationEvent event = new RegistrationEvent();
        event.begin();
        MemoryRegion region = call(domain, memory, iova, access, arena);
        event.end();
        if (event.shouldCommit()) {
            tell(event, region, memory.address());
        }
        return region;
    }

    private static void tell(RegistrationEvent event, MemoryRegion region, long address) {
        // the kernel's word takes milliseconds, and little memory is never in huge pages
        Optional<MemoryMapping> mapping = region.length() < HUGE_PAGE_BYTES ? Optional.empty() : region.mapping();
        long page = mapping.map(MemoryMapping::pageBytes)
                .orElse(OptionalLong.empty())
                .orElse(PAGE_BYTES);
        boolean huge = page > PAGE_BYTES
                || mapping.filter(found -> found.transparentBytes() > 0).isPresent();
        event.tell(
                region.toString(),
                region.domain().context().device().name(),
                region.access().toString(),
                region.length(),
                (address + region.length() - 1) / page - address / page + 1,
                page,
                huge);
    }

    private static MemoryRegion call(
            ProtectionDomain domain, MemorySegment memory, long iova, Set<AccessFlag> access, Arena arena) {
        long bytes = memory.byteSize();
        MemorySegment mr = Call.on(
                        domain,
                        () -> asked("ibv_reg_mr", domain, bytes, iova, access)
                                .argument("addr", hexadecimal(memory.address())))
                .explained((failure, number) -> explain(failure, number, "ibv_reg_mr", domain, bytes, access))
                .pointer(
                        errno -> ErrnoVerbs.ibv_reg_mr_iova2(
                                errno,
                                domain.handle(),
                                MemorySegment.ofAddress(memory.address()),
                                bytes,
                                iova,
                                AccessFlag.mask(access)),
                        made -> MemoryRegion.name(made, domain));
        return new MemoryRegion(domain, mr, memory, iova, access, arena);
    }

    /** The kernel holds both against its pages, and says only EINVAL. */
    static void checkAddress(MemorySegment memory, long iova) {
        if (((memory.address() ^ iova) & PAGE_BYTES - 1) != 0) {
            throw new IllegalArgumentException(
                    "iova=0x" + Long.toHexString(iova) + " must lie in its page as the memory does: 0x"
                            + Long.toHexString(memory.address() & PAGE_BYTES - 1) + " bytes from its start");
        }
    }

    /** Work could not name what is behind the last address. */
    static void checkFits(long iova, long bytes) {
        if (iova != 0 && Long.compareUnsigned(bytes, -iova) > 0) {
            throw new IllegalArgumentException("iova=0x" + Long.toHexString(iova) + ": " + bytes
                    + " bytes from there do not fit an address space");
        }
    }

    private static void requireOnDemandPaging(ProtectionDomain domain, Set<AccessFlag> access) {
        if (access.contains(AccessFlag.ON_DEMAND)
                && !domain.context().extendedAttributes().supportsOnDemandPaging()) {
            throw domain.context().unsupported("ibv_reg_mr", ON_DEMAND, "its odp_caps do not have IBV_ODP_SUPPORT");
        }
    }

    static MemoryRegion registerDmaBuffer(
            ProtectionDomain domain, int descriptor, long offset, long bytes, long iova, Set<AccessFlag> access) {
        MemorySegment mr = Call.on(
                        domain,
                        () -> asked("ibv_reg_dmabuf_mr", domain, bytes, iova, access)
                                .argument("fd", descriptor)
                                .argument("offset", offset))
                .explained((failure, number) -> {
                    if (new Errno(number).isUnsupported()) {
                        throw domain.context().unsupported("ibv_reg_dmabuf_mr", "DMA buffers", "");
                    }
                    explain(failure, number, "ibv_reg_dmabuf_mr", domain, bytes, access);
                })
                .pointer(
                        errno -> RegionVerbs.ibv_reg_dmabuf_mr(
                                errno, domain.handle(), offset, bytes, iova, descriptor, AccessFlag.mask(access)),
                        made -> MemoryRegion.name(made, domain));
        return new MemoryRegion(domain, mr, MemorySegment.NULL, iova, bytes, offset, access, null);
    }

    static void advise(MemoryRegion region, MemoryAdvice advice, long offset, long bytes, boolean wait) {
        if (bytes < 1 || bytes > MAX_ADVISED) {
            throw new IllegalArgumentException("length=" + bytes + " is not in 1.." + MAX_ADVISED);
        }
        DeviceContext context = region.domain().context();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment part = ibv_sge.allocate(arena);
            ibv_sge.addr(part, region.address() + offset);
            ibv_sge.length(part, (int) bytes);
            ibv_sge.lkey(part, region.localKeyValue());
            int flags = wait ? verbs4j_h.IBV_ADVISE_MR_FLAG_FLUSH() : 0;
            Call.on(
                            region,
                            () -> VerbsException.of("ibv_advise_mr")
                                    .device(context.device().name())
                                    .argument("advice", advice)
                                    .argument("flags", wait ? "FLUSH" : "none")
                                    .argument("region", region)
                                    .argument("offset", offset)
                                    .argument("length", bytes))
                    .explained((failure, number) -> {
                        if (new Errno(number).isUnsupported()) {
                            throw context.unsupported("ibv_advise_mr", "advice on memory", "");
                        }
                        failure.explain(new Explanation(
                                "the region is most likely not paged on demand",
                                "register it with ON_DEMAND",
                                List.of()));
                    })
                    .returned(() -> RegionVerbs.ibv_advise_mr(region.domain().handle(), advice.code(), flags, part, 1));
        }
    }

    private static VerbsException.Builder asked(
            String operation, ProtectionDomain domain, long bytes, long iova, Set<AccessFlag> access) {
        return VerbsException.of(operation)
                .device(domain.context().device().name())
                .argument("length", bytes)
                .argument("iova", hexadecimal(iova))
                .argument("access", access);
    }

    private static void explain(
            VerbsException.Builder failure,
            int number,
            String operation,
            ProtectionDomain domain,
            long bytes,
            Set<AccessFlag> access) {
        DeviceContext context = domain.context();
        if (access.contains(AccessFlag.ON_DEMAND) && new Errno(number).isUnsupported()) {
            throw context.unsupported(operation, ON_DEMAND, "");
        }
        long longest = context.attributes().maxRegionLength();
        if (longest > 0) { // as a signed number; above that there is no limit to speak of
            failure.limit("length", bytes, longest, "max_mr_size");
        }
        boolean flags = number == Errno.EINVAL.number() || number == Errno.EOPNOTSUPP.number();
        failure.explain(flags ? FLAGS : Explanation.NONE)
                .explain(context.fullness(number))
                .explain(Explanations.registration(context.device().name(), new Errno(number), bytes));
    }

    private static String hexadecimal(long address) {
        return "0x" + Long.toHexString(address);
    }
}
