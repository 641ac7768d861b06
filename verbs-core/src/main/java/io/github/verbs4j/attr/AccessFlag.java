package io.github.verbs4j.attr;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** {@code ibv_access_flags}: what may be done to a memory region, or through a queue pair. */
public enum AccessFlag {
    /** {@code IBV_ACCESS_LOCAL_WRITE}: the device may write here: receives, results of reads and atomics. */
    LOCAL_WRITE(1),
    /** {@code IBV_ACCESS_REMOTE_WRITE}: the peer may write here; the memory needs {@link #LOCAL_WRITE} too. */
    REMOTE_WRITE(1 << 1),
    /** {@code IBV_ACCESS_REMOTE_READ}: the peer may read here. */
    REMOTE_READ(1 << 2),
    /** {@code IBV_ACCESS_REMOTE_ATOMIC}: the peer may run atomics here; the memory needs {@link #LOCAL_WRITE} too. */
    REMOTE_ATOMIC(1 << 3),
    /** {@code IBV_ACCESS_MW_BIND}: memory windows may be bound to the region. */
    MEMORY_WINDOW_BIND(1 << 4),
    /** {@code IBV_ACCESS_ZERO_BASED}: addresses count from the region's first byte; for a device's own memory. */
    ZERO_BASED(1 << 5),
    /** {@code IBV_ACCESS_ON_DEMAND}: pages are not pinned but faulted in by the device. */
    ON_DEMAND(1 << 6),
    /** {@code IBV_ACCESS_HUGETLB}: the memory is backed by huge pages. */
    HUGE_PAGES(1 << 7),
    /** {@code IBV_ACCESS_FLUSH_GLOBAL}: the peer may flush the region to global visibility. */
    FLUSH_GLOBAL(1 << 8),
    /** {@code IBV_ACCESS_FLUSH_PERSISTENT}: the peer may flush the region to persistence. */
    FLUSH_PERSISTENT(1 << 9),
    /** {@code IBV_ACCESS_RELAXED_ORDERING}: writes may land out of order; ignored where the kernel lacks it. */
    RELAXED_ORDERING(1 << 20);

    private static final Set<AccessFlag> OF_PEERS =
            Set.of(REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL, FLUSH_PERSISTENT);

    private final int bit;

    AccessFlag(int bit) {
        this.bit = bit;
    }

    /** {@return the bit of {@code ibv_access_flags}} */
    public int bit() {
        return bit;
    }

    /** {@return what a queue pair can let its peer do: write, read, atomics and the two kinds of flush} */
    public static Set<AccessFlag> ofPeers() {
        return OF_PEERS;
    }

    /**
     * {@return the flags as C's bit mask}
     *
     * @param flags any number of flags
     */
    public static int mask(Collection<AccessFlag> flags) {
        int mask = 0;
        for (AccessFlag flag : Objects.requireNonNull(flags, "flags")) {
            mask |= Objects.requireNonNull(flag, "flags contain null").bit;
        }
        return mask;
    }

    /**
     * {@return the flags that a bit mask holds; bits without a name are left out}
     *
     * @param mask bits of {@code ibv_access_flags}
     */
    public static Set<AccessFlag> of(int mask) {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : values()) {
            if ((mask & flag.bit) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
