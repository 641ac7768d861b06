package io.github.verbs4j;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.WindowVerbs;
import io.github.verbs4j.ffi.ibv_mw_bind;
import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/** How memory windows are allocated and bound: what is refused before, and the calls. */
final class MemoryWindows {
    private MemoryWindows() {}

    static MemoryWindow allocate(ProtectionDomain domain, MemoryWindowType type) {
        DeviceContext context = domain.context();
        int needed = type == MemoryWindowType.TYPE_1
                ? verbs4j_h.IBV_DEVICE_MEM_WINDOW()
                : verbs4j_h.IBV_DEVICE_MEM_WINDOW_TYPE_2A() | verbs4j_h.IBV_DEVICE_MEM_WINDOW_TYPE_2B();
        if ((context.attributes().capabilityFlags() & needed) == 0) {
            throw context.unsupported("ibv_alloc_mw", noun(type), "its device_cap_flags do not have it");
        }
        return Lifetime.create("allocateMemoryWindow", () -> create(domain, type), domain.lifetime());
    }

    private static MemoryWindow create(ProtectionDomain domain, MemoryWindowType type) {
        MemorySegment mw = Call.on(domain, () -> asked("ibv_alloc_mw", domain, type))
                .explained((failure, number) -> {
                    requireSupport("ibv_alloc_mw", domain, type, number);
                    failure.argument(
                                    "max_mw of the device",
                                    domain.context().attributes().maxMemoryWindows())
                            .explain(domain.context().creation(number));
                })
                .pointer(
                        errno -> WindowVerbs.ibv_alloc_mw(errno, domain.handle(), type.code()),
                        made -> MemoryWindow.name(made, type, domain));
        return new MemoryWindow(domain, mw, type);
    }

    private static String noun(MemoryWindowType type) {
        return "memory windows of type " + type.code();
    }

    private static VerbsException.Builder asked(String operation, ProtectionDomain domain, MemoryWindowType type) {
        return VerbsException.of(operation)
                .device(domain.context().device().name())
                .argument("type", type);
    }

    private static void requireSupport(String operation, ProtectionDomain domain, MemoryWindowType type, int number) {
        if (new Errno(number).isUnsupported()) {
            throw domain.context().unsupported(operation, noun(type), "");
        }
    }

    /** What C and the device would refuse, or crash of; returns the bits of the access. */
    static int check(
            ProtectionDomain user,
            MemoryWindow window,
            MemoryWindowType type,
            MemoryRegion memory,
            long offset,
            long length,
            Set<AccessFlag> access) {
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(memory, "memory");
        int bits = bits(Objects.requireNonNull(access, "access"));
        if (window.type() != type) {
            throw new IllegalArgumentException(window + " is of " + window.type() + ": "
                    + (type == MemoryWindowType.TYPE_2 ? "bindNow() binds those" : "bind() binds those"));
        }
        window.requireDomain(user);
        memory.requireDomain(user);
        memory.check(offset, length);
        if (type == MemoryWindowType.TYPE_2 && length == 0) {
            throw new IllegalArgumentException("length=0: invalidate() takes the key of a window of type 2 back");
        }
        requireBindable(memory, access);
        if (type == MemoryWindowType.TYPE_1 && access.contains(AccessFlag.ZERO_BASED)) {
            throw new IllegalArgumentException("access=" + access + ": ZERO_BASED is for windows of type 2");
        }
        return bits;
    }

    /** Without allocating: it is asked for each bind. */
    private static int bits(Set<AccessFlag> access) {
        int bits = bit(access, AccessFlag.REMOTE_WRITE)
                | bit(access, AccessFlag.REMOTE_READ)
                | bit(access, AccessFlag.REMOTE_ATOMIC)
                | bit(access, AccessFlag.ZERO_BASED);
        if (Integer.bitCount(bits) != access.size()) {
            access.forEach(flag -> Objects.requireNonNull(flag, "access contains null"));
            throw new IllegalArgumentException("access=" + access
                    + ": a window allows REMOTE_WRITE, REMOTE_READ and REMOTE_ATOMIC, and may be ZERO_BASED");
        }
        return bits;
    }

    private static int bit(Set<AccessFlag> access, AccessFlag flag) {
        return access.contains(flag) ? flag.bit() : 0;
    }

    private static void requireBindable(MemoryRegion memory, Set<AccessFlag> access) {
        if (!memory.access().contains(AccessFlag.MEMORY_WINDOW_BIND)) {
            throw new IllegalArgumentException(
                    memory + " was registered with " + memory.access() + ": a window on it needs MEMORY_WINDOW_BIND");
        }
        if (access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC)) {
            memory.requireWritable();
        }
    }

    /** {@code ibv_bind_mw}, signalled. */
    static void bindNow(
            MemorySegment queuePair,
            long id,
            MemoryWindow window,
            MemoryRegion memory,
            long offset,
            long length,
            int access) {
        Lifetime.create(
                "bindNow",
                () -> {
                    call(queuePair, id, window, memory, offset, length, access);
                    return window;
                },
                window.lifetime(),
                memory.lifetime());
    }

    private static void call(
            MemorySegment queuePair,
            long id,
            MemoryWindow window,
            MemoryRegion memory,
            long offset,
            long length,
            int access) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bind = ibv_mw_bind.allocate(arena);
            ibv_mw_bind.wr_id(bind, id);
            ibv_mw_bind.send_flags(bind, verbs4j_h.IBV_SEND_SIGNALED());
            MemorySegment info = ibv_mw_bind.bind_info(bind);
            ibv_mw_bind_info.mr(info, memory.handle());
            ibv_mw_bind_info.addr(info, memory.address() + offset);
            ibv_mw_bind_info.length(info, length);
            ibv_mw_bind_info.mw_access_flags(info, access);
            window.bind(
                    memory.address() + offset,
                    length,
                    () -> Call.on(
                                    window,
                                    () -> asked("ibv_bind_mw", window.domain(), window.type())
                                            .argument("window", window)
                                            .argument("region", memory)
                                            .argument("offset", offset)
                                            .argument("length", length)
                                            .argument("access", AccessFlag.of(access)))
                            .explained((failure, errno) ->
                                    requireSupport("ibv_bind_mw", window.domain(), window.type(), errno))
                            .returned(() -> WindowVerbs.ibv_bind_mw(queuePair, window.handle(), bind)));
        }
    }
}
