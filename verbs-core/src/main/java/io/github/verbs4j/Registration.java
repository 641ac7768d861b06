package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.InlineVerbs;
import io.github.verbs4j.ffi.PageMemory;
import io.github.verbs4j.internal.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** How memory becomes a region: which memory may, and the calls. */
final class Registration {
    private static final Set<String> NOT_CLOSABLE = Set.of("GlobalSession", "ImplicitSession", "HeapSession");

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

    static MemoryRegion allocate(ProtectionDomain domain, long bytes, Set<AccessFlag> access) {
        Arena arena = Arena.ofShared();
        boolean registered = false;
        try {
            CapturedErrno errno = CapturedErrno.create();
            MemorySegment memory = PageMemory.map(errno, bytes, arena);
            if (memory.address() == 0) {
                throw VerbsException.of("mmap")
                        .errno(errno.value())
                        .argument("bytes", bytes)
                        .explain(Explanations.registration(new Errno(errno.value()), bytes))
                        .build();
            }
            MemoryRegion region = register(domain, memory, access, arena);
            registered = true;
            return region;
        } finally {
            if (!registered) {
                arena.close();
            }
        }
    }

    static MemoryRegion register(ProtectionDomain domain, MemorySegment memory, Set<AccessFlag> access, Arena arena) {
        CapturedErrno errno = CapturedErrno.create();
        long bytes = memory.byteSize();
        MemorySegment mr = Outcome.pointer(
                InlineVerbs.ibv_reg_mr(
                        errno,
                        domain.handle(),
                        MemorySegment.ofAddress(memory.address()),
                        bytes,
                        AccessFlag.mask(access)),
                errno,
                number -> failed(number, domain, bytes, access));
        return new MemoryRegion(domain, mr, memory, access, arena);
    }

    private static VerbsException.Builder failed(
            int number, ProtectionDomain domain, long bytes, Set<AccessFlag> access) {
        VerbsException.Builder failure = VerbsException.of("ibv_reg_mr")
                .device(domain.context().device().name())
                .argument("length", bytes)
                .argument("access", access)
                .explain(Explanations.registration(new Errno(number), bytes));
        if (number == Errno.EINVAL.number() || number == Errno.EOPNOTSUPP.number()) {
            failure.cause("the device or the kernel does not know one of the flags, or not for this memory")
                    .next("leave out flags other than LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ and REMOTE_ATOMIC");
        }
        return failure;
    }
}
